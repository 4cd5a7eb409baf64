import AppStoreFormats
import Foundation
import Logging
import Perennial
import PerennialStorage
import PerennialStore

/// A store with the catalog of ``TestCatalog`` and a clock that the test advances.
package struct TestStore: Sendable {
    /// The instant at which every test store opens: 1 January 2026, with a fraction of a second.
    package static let opening = Instant(milliseconds: 1_767_225_600_789)
    package static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    package let registry: StoreRegistry
    package let store: Store
    package let clock: TestClock

    package var database: Database { registry.database }

    /// - Parameters:
    ///   - name: The name of a permanent environment.
    ///   - signing: The signing keys; by default those that all tests share.
    ///   - sender: The sender of notifications; by default none are sent.
    package static func make(
        on engine: Engine = .sqliteInMemory, _ name: String = "Sandbox", app: App = TestCatalog.magazine(),
        beside others: [App] = [TestCatalog.camera], signing: Signing? = nil, sender: (any NotificationSender)? = nil,
        pipelinesRenewals: Bool = true,
        faults: (@Sendable (FaultPoint) throws -> Void)? = nil,
        leasePollInterval: @escaping @Sendable (TestClock) async throws -> Void = { _ in await Task.yield() },
        logger: Logger = quiet
    ) async throws -> TestStore {
        var options = DatabaseOptions.forTests
        options.faults = faults
        // Tests of faults may count all commits.
        let made = faults == nil ? try await RegisteredApps.database(of: [app] + others, on: engine) : nil
        let database = try made?.template.copy(options) ?? engine.makeDatabase(options: options)
        return try await open(
            database, name, signing, sender, seed: 1, migrations: Migration.all.count,
            pipelinesRenewals: pipelinesRenewals, leasePollInterval: leasePollInterval, logger: logger
        ) { clock, random in
            if let made {
                _ = random.bytes(made.randomBytes)
            } else {
                try await RegisteredApps.register([app] + others, in: database, clock, random.bytes)
            }
        }
    }

    /// Opens a node on a database, which other nodes may share.
    ///
    /// - Parameters:
    ///   - migrations: The number of migrations that the node's program pretends to know.
    ///   - leasePollInterval: The pause between attempts to acquire another node's lease.
    package static func open(
        _ database: Database, _ name: String = "Sandbox", app: App = TestCatalog.magazine(),
        beside others: [App] = [TestCatalog.camera], signing: Signing? = nil,
        sender: (any NotificationSender)? = nil, seed: UInt64 = 1, migrations: Int = Migration.all.count,
        pipelinesRenewals: Bool = true,
        leasePollInterval: @escaping @Sendable (TestClock) async throws -> Void = { _ in await Task.yield() },
        logger: Logger = quiet
    ) async throws -> TestStore {
        try await open(
            database, name, signing, sender, seed: seed, migrations: migrations, pipelinesRenewals: pipelinesRenewals,
            leasePollInterval: leasePollInterval, logger: logger
        ) { clock, random in
            try await RegisteredApps.register([app] + others, in: database, clock, random.bytes)
        }
    }

    /// Opens a store on a copy of another one's database, whose apps it has.
    ///
    /// - Parameter seed: Not that of the other one, which has drawn its tokens.
    package static func reopen(_ database: Database, seed: UInt64) async throws -> TestStore {
        try await open(
            database, "Sandbox", nil, nil, seed: seed, migrations: Migration.all.count, pipelinesRenewals: true,
            leasePollInterval: { _ in await Task.yield() }, logger: quiet
        ) { _, _ in }
    }

    /// - Parameter register: Makes the apps part of the database.
    private static func open(
        _ database: Database, _ name: String, _ signing: Signing?, _ sender: (any NotificationSender)?, seed: UInt64,
        migrations: Int, pipelinesRenewals: Bool,
        leasePollInterval: @escaping @Sendable (TestClock) async throws -> Void, logger: Logger,
        _ register: (TestClock, SeededBytes) async throws -> Void
    ) async throws -> TestStore {
        let clock = TestClock(opening)
        let random = SeededBytes(seed: seed)
        var dependencies = StoreDependencies(
            database: database, signing: try signing ?? TestSigning.shared, wallClock: { clock.now },
            randomBytes: random.bytes, passwordCost: .init(rounds: 16, blockSize: 1, parallelism: 1),
            notificationSender: sender, leasePollInterval: { try await leasePollInterval(clock) },
            pipelinesRenewals: pipelinesRenewals, logger: logger)
        dependencies.node = NodeDescription(migrations: migrations)
        let registry = StoreRegistry(dependencies)
        try await registry.prepare()
        // Now, so that no commit that a test counts is this one.
        try await registry.nodes.register()
        try await register(clock, random)
        return try await TestStore(registry: registry, name, clock)
    }

    private init(registry: StoreRegistry, _ name: String, _ clock: TestClock) async throws {
        guard let store = try await registry.store(named: name) else { throw Missing(what: "environment \(name)") }
        (self.registry, self.store, self.clock) = (registry, store, clock)
    }

    /// Passes time on some nodes, which beat and divide the work twice a second.
    package static func pass(_ milliseconds: Int64, on nodes: [TestStore]) async throws {
        for _ in 0..<milliseconds / 500 {
            for node in nodes {
                node.clock.advance(by: 500)
                try await node.registry.nodes.beat()
                try await node.registry.divideWork()
            }
        }
    }

    /// Returns another environment of the same store.
    package func environment(_ name: String) async throws -> TestStore {
        try await TestStore(registry: registry, name, clock)
    }

    package struct Missing: Error, CustomStringConvertible {
        package let what: String
        package init(what: String) { self.what = what }
        package var description: String { "there is no \(what)" }
    }
}

/// A device with a fixed identifier.
package enum TestDevice: String, Sendable, CaseIterable {
    case phone, tablet, watch

    package var uuid: UUID {
        switch self {
        case .phone: UUID(uuid: (0xA1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
        case .tablet: UUID(uuid: (0xB2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
        case .watch: UUID(uuid: (0xC3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
        }
    }

    /// The identifier in upper case, as the store keeps it.
    package var id: String { uuid.uuidString }

    /// The bytes of the identifier, an input of the device hash of receipts.
    package var identifier: [UInt8] { withUnsafeBytes(of: uuid.uuid) { Array($0) } }
}
