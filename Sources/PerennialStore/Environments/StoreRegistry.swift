import AppStoreFormats
import Logging
import Perennial
import PerennialStorage
import Synchronization

/// The stores of a process: one for each environment, created on first use.
package final class StoreRegistry: Sendable {
    /// A limit on an environment's name, which is part of URLs.
    package static let maximumNameLength = 64

    private static let secretLength = 32

    package let catalog: CatalogCache
    /// Authenticates callers of the App Store Server API.
    package let apiKeyAuthenticator: APIKeyAuthenticator
    /// Authenticates callers of the App Store Connect API.
    package let connectAuthenticator: ConnectAuthenticator
    private let dependencies: StoreDependencies
    private let shared: SharedResources
    private let stores = Mutex<[String: OpenStore]>([:])
    /// The first ID of each seeded environment in this process. Concurrent callers wait for the same task.
    private let seededStarts = Mutex<[StoreEnvironment.ID: Task<Int64, any Error>]>([:])

    package init(_ dependencies: StoreDependencies) {
        self.dependencies = dependencies
        catalog = CatalogCache(logger: dependencies.logger)
        let wallClock = dependencies.wallClock
        shared = SharedResources(
            catalog: catalog, live: LiveFeed(database: dependencies.database),
            nodes: NodeMembership(
                database: dependencies.database, dependencies.node, wallClock: wallClock, clock: dependencies.nodeClock,
                elapsed: dependencies.elapsed ?? { wallClock().milliseconds }, logger: dependencies.logger))
        apiKeyAuthenticator = APIKeyAuthenticator(
            database: dependencies.database, wallClock: dependencies.wallClock)
        connectAuthenticator = ConnectAuthenticator(
            database: dependencies.database, wallClock: dependencies.wallClock)
    }

    package var database: Database { dependencies.database }
    package var passwords: PasswordGate { dependencies.passwords }
    package var wallClock: @Sendable () -> Instant { dependencies.wallClock }
    var sendsNotifications: Bool { dependencies.notificationSender != nil }
    var notificationSignal: NotificationSignal { shared.notificationSignal }
    /// The process among the nodes of its database.
    package var nodes: NodeMembership { shared.nodes }
    /// The events of this process as they happen.
    package var live: LiveFeed { shared.live }
    package var randomBytes: @Sendable (Int) -> [UInt8] { dependencies.randomBytes }

    /// Creates Production and Sandbox if they don't exist yet. Call it when a node starts.
    package func prepare() async throws {
        try await database.write { [self] connection in
            for environment in [StoreEnvironment.production, .sandbox] {
                try EnvironmentsTable.insert(
                    environment, now: nil, firstID: Self.firstID(environment), secret: randomBytes(Self.secretLength),
                    on: connection)
            }
            if let secret = try EnvironmentsTable.secret(of: .production, on: connection) {
                try Vendor.prepare(secret: secret, on: connection)
            }
            // SQLite has one node, which starts now: leases of an earlier process are void.
            if database.engine == .sqlite {
                try LeasesTable.removeAll(on: connection)
                try NodesTable.removeAll(on: connection)
            }
        }
    }

    package func store(named name: String) async throws -> Store? {
        if let store = try await openStore(named: name) { return store }
        guard Self.isValid(name) else { return nil }
        let found = try await database.read { connection -> Opened? in
            guard let environment = try EnvironmentsTable.named(name, on: connection),
                let secret = try EnvironmentsTable.secret(of: environment.id, on: connection)
            else { return nil }
            let seed = try EnvironmentsTable.seed(of: environment.id, on: connection)
            return Opened(
                environment: environment, secret: secret, seed: seed.map(EnvironmentSeed.init(number:)),
                era: connection.era)
        }
        guard let found else { return nil }
        var dependencies = self.dependencies
        if let seed = found.seed {
            dependencies.randomBytes = seed.source(from: try await seededStart(of: found.environment.id))
        }
        return stores.withLock { [dependencies] stores in
            if let open = stores[name], open.store.environment.id == found.environment.id,
                open.secret == found.secret
            {
                stores[name]?.era = found.era
                return open.store
            }
            let store = Store(found.environment, secret: found.secret, dependencies, shared: shared) { [weak self] in
                guard let store = try await self?.store(named: StoreEnvironment.sandbox.name) else {
                    throw StorageError(.corrupt, "environments", "there is no Sandbox")
                }
                return store
            }
            stores[name] = OpenStore(store: store, secret: found.secret, era: found.era)
            return store
        }
    }

    /// Returns a store that is open already. Checks that its environment still exists: another node may have removed it and
    /// created another one of the same name.
    private func openStore(named name: String) async throws -> Store? {
        guard let open = stores.withLock({ $0[name] }) else { return nil }
        let (store, id) = (open.store, open.store.environment.id)
        if id.isPermanent { return store }
        let exists = try await database.read { connection in
            // In another era it may be another environment under the same number.
            try open.era == connection.era && EnvironmentsTable.named(name, on: connection)?.id == id
        }
        return exists ? store : nil
    }

    /// The parts of a store that come from the database.
    private struct Opened: Sendable {
        var environment: StoreEnvironment
        var secret: [UInt8]
        var seed: EnvironmentSeed?
        var era: Int64
    }

    /// A store that is open, with what recognises its environment.
    private struct OpenStore: Sendable {
        var store: Store
        var secret: [UInt8]
        /// The era in which the environment was read last (`Database.era`).
        var era: Int64
    }

    /// Returns an ID that no earlier opening of a seeded environment had, on any node: otherwise two openings would issue
    /// the same tokens. It is allocated in a transaction of its own, which rolls back if it fails.
    private func seededStart(of id: StoreEnvironment.ID) async throws -> Int64 {
        let start = seededStarts.withLock { starts in
            if let known = starts[id] { return known }
            // Other requests wait for it as well.
            let task = RequestDeadline.$current.withValue(nil) {
                Task { [database] in try await database.write { try EnvironmentsTable.takeIDs(1, id, on: $0) } }
            }
            starts[id] = task
            return task
        }
        do {
            return try await start.value
        } catch {
            // The next caller tries again.
            seededStarts.withLock { starts in
                if starts[id] == start { starts[id] = nil }
            }
            throw error
        }
    }

    package func environments() async throws -> [StoreEnvironment] {
        try await database.read { try EnvironmentsTable.all(on: $0) }
    }

    /// Creates an environment with its own clock, accounts and purchases.
    ///
    /// - Parameters:
    ///   - seed: Makes IDs and tokens reproducible: the same calls get the same answers in any store. For tests only,
    ///     because tokens can be computed from the seed.
    ///   - billing: The billing settings of the environment for all apps.
    /// - Throws: ``StoreError`` `.environmentExists`, `.malformed`.
    package func makeEnvironment(
        _ name: String, kind: StoreEnvironment.Kind, clock: StoreEnvironment.Clock, now: Instant?,
        seed: Int64? = nil, billing: BillingSettings? = nil
    ) async throws -> StoreEnvironment {
        guard Self.isValid(name), name.utf8.first != UInt8(ascii: "-") else {
            throw StoreError(
                .malformed, "name",
                "letters, digits, - and _, at most \(Self.maximumNameLength), and no - at the beginning")
        }
        if let problem = billing?.problem {
            throw StoreError(.malformed, "billing.\(problem.field)", problem.reason)
        }
        guard clock == .manual || now == nil else {
            throw StoreError(.malformed, "now", "a real clock is the world's: now is for a manual one")
        }
        if let now { try dependencies.signing.check(now, field: "now") }
        let seeded = seed.map(EnvironmentSeed.init(number:))
        let start = clock == .manual ? now ?? wallClock().wholeSeconds : nil
        return try await database.write { [self] connection in
            try EnvironmentsTable.lock(.production, on: connection)
            guard try EnvironmentsTable.named(name, on: connection) == nil else {
                throw StoreError(.environmentExists, name, "an environment of that name is there already")
            }
            let id = StoreEnvironment.ID(rawValue: try EnvironmentsTable.nextID(on: connection))
            let environment = StoreEnvironment(id: id, name: name, kind: kind, clock: clock)
            try EnvironmentsTable.insert(
                environment, now: start, firstID: Self.firstID(environment, place: seeded?.place),
                secret: seeded?.secret ?? randomBytes(Self.secretLength), seed: seed, on: connection)
            if let billing {
                try EnvironmentSettingsTable.put(
                    EnvironmentSettings(billing: billing), app: EnvironmentSettingsTable.allApps, id, on: connection)
                try AppsTable.touch(nil, on: connection)
            }
            return environment
        }
    }

    /// Removes an environment for good, with all its data. Its IDs are never used again.
    ///
    /// Most of its data is deleted in short transactions, beside other environments' sales; the last one removes the
    /// environment with the rest.
    /// - Throws: ``StoreError`` `.environmentNotFound`, `.environmentPermanent` for Production and Sandbox.
    package func removeEnvironment(_ name: String) async throws {
        RequestDeadline.liftCurrent()
        let id = try await database.read { try Self.removable(name, on: $0) }
        // In a commit of its own: workers lock their lease before the environment.
        try await database.write { try LeasesTable.removeAll(of: id, on: $0) }
        try await database.eraseInSlices(id, withSettings: true)
        let removed = try await database.write(timeout: .long) { connection in
            try EnvironmentsTable.lock(.production, on: connection)
            let id = try Self.removable(name, on: connection)
            try EnvironmentsTable.lock(id, on: connection)
            try EnvironmentContents.erase(id, changesCatalog: true, on: connection)
            try EnvironmentContents.eraseSettings(id, on: connection)
            try EnvironmentsTable.remove(id, on: connection)
            try AppsTable.touch(nil, on: connection)
            return id
        }
        stores.withLock { stores in
            if stores[name]?.store.environment.id == removed { stores[name] = nil }
        }
    }

    private static func removable(_ name: String, on connection: any Connection) throws -> StoreEnvironment.ID {
        guard let id = try EnvironmentsTable.named(name, on: connection)?.id else {
            throw StoreError(.environmentNotFound, name, "there is no environment of that name")
        }
        guard !id.isPermanent else {
            throw StoreError(.environmentPermanent, name, "it is always there; a reset empties it")
        }
        return id
    }

    /// Returns true for a name that an environment may have. A new one doesn't begin with `-` either: a command line would
    /// take it for an option.
    private static func isValid(_ name: String) -> Bool {
        (1...maximumNameLength).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45
                    || byte == 95
            }
    }

    /// The size of each further environment's ID range.
    private static let numbersApart: Int64 = 100_000_000_000

    /// Returns the first ID of an environment. IDs are as long as Apple's, differ by environment kind in their first digit,
    /// and by environment, so that one environment's receipt never names another's transaction.
    ///
    /// - Parameter place: The number of ID ranges before this one; by default one for each environment created before.
    private static func firstID(_ environment: StoreEnvironment, place: Int64? = nil) -> Int64 {
        let made = max(environment.id.rawValue - StoreEnvironment.ID.sandbox.rawValue, 0)
        let further = (place ?? made) * numbersApart
        switch environment.kind {
        case .production: return 300_000_000_000_001 + further
        case .sandbox, .xcode: return 2_000_000_000_000_001 + further
        }
    }
}
