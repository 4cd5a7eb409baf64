import AppStoreFormats
import Perennial
import Synchronization

/// The number of requests that one app may send to each endpoint. Apple states rates a second and enforces them by the hour,
/// in Sandbox a tenth of them ("Identifying Rate Limits" in Apple's documentation of the App Store Server API).
package struct RateLimits: Hashable, Sendable {
    package enum Policy: Hashable, Sendable {
        /// Requests without limits.
        case off
        /// Apple's limits.
        case apple
        /// Limits of requests an hour for each endpoint, in every environment: for tests of a client's reaction to a refusal.
        case hourly(Int64)
    }

    package var policy: Policy

    package init(_ policy: Policy = .off) {
        self.policy = policy
    }

    /// Returns the limit of requests an hour; `nil` without one.
    func hourly(_ endpoint: ServerAPIEndpoint, _ kind: StoreEnvironment.Kind) -> Int64? {
        switch policy {
        case .off: nil
        case .hourly(let count): count
        case .apple: endpoint.requestsPerSecond.map { $0 * 3600 / (kind.isForTests ? 10 : 1) }
        }
    }
}

/// The endpoints that are counted, each on its own.
enum ServerAPIEndpoint: Hashable, Sendable, CaseIterable {
    case transactionInfo, transactionHistory, subscriptionStatuses, consumption, notificationHistory
    case extend, orderLookup, refundHistory, massExtend, testNotification, testNotificationStatus
    case uploadImage, deleteImage, imageList, uploadMessage, deleteMessage, messageList
    case setDefaultMessage, defaultMessage, deleteDefaultMessage, setRealtimeURL, realtimeURL, deleteRealtimeURL
    case performanceTest, performanceTestResult, massExtendStatus
    /// Endpoints for which Apple states no limit.
    case unlimited

    var requestsPerSecond: Int64? {
        switch self {
        case .transactionInfo, .transactionHistory, .subscriptionStatuses, .consumption, .notificationHistory: 50
        case .extend: 20
        case .orderLookup, .refundHistory, .setDefaultMessage: 10
        case .massExtend, .testNotification, .testNotificationStatus: 1
        case .uploadImage, .deleteImage, .imageList, .uploadMessage, .deleteMessage, .messageList: 1
        case .defaultMessage, .deleteDefaultMessage, .setRealtimeURL, .realtimeURL, .deleteRealtimeURL: 1
        case .performanceTest, .performanceTestResult: 1
        case .unlimited, .massExtendStatus: nil
        }
    }
}

/// Counts requests in windows of an hour of the environment's clock.
final class RateLimiter: Sendable {
    private struct Counter: Hashable {
        var environment: StoreEnvironment.ID
        var app: Int64
        var endpoint: ServerAPIEndpoint
    }

    private struct Window {
        var hour: Int64
        var counts: [Counter: Int64] = [:]
    }

    private static let hour: Int64 = 3_600_000

    let limits: RateLimits
    private let windows = Mutex<[StoreEnvironment.ID: Window]>([:])

    init(_ limits: RateLimits) {
        self.limits = limits
    }

    /// Counts a request.
    ///
    /// - Throws: ``ServerAPIError`` `.rateLimitExceeded` with the end of the hour.
    func count(
        _ endpoint: ServerAPIEndpoint, app: Int64, _ environment: StoreEnvironment, at now: Instant
    ) throws {
        guard let limit = limits.hourly(endpoint, environment.kind) else { return }
        let hour = now.milliseconds / Self.hour
        let counter = Counter(environment: environment.id, app: app, endpoint: endpoint)
        let isWithin = windows.withLock { windows in
            var window = windows[environment.id] ?? Window(hour: hour)
            if window.hour != hour { window = Window(hour: hour) }
            let count = window.counts[counter, default: 0]
            window.counts[counter] = min(count, limit) + 1
            windows[environment.id] = window
            return count < limit
        }
        guard isWithin else {
            throw ServerAPIError(.rateLimitExceeded, retryAfter: (hour + 1) * Self.hour)
        }
    }
}
