import AppStoreFormats
import Logging
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore

/// A process on the shared database: nothing of it is left when it starts again.
struct Node: Sendable {
    /// Milliseconds. Whoever meets a lock in a simulation meets one that will not go away by waiting, but for the moment in
    /// which a connection of the process before is closed.
    private static let lockTimeout = 25
    private static let quiet = Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }

    let database: Database
    let registry: StoreRegistry
    let apps: Apps

    /// - Parameter turnPause: Passes time, while it waits for the claim of a node that is gone to end.
    init(
        _ location: DatabaseLocation, signing: Signing, clock: @escaping @Sendable () -> Instant, bytes: SeededBytes,
        faults: FaultInjector, sabotage: Sabotage?, turnPause: @escaping @Sendable () -> Void
    ) throws {
        var options = DatabaseOptions(faults: faults.strike)
        if let sabotage { options.replaceStatement = { sabotage.replacement(of: $0) ?? $0 } }
        options.readers = 1
        options.connections = 2
        options.lockTimeoutMilliseconds = Self.lockTimeout
        database = try Database(location, options: options, logger: Self.quiet)
        try database.migrate()
        registry = StoreRegistry(
            database: database, signing: signing, wallClock: clock, randomBytes: bytes.bytes,
            passwordCost: PasswordHash.Cost(rounds: 16, blockSize: 1, parallelism: 1),
            turnPause: { turnPause() }, overlapsRenewals: false, logger: Self.quiet)
        apps = Apps(database: database, randomBytes: bytes.bytes)
    }

    /// - Throws: ``StoreError`` where the environment isn't there, which would be a mistake of the simulation.
    func store() async throws -> Store {
        guard let store = try await registry.store(named: World.environmentName) else {
            throw StoreError(.malformed, World.environmentName, "the simulated environment is not there")
        }
        return store
    }
}
