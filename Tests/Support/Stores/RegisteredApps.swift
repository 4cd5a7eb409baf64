import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import Synchronization

/// Databases in which a test store's apps are registered, each made once in a process.
///
/// Test stores begin as copies, with the bytes that a store of their own would have drawn.
enum RegisteredApps {
    struct Made: Sendable {
        let template: DatabaseTemplate
        /// The number of random bytes that the registration took.
        let randomBytes: Int
    }

    private struct Key: Hashable {
        let engine: Engine
        let apps: [App]
    }

    /// A limit on the templates, since tests of invented catalogs have many apps.
    private static let maximum = 48
    private static let made = Mutex<[Key: Task<Made, any Error>]>([:])

    /// Returns the database with a list of apps, or `nil` if there are too many others already.
    static func database(of apps: [App], on engine: Engine) async throws -> Made? {
        let key = Key(engine: engine, apps: apps)
        let task = made.withLock { made -> Task<Made, any Error>? in
            if let task = made[key] { return task }
            guard made.count < maximum else { return nil }
            let task = Task { try await make(apps, on: engine) }
            made[key] = task
            return task
        }
        return try await task?.value
    }

    private static func make(_ apps: [App], on engine: Engine) async throws -> Made {
        let database = try engine.makeDatabase()
        let random = CountedBytes()
        let clock = TestClock(TestStore.opening)
        let registry = StoreRegistry(
            StoreDependencies(
                database: database, signing: try TestSigning.shared, wallClock: { clock.now },
                randomBytes: random.bytes, logger: TestStore.quiet))
        try await registry.prepare()
        let before = random.count
        try await register(apps, in: database, clock, random.bytes)
        return Made(template: try DatabaseTemplate(closing: database), randomBytes: random.count - before)
    }

    /// - Parameter apps: The first has the shared secret of the test catalog.
    static func register(
        _ apps: [App], in database: Database, _ clock: TestClock, _ randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) async throws {
        let registered = Apps(database: database, wallClock: { clock.now }, randomBytes: randomBytes)
        for (place, app) in apps.enumerated() {
            try await registered.register(app, sharedSecret: place == 0 ? TestCatalog.sharedSecret : nil)
        }
    }
}

/// The bytes of a test store, and how many it has drawn.
private final class CountedBytes: Sendable {
    private let random = SeededBytes(seed: 1)
    private let drawn = Mutex(0)

    var count: Int { drawn.withLock { $0 } }

    @Sendable func bytes(_ count: Int) -> [UInt8] {
        drawn.withLock { $0 += count }
        return random.bytes(count)
    }
}
