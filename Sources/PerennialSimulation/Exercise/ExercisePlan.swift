import Perennial

/// The clients of an exercise, their environment, and how long they act.
package struct ExercisePlan: Sendable {
    /// The end of new requests.
    package enum Length: Sendable {
        case seconds(Int)
        /// Steps of each client, for tests.
        case steps(Int)
    }

    /// Limits of ours on what one machine can do.
    package static let clientsAllowed = 1...256
    package static let secondsAllowed = 1...86_400

    package var seed: UInt64
    package var clients = 8
    package var length = Length.seconds(30)
    /// Limit on the time, in seconds, in which open requests are answered and everything is read at the end.
    package var settleSeconds = 60
    package var clock = StoreEnvironment.Clock.manual
    package var environment: String
    package var app: String
    /// The URL of the receiver of notifications; `nil` to go without.
    package var receiverURL: String?
    /// Readers of the journal.
    package var readers = 2
    /// Longest pause between two steps of a client, in milliseconds.
    package var pauseMax = 20
    /// The customers' storefront, in which prices are set.
    package static let storefront = "USA"

    package init(seed: UInt64, app: String, environment: String? = nil) {
        self.seed = seed
        self.app = app
        self.environment = environment ?? "Exercise-\(seed)"
    }
}

/// A request to a node of the store.
package struct ExerciseRequest: Sendable {
    package enum Caller: Sendable, Equatable {
        case control
        /// A device, by its token.
        case device(String)
        case unknown
    }

    package var node: Int
    package var method: String
    /// Relative to the environment's base URL, without a slash at its start.
    package var path: String
    /// The environment's name; `nil` for Production.
    package var environment: String?
    package var body: [UInt8]?
    package var caller = Caller.control
    /// True for a request that may take long, such as an advance of the clock.
    package var isLong = false
}

package enum ExerciseReply: Sendable {
    case answer(status: Int, body: [UInt8])
    /// HTTP 503 with `Retry-After`: the node can't answer at the moment, as it may, and says so.
    case unavailable
    /// Missing answer: a time-out, or a connection that failed.
    case lost(reason: String)
}

/// The way to the nodes.
package protocol ExerciseTransport: Sendable {
    /// The nodes' URLs, for the history.
    var nodes: [String] { get }

    func send(_ request: ExerciseRequest) async -> ExerciseReply
}

/// The time of an exercise.
package struct ExerciseTime: Sendable {
    /// Microseconds since the start, on a clock that never goes back.
    package var now: @Sendable () -> Int64
    /// Pauses for some milliseconds.
    package var pause: @Sendable (Int) async -> Void
    /// The start in RFC 3339.
    package var started: String

    package init(
        started: String, now: @escaping @Sendable () -> Int64, pause: @escaping @Sendable (Int) async -> Void
    ) {
        self.started = started
        self.now = now
        self.pause = pause
    }
}

/// A store that can't be exercised: an answer to its preparation, in words.
package struct ExerciseError: Error, Equatable, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }
}
