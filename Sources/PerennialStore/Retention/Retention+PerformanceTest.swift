import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import Synchronization

/// The apps whose performance test runs in this process.
final class RunningTests: Sendable {
    private let apps = Mutex<Set<Int64>>([])

    func begin(_ app: Int64) -> Bool { apps.withLock { $0.insert(app).inserted } }
    func end(_ app: Int64) { apps.withLock { _ = $0.remove(app) } }
}

extension Retention {
    /// The locale of test requests.
    private static let testLocale = "en-US"

    /// Tests the speed and the answers of the seller's server with real requests about a subscription. Returns when the
    /// test has ended, so that its result is there at the first look.
    ///
    /// - Throws: ``ServerAPIError`` 4000211 outside Sandbox, 4000213 while one is running, 4000048, 4000185, 4000187,
    ///   4040010, 4040021.
    package func runPerformanceTest(
        _ id: TransactionID, of app: App, asking endpoint: any RealtimeEndpoint,
        config: PerformanceTestConfig = .standard
    ) async throws -> PerformanceTestResponse {
        guard environment.kind.isForTests else {
            throw ServerAPIError(.invalidPerformanceTestRequest, nil, "performance is tested in Sandbox")
        }
        let subscription = try await testedSubscription(id, of: app)
        let target = try await realtimeURL(of: app).realtimeURL
        guard runningTests.begin(app.appleID) else {
            throw ServerAPIError(.performanceTestRunning, nil, "a test of this app is running")
        }
        defer { runningTests.end(app.appleID) }
        RequestDeadline.liftCurrent()
        let exchanges = try await exchanges(config) { [self] in
            try await ask(
                endpoint, at: target, about: subscription, app, locale: Self.testLocale,
                within: config.responseTimeThreshold)
        }
        let result = PerformanceTestResult(
            config: config, target: target, responseTimes: exchanges.map(\.milliseconds),
            failures: Dictionary(exchanges.compactMap(\.failure).map { ($0, 1) }, uniquingKeysWith: +))
        let requestID = makeUUID().name
        let document = try StoredJSON.text(result)
        try await database.write { [self] connection in
            try RetentionSettingsTable.insertTest(
                requestID, passed: result.result == .pass, document: document, key(of: app), on: connection)
        }
        return PerformanceTestResponse(config: config, requestId: requestID)
    }

    /// Returns the result of a performance test.
    ///
    /// - Throws: ``ServerAPIError`` 4000212, 4040018.
    package func performanceTest(_ requestID: String, of app: App) async throws -> PerformanceTestResult {
        guard let id = UUID(uuidString: requestID) else {
            throw ServerAPIError(.invalidPerformanceTestRequestID, "requestId", "a test is named by a UUID")
        }
        let document = try await database.read { [self] connection in
            try RetentionSettingsTable.test(id.name, key(of: app), on: connection)
        }
        guard let document else {
            throw ServerAPIError(.performanceTestNotFound, "requestId", "there was no such test")
        }
        return try JSONDecoder().decode(PerformanceTestResult.self, from: Data(document.utf8))
    }

    private func testedSubscription(_ id: TransactionID, of app: App) async throws -> Subscription {
        try await database.read { [self] connection in
            let transaction = try transactions.oneTransaction(id, in: app, on: connection)
            guard transaction.ownership == .purchased else {
                throw ServerAPIError(
                    .familyTransactionNotSupported, "originalTransactionId", "name the purchaser's subscription")
            }
            guard
                let found = try SubscriptionsTable.subscription(id, app: app.appleID, environment.id, on: connection)
            else {
                throw ServerAPIError(
                    .transactionIDIsNotOriginalTransactionID, "originalTransactionId",
                    "it is no subscription's original transaction"
                )
            }
            return found
        }
    }

    /// Makes all requests, as many in parallel as the configuration allows.
    private func exchanges(
        _ config: PerformanceTestConfig, _ ask: @escaping @Sendable () async throws -> RealtimeExchange
    ) async throws -> [RealtimeExchange] {
        try await withThrowingTaskGroup(of: RealtimeExchange.self) { group in
            var made: [RealtimeExchange] = []
            var left = Int(config.totalRequests)
            for _ in 0..<min(Int(config.maxConcurrentRequests), left) {
                left -= 1
                group.addTask { try await ask() }
            }
            while let exchange = try await group.next() {
                made.append(exchange)
                guard left > 0 else { continue }
                left -= 1
                group.addTask { try await ask() }
            }
            return made
        }
    }
}

extension RealtimeExchange {
    /// The reason that a test's request failed; `nil` for a valid answer.
    fileprivate var failure: String? {
        switch outcome {
        case .failed(let word): word
        case .answered(200, let body): RealtimeResponse(body) == nil ? "INVALID_RESPONSE" : nil
        case .answered: "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
        }
    }
}
