import Foundation
import NIOHTTP1

/// How often and how soon a request is sent again.
package struct RetryPolicy: Sendable {
    package var maximumAttempts: Int
    package var firstDelay: Duration
    package var longestDelay: Duration

    package init(
        maximumAttempts: Int = 4, firstDelay: Duration = .milliseconds(200), longestDelay: Duration = .seconds(5)
    ) {
        self.maximumAttempts = maximumAttempts
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
    }

    /// The wait after so many failed attempts: doubled each time, up to ``longestDelay``.
    package func delay(afterFailures failures: Int) -> Duration {
        min(firstDelay * (1 << min(max(failures - 1, 0), 16)), longestDelay)
    }
}

/// Sends a request until it is answered, a bounded number of times.
///
/// For requests only that may be repeated: every request of the store's protocol is one, a purchase by its idempotency
/// key. What is retried: no connection, a timeout, and answers of 500 and above. The last failure is handed on.
package struct Retrying: Sendable {
    /// No JSON answer of the protocols comes near.
    package static let maximumAnswerBytes = 16 << 20

    package let transport: any Transport
    package let surroundings: Surroundings
    package let policy: RetryPolicy

    package init(_ transport: any Transport, _ surroundings: Surroundings, policy: RetryPolicy = RetryPolicy()) {
        self.transport = transport
        self.surroundings = surroundings
        self.policy = policy
    }

    package func send(_ call: HTTPCall) async throws -> HTTPAnswer {
        var failures = 0
        while true {
            try Task.checkCancellation()
            do {
                let answer = try await transport.send(call, maximumBytes: Self.maximumAnswerBytes)
                guard answer.status >= 500, failures + 1 < policy.maximumAttempts else { return answer }
                failures += 1
                try await surroundings.sleep(delay(after: answer, failures: failures))
            } catch let error as TransportError {
                guard error.code != .answerTooLarge, failures + 1 < policy.maximumAttempts else { throw error }
                failures += 1
                try await surroundings.sleep(policy.delay(afterFailures: failures))
            }
        }
    }

    /// What the server asks for with `Retry-After`, but never more than the policy's longest delay.
    private func delay(after answer: HTTPAnswer, failures: Int) -> Duration {
        guard let text = answer.headers.first(name: "Retry-After"), let seconds = Int(text), seconds >= 0 else {
            return policy.delay(afterFailures: failures)
        }
        return min(.seconds(seconds), policy.longestDelay)
    }
}
