/// How often and how long a store that can't answer is asked again.
package struct RetryPolicy: Hashable, Sendable {
    /// Requests to one side of the store, the first included.
    package var maximumAttempts: Int
    package var firstDelay: Duration
    package var maximumDelay: Duration
    /// After this long no further request is begun: a device waits for the answer.
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

    /// The wait before the next request: doubled each time, and between half and all of that, so that many servers that
    /// failed together don't come back together.
    /// - Parameters:
    ///   - failures: Requests that failed so far, at least 1.
    ///   - fraction: Randomness from 0 up to 1.
    package func delay(after failures: Int, fraction: Double) -> Duration {
        let doublings = min(max(failures - 1, 0), 16)
        let full = min(firstDelay * (1 << doublings), maximumDelay)
        return full / 2 + full / 2 * min(max(fraction, 0), 1)
    }
}

/// Where waiting, time and chance come from.
package struct Pacing: Sendable {
    package var sleep: @Sendable (Duration) async throws -> Void
    /// Time that has passed since any fixed moment; never goes back.
    package var elapsed: @Sendable () -> Duration
    /// From 0 up to 1.
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
