/// Limits on the retries of a verification while the store is unavailable.
package struct VerificationRetryPolicy: Hashable, Sendable {
    /// Requests to one environment, with the first.
    package var maximumAttempts: Int
    package var firstDelay: Duration
    package var maximumDelay: Duration
    /// Time after which no request begins, since a device waits for the answer.
    package var maximumTime: Duration

    package init(
        maximumAttempts: Int = 5, firstDelay: Duration = .milliseconds(250), maximumDelay: Duration = .seconds(5),
        maximumTime: Duration = .seconds(20)
    ) {
        self.maximumAttempts = maximumAttempts
        self.firstDelay = firstDelay
        self.maximumDelay = maximumDelay
        self.maximumTime = maximumTime
    }

    /// Returns the back-off after failures: doubled each time, with up to half of it left to chance, so that servers that failed
    /// together don't retry together.
    ///
    /// - Parameters:
    ///   - failures: Number of failed requests, at least 1.
    ///   - fraction: Random number from 0 up to 1.
    package func delay(after failures: Int, fraction: Double) -> Duration {
        let doublings = min(max(failures - 1, 0), 16)
        let full = min(firstDelay * (1 << doublings), maximumDelay)
        return full / 2 + full / 2 * min(max(fraction, 0), 1)
    }
}

/// Sleep, time and randomness of retries.
package struct RetryDependencies: Sendable {
    package var sleep: @Sendable (Duration) async throws -> Void
    /// Returns the time since a fixed instant, monotonically.
    package var elapsed: @Sendable () -> Duration
    /// Returns a random number from 0 up to 1.
    package var fraction: @Sendable () -> Double

    package init(
        sleep: @escaping @Sendable (Duration) async throws -> Void, elapsed: @escaping @Sendable () -> Duration,
        fraction: @escaping @Sendable () -> Double
    ) {
        self.sleep = sleep
        self.elapsed = elapsed
        self.fraction = fraction
    }
}
