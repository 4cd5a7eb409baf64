import AppStoreFormats
import Logging
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore

/// A node on the shared database. A restart keeps nothing in memory.
struct Node: Sendable {
    /// Milliseconds to wait for a lock. Locks in a simulation don't go away by waiting, except while a restarted node's old
    /// connection closes.
    private static let lockTimeout = 25
    private static let quiet = Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }

    let database: Database
    let registry: StoreRegistry
    let apps: Apps
    let editor: CatalogEditor

    /// - Parameter leasePollInterval: Passes simulated time while the node waits for another node's lease to end.
    init(
        _ location: DatabaseLocation, signing: Signing, clock: @escaping @Sendable () -> Instant, bytes: SeededBytes,
        faults: FaultInjector, limits: WorkLimits, mutation: Mutation?,
        leasePollInterval: @escaping @Sendable () throws -> Void
    ) throws {
        var options = DatabaseOptions(faults: faults.strike)
        if let mutation { options.replaceStatement = { mutation.replacement(of: $0) ?? $0 } }
        options.readers = 1
        options.connections = 2
        options.lockTimeoutMilliseconds = Self.lockTimeout
        database = try Database(location, options: options, logger: Self.quiet)
        try database.migrate()
        registry = StoreRegistry(
            StoreDependencies(
                database: database, signing: signing, wallClock: clock, randomBytes: bytes.bytes,
                passwordCost: PasswordHash.Cost(rounds: 16, blockSize: 1, parallelism: 1),
                leasePollInterval: { try leasePollInterval() }, pipelinesRenewals: false,
                limits: mutation?.limits(limits) ?? limits, logger: Self.quiet))
        apps = Apps(database: database, wallClock: clock, randomBytes: bytes.bytes)
        editor = CatalogEditor(database: database, wallClock: clock)
    }

    /// Opens the store of the simulated environment.
    ///
    /// - Throws: ``StoreError`` if there is no such environment, which would be a mistake of the simulation.
    func store() async throws -> Store {
        guard let store = try await registry.store(named: Deployment.environmentName) else {
            throw StoreError(.malformed, Deployment.environmentName, "the simulated environment is not there")
        }
        return store
    }
}
