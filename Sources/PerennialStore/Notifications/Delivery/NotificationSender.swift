import AppStoreFormats

/// The way to a receiver of server notifications.
package protocol NotificationSender: Sendable {
    /// Posts a notification once. Whatever goes wrong is an outcome; nothing is thrown.
    ///
    /// - Parameter timeout: For the request and its whole answer, in milliseconds.
    func post(_ body: [UInt8], to url: String, timeout: Int64) async -> NotificationOutcome
}

/// What became of posting a notification.
package struct NotificationOutcome: Sendable, Equatable {
    package var result: SendAttemptResult
    /// Where the receiver answered.
    package var httpStatus: Int?

    package init(_ result: SendAttemptResult, httpStatus: Int? = nil) {
        self.result = result
        self.httpStatus = httpStatus
    }
}
