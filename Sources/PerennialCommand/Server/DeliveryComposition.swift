import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import Perennial
import PerennialConnect
import PerennialDelivery
import PerennialHTTP
import PerennialStorage
import PerennialStore

/// Creates the parts of the seller's own server and connects them.
enum DeliveryComposition {
    /// - Parameters:
    ///   - catalog: Called for each request.
    ///   - refresh: Adds what a store in the same process has learnt since.
    ///   - trust: The roots of server notifications.
    ///   - environments: The environments whose receipts are accepted.
    ///   - time: The source of the store's time.
    ///   - digests: The file of the content files' digests; `nil` keeps them in memory.
    ///   - passwords: The store's, where one runs in this process: hashing is bounded for both together.
    ///   - operatorToken: Opens the reminders of terms that end.
    ///   - cacheSeconds: The lifetime of a positive answer of the store; 0 asks each time.
    static func routes(
        database: Database, catalog: @escaping @Sendable () -> DeliveryCatalog,
        refresh: (@Sendable (DeliveryCatalog.Entry) async throws -> DeliveryCatalog.Entry)? = nil, content: String,
        verification: any ReceiptVerifying, trust: NotificationTrust?, environments: Set<StoreEnvironment.Kind>,
        time: StoreTime.Source, cacheSeconds: Int, digests: String?, operatorToken: String?,
        passwords: PasswordGate? = nil, logger: Logger
    ) throws -> DeliveryRoutes {
        let verifying: any ReceiptVerifying =
            cacheSeconds > 0
            ? VerificationCache(verification, clock: WallClock.now, lifetime: .seconds(Int64(cacheSeconds)))
            : verification
        let library: ContentLibrary
        do {
            library = try ContentLibrary(root: content, digests: digests)
        } catch {
            throw CommandError("the content folder \(content) can't be used: \(error)")
        }
        return DeliveryRoutes(
            delivery: Delivery(
                database: database, catalog: catalog, refresh: refresh, library: library, verification: verifying,
                notificationTrust: trust, environments: environments, clock: WallClock.now, storeTime: time,
                randomBytes: SecureRandom.bytes, passwords: passwords ?? PasswordGate(clock: WallClock.now),
                logger: logger),
            operatorToken: operatorToken)
    }

    static func verification(
        _ target: VerificationTarget, endpoint: any VerifyReceiptEndpoint, logger: Logger
    ) -> ReceiptVerification {
        ReceiptVerification(target: target, endpoint: endpoint, dependencies: .live, logger: logger)
    }
}

extension RetryDependencies {
    /// Real time and randomness.
    static var live: RetryDependencies {
        let start = ContinuousClock.now
        return RetryDependencies(
            sleep: { try await Task.sleep(for: $0) }, elapsed: { start.duration(to: .now) },
            fraction: { Double.random(in: 0..<1) })
    }
}

/// verifyReceipt of a store in the same process.
struct LocalStoreEndpoint: VerifyReceiptEndpoint {
    static let target = VerificationTarget(production: "Production", sandbox: "Sandbox")

    let registry: StoreRegistry

    /// The time in an environment.
    func now(in environment: StoreEnvironment.Kind) async throws -> Instant? {
        let name = environment == .production ? Self.target.production : Self.target.sandbox
        return try await registry.store(named: name ?? "")?.now()
    }

    func post(_ body: [UInt8], to url: String) async throws -> VerifyReceiptAnswer {
        guard let store = try await registry.store(named: url) else { throw CommandError("there is no store \(url)") }
        return VerifyReceiptAnswer(httpStatus: 200, body: await store.verification.verifyReceipt(body))
    }
}
