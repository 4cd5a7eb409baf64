/// Asks a seller's server that chooses retention messages.
package protocol RealtimeEndpoint: Sendable {
    /// Posts JSON and waits for the whole answer.
    ///
    /// - Parameter milliseconds: The time-out.
    func post(_ body: [UInt8], to url: String, within milliseconds: Int64) async -> RealtimeExchange
}

/// A request to a seller's server, with its outcome.
package struct RealtimeExchange: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        case answered(status: Int, body: [UInt8])
        /// A word of `sendAttemptResult`: `TIMED_OUT`, `NO_RESPONSE`, …
        case failed(String)
    }

    package var outcome: Outcome
    /// The duration of the request.
    package var milliseconds: Int64

    package init(_ outcome: Outcome, milliseconds: Int64) {
        self.outcome = outcome
        self.milliseconds = milliseconds
    }
}
