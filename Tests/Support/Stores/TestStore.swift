import AppStoreFormats
import Foundation
import Logging
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore

/// A store with the catalog of ``TestCatalog``, in an environment whose time the test moves.
package struct TestStore: Sendable {
    /// When all test stores open: a winter day, with a fraction of a second.
    package static let opening = Instant(milliseconds: 1_767_225_600_789)
    package static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    package let registry: StoreRegistry
    package let store: Store
    package let clock: TestClock

    package var database: Database { registry.database }

    /// - Parameters:
    ///   - name: An environment that is always there.
    ///   - signing: The keys that all tests share where left out.
    ///   - sender: Where notifications go; where left out, none are sent.
    package static func make(
        on engine: Engine = .sqliteInMemory, _ name: String = "Sandbox", app: App = TestCatalog.magazine(),
        signing: Signing? = nil, sender: (any NotificationSender)? = nil, overlapsRenewals: Bool = true,
        faults: (@Sendable (FaultPoint) throws -> Void)? = nil,
        turnPause: @escaping @Sendable (TestClock) async throws -> Void = { _ in await Task.yield() }
    ) async throws -> TestStore {
        var options = DatabaseOptions.forTests
        options.faults = faults
        return try await open(
            engine.makeDatabase(options: options), name, app: app, signing: signing, sender: sender,
            overlapsRenewals: overlapsRenewals, turnPause: turnPause)
    }

    /// A node on a database that may serve other nodes too.
    ///
    /// - Parameter turnPause: What it does while it waits for another node's turn to end.
    package static func open(
        _ database: Database, _ name: String = "Sandbox", app: App = TestCatalog.magazine(), signing: Signing? = nil,
        sender: (any NotificationSender)? = nil, seed: UInt64 = 1, overlapsRenewals: Bool = true,
        turnPause: @escaping @Sendable (TestClock) async throws -> Void = { _ in await Task.yield() }
    ) async throws -> TestStore {
        let clock = TestClock(opening)
        let random = SeededBytes(seed: seed)
        let registry = StoreRegistry(
            database: database, signing: try signing ?? TestSigning.shared, wallClock: { clock.now },
            randomBytes: random.bytes, passwordCost: .init(rounds: 16, blockSize: 1, parallelism: 1),
            notificationSender: sender, turnPause: { try await turnPause(clock) },
            overlapsRenewals: overlapsRenewals, logger: quiet)
        try await registry.prepare()
        let apps = Apps(database: database, randomBytes: random.bytes)
        try await apps.register(app, sharedSecret: TestCatalog.sharedSecret)
        try await apps.register(TestCatalog.camera, sharedSecret: nil)
        return try await TestStore(registry: registry, name, clock)
    }

    private init(registry: StoreRegistry, _ name: String, _ clock: TestClock) async throws {
        guard let store = try await registry.store(named: name) else { throw Missing(what: "environment \(name)") }
        (self.registry, self.store, self.clock) = (registry, store, clock)
    }

    /// The same house, another environment.
    package func environment(_ name: String) async throws -> TestStore {
        try await TestStore(registry: registry, name, clock)
    }

    package struct Missing: Error, CustomStringConvertible {
        package let what: String
        package init(what: String) { self.what = what }
        package var description: String { "there is no \(what)" }
    }
}

/// A device by a name that a test can read.
package enum TestDevice: String, Sendable, CaseIterable {
    case phone, tablet, watch

    package var uuid: UUID {
        switch self {
        case .phone: UUID(uuid: (0xA1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
        case .tablet: UUID(uuid: (0xB2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
        case .watch: UUID(uuid: (0xC3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
        }
    }

    /// As a store keeps it: in upper case.
    package var id: String { uuid.uuidString }

    /// What the device hash of receipts is computed over.
    package var identifier: [UInt8] { withUnsafeBytes(of: uuid.uuid) { Array($0) } }
}
