import Perennial
import PerennialStorage
import PerennialStore
import TestSupport

/// The store of ``OwnSamples``, made once in the process: each test has a copy of all that has happened in it.
enum SampleWorld {
    private struct Made: Sendable {
        let samples: OwnSamples
        let store: DatabaseTemplate
        let delivery: DatabaseTemplate
    }

    /// Random bytes, more than the content server draws for the samples.
    private static let drawn: UInt8 = 100
    private static let made = Task { try await make() }

    private static func make() async throws -> Made {
        let shop = try await TestStore.make(app: TestCatalog.magazineWithOffers)
        _ = try await shop.registry.makeEnvironment(
            "staging", kind: .sandbox, clock: .manual, now: Instant(rfc3339: "2026-01-31T10:00:00Z"))
        let database = try Engine.sqliteInMemory.makeDatabase()
        let samples = try await DescribedServer.run(shop, DescribedServer.delivery(in: database)) {
            try await OwnSamples($0)
        }
        return Made(
            samples: samples, store: try DatabaseTemplate(closing: shop.database),
            delivery: try DatabaseTemplate(closing: database))
    }

    static func run<Value: Sendable>(
        _ test: @escaping @Sendable (OwnSamples) async throws -> Value
    ) async throws -> Value {
        let made = try await made.value
        let shop = try await TestStore.reopen(made.store.copy(), seed: 2)
        let delivery = try DescribedServer.delivery(in: made.delivery.copy(), drawn: drawn)
        return try await DescribedServer.run(shop, delivery) { try await test(made.samples.on($0)) }
    }
}
