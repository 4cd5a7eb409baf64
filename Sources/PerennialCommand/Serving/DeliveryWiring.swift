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

/// Joins the parts of the seller's own server.
enum DeliveryWiring {
    /// - Parameters:
    ///   - catalog: Asked anew for each request.
    ///   - trust: Whose server notifications are believed.
    ///   - environments: Whose receipts are welcome.
    ///   - time: Who says what time it is at the store.
    ///   - digests: Where the content files' digests are kept over a restart; `nil` keeps them in memory.
    ///   - passwords: The store's, where one runs in this process: hashing is bounded for both together.
    ///   - operatorToken: Opens the reminders of terms that end.
    ///   - cacheSeconds: How long a positive answer of the store is believed; 0 asks each time.
    static func routes(
        database: Database, catalog: @escaping @Sendable () -> DeliveryCatalog, content: String,
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
                database: database, catalog: catalog, library: library, verification: verifying,
                notificationTrust: trust, environments: environments, clock: WallClock.now, storeTime: time,
                randomBytes: SecureRandom.bytes, passwords: passwords ?? PasswordGate(clock: WallClock.now),
                logger: logger),
            operatorToken: operatorToken)
    }

    static func verification(
        _ target: VerificationTarget, endpoint: any VerifyReceiptEndpoint, logger: Logger
    ) -> ReceiptVerification {
        ReceiptVerification(target: target, endpoint: endpoint, pacing: .world, logger: logger)
    }
}

extension Pacing {
    /// The world's time and chance.
    static var world: Pacing {
        let start = ContinuousClock.now
        return Pacing(
            sleep: { try await Task.sleep(for: $0) }, elapsed: { start.duration(to: .now) },
            fraction: { Double.random(in: 0..<1) })
    }
}

/// The way to verifyReceipt of a store in the same process.
struct LocalStoreEndpoint: VerifyReceiptEndpoint {
    static let target = VerificationTarget(production: "Production", sandbox: "Sandbox")

    let registry: StoreRegistry

    /// What time it is in an environment.
    func now(in environment: StoreEnvironment.Kind) async throws -> Instant? {
        let name = environment == .production ? Self.target.production : Self.target.sandbox
        return try await registry.store(named: name ?? "")?.now()
    }

    func post(_ body: [UInt8], to url: String) async throws -> VerifyReceiptAnswer {
        guard let store = try await registry.store(named: url) else { throw CommandError("there is no store \(url)") }
        return VerifyReceiptAnswer(httpStatus: 200, body: await store.verifyReceipt(body))
    }
}
