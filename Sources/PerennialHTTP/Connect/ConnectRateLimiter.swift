import Perennial
import Synchronization

/// Counts the requests of each key in the hour before now ("Identifying Rate Limits" in Apple's documentation of the
/// App Store Connect API). The counts are a process's own.
final class ConnectRateLimiter: Sendable {
    /// Apple's limit for a key.
    static let requestsPerHour = 3600

    private static let hour: Int64 = 3600
    /// Keys that are counted; beyond that, those without a request in the last hour are forgotten.
    private static let capacity = 4096

    /// The requests of a key in one second of the wall clock.
    private struct Tick {
        let second: Int64
        var count: Int
    }

    /// The requests of a key in the last hour, oldest first.
    private struct Window {
        var ticks: [Tick] = []
        var total = 0

        mutating func forget(before second: Int64) {
            let expired = ticks.prefix { $0.second <= second }
            total -= expired.reduce(0) { $0 + $1.count }
            ticks.removeFirst(expired.count)
        }
    }

    private let limit: Int
    private let clock: @Sendable () -> Instant
    private let windows = Mutex<[String: Window]>([:])

    init(limit: Int = requestsPerHour, clock: @escaping @Sendable () -> Instant) {
        (self.limit, self.clock) = (limit, clock)
    }

    /// The result of counting a request.
    struct Allowance: Sendable {
        /// `X-Rate-Limit`.
        let header: String
        /// The seconds until the next request is possible; `nil` if this one is.
        let retryAfter: Int64?
    }

    /// Counts a request. One that is refused doesn't count.
    func count(_ key: String) -> Allowance {
        let now = clock().milliseconds / 1000
        return windows.withLock { windows in
            if windows.count >= Self.capacity {
                windows = windows.filter { ($0.value.ticks.last?.second ?? 0) > now - Self.hour }
            }
            var window = windows[key] ?? Window()
            window.forget(before: now - Self.hour)
            var retryAfter: Int64?
            if window.total >= limit {
                retryAfter = window.ticks.first.map { max(1, $0.second + Self.hour - now) } ?? Self.hour
            } else {
                window.total += 1
                if window.ticks.last?.second == now {
                    window.ticks[window.ticks.count - 1].count += 1
                } else {
                    window.ticks.append(Tick(second: now, count: 1))
                }
            }
            windows[key] = window
            let remaining = max(0, limit - window.total)
            return Allowance(
                header: "user-hour-lim:\(limit);user-hour-rem:\(remaining);", retryAfter: retryAfter)
        }
    }
}
