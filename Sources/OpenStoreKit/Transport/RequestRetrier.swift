import Foundation
import HTTPTypes

/// Number and delays of retries.
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

    /// Returns the back-off after failures: doubled each time, up to ``longestDelay``.
    package func delay(afterFailures failures: Int) -> Duration {
        min(firstDelay * (1 << min(max(failures - 1, 0), 16)), longestDelay)
    }
}

/// Retries requests without an answer, a bounded number of times.
///
/// For idempotent requests, which all requests of the store's protocol are. Retries after connection errors, timeouts and answers
/// with status 500 and above. Throws or returns the last failure.
package struct RequestRetrier: Sendable {
    /// Maximum size of an answer in bytes; a limit of ours.
    package static let maximumAnswerBytes = 16 << 20

    package let transport: any Transport
    package let dependencies: DeviceDependencies
    package let policy: RetryPolicy

    package init(_ transport: any Transport, _ dependencies: DeviceDependencies, policy: RetryPolicy = RetryPolicy()) {
        self.transport = transport
        self.dependencies = dependencies
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
                try await dependencies.sleep(delay(after: answer, failures: failures))
            } catch let error as TransportError {
                guard error.code != .answerTooLarge, failures + 1 < policy.maximumAttempts else { throw error }
                failures += 1
                try await dependencies.sleep(policy.delay(afterFailures: failures))
            }
        }
    }

    /// Returns the delay of `Retry-After`, up to the policy's longest delay.
    private func delay(after answer: HTTPAnswer, failures: Int) -> Duration {
        guard let text = answer.headers[.retryAfter], let seconds = Int(text), seconds >= 0 else {
            return policy.delay(afterFailures: failures)
        }
        return min(.seconds(seconds), policy.longestDelay)
    }
}
