import AppStoreFormats
import Logging
import Perennial
import PerennialStorage
import Synchronization

/// The stores of a process: one for each environment, made when first asked for.
package final class StoreRegistry: Sendable {
    /// An environment's name is part of URLs.
    package static let maximumNameLength = 64

    private static let secretLength = 32

    package let database: Database
    package let catalog: CatalogCache
    /// Who may use the App Store Server API.
    package let serverAPIGate: ServerAPIGate
    private let signing: Signing
    private let memory = VerificationMemory()
    private let signedTransactions = SignedTransactionMemory()
    let wallClock: @Sendable () -> Instant
    private let randomBytes: @Sendable (Int) -> [UInt8]
    package let passwords: PasswordGate
    let notificationSender: (any NotificationSender)?
    let notificationSignal = NotificationSignal()
    private let turnPause: @Sendable () async throws -> Void
    private let leasePause: @Sendable () async throws -> Void
    private let overlapsRenewals: Bool
    private let logger: Logger
    private let stores = Mutex<[String: Store]>([:])
    /// From which number each seeded environment goes on in this process; where it is asked for at once, all wait for one.
    private let seededStarts = Mutex<[StoreEnvironment.ID: Task<Int64, any Error>]>([:])

    /// - Parameters:
    ///   - passwords: What judges them, where something else of this process has customers too; otherwise one of its own,
    ///     with `passwordCost`.
    ///   - turnPause: Waits a moment, while another node delivers, or moves the clock, for which this one waits.
    ///   - leasePause: Waits until a node that moves a clock has to extend its claim, which lasts ``ClockClaim/length``.
    ///   - overlapsRenewals: Whether the next renewals are decided while others are written. Numbers are taken in the same
    ///     order each time only where they aren't, which simulations need.
    package init(
        database: Database, signing: Signing, wallClock: @escaping @Sendable () -> Instant,
        randomBytes: @escaping @Sendable (Int) -> [UInt8], passwordCost: PasswordHash.Cost = .standard,
        passwords: PasswordGate? = nil, notificationSender: (any NotificationSender)? = nil,
        turnPause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(50)) },
        leasePause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(3)) },
        overlapsRenewals: Bool = true, logger: Logger
    ) {
        self.database = database
        self.catalog = CatalogCache(logger: logger)
        self.serverAPIGate = ServerAPIGate(database: database, wallClock: wallClock)
        self.signing = signing
        self.wallClock = wallClock
        self.randomBytes = randomBytes
        self.passwords = passwords ?? PasswordGate(cost: passwordCost, clock: wallClock)
        self.notificationSender = notificationSender
        self.turnPause = turnPause
        self.leasePause = leasePause
        self.overlapsRenewals = overlapsRenewals
        self.logger = logger
    }

    /// Makes the two environments that are always there, for a node that begins.
    package func prepare() async throws {
        try await database.write { [self] connection in
            for environment in [StoreEnvironment.production, .sandbox] {
                try EnvironmentsTable.insert(
                    environment, now: nil, firstID: Self.firstID(environment), secret: randomBytes(Self.secretLength),
                    on: connection)
            }
            // A file's only node begins: whoever held a claim or moved a clock before is gone, and isn't waited for.
            if database.engine == .sqlite {
                try NotificationClaimsTable.releaseAll(on: connection)
                try EnvironmentsTable.releaseClocks(on: connection)
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
            return Opened(environment: environment, secret: secret, seed: seed.map(EnvironmentSeed.init(number:)))
        }
        guard let found else { return nil }
        let source = try await found.seed?.source(from: seededStart(of: found.environment.id))
        return stores.withLock { stores in
            if let store = stores[name], store.environment.id == found.environment.id { return store }
            let store = Store(
                found.environment, secret: found.secret, database: database, catalog: catalog, signing: signing,
                memory: memory, signedTransactions: signedTransactions, wallClock: wallClock,
                randomBytes: source ?? randomBytes, passwords: passwords,
                notificationSender: notificationSender, notificationSignal: notificationSignal, turnPause: turnPause,
                leasePause: leasePause, overlapsRenewals: overlapsRenewals, logger: logger)
            stores[name] = store
            return store
        }
    }

    /// A store that was asked for before. Another node may have removed its environment since, and somebody made one of
    /// the same name.
    private func openStore(named name: String) async throws -> Store? {
        guard let store = stores.withLock({ $0[name] }) else { return nil }
        let id = store.environment.id
        if id.isPermanent { return store }
        let isThere = try await database.read { try EnvironmentsTable.named(name, on: $0)?.id == id }
        return isThere ? store : nil
    }

    /// What a store is made of that the database says.
    private struct Opened: Sendable {
        var environment: StoreEnvironment
        var secret: [UInt8]
        var seed: EnvironmentSeed?
    }

    /// A number that no opening of a seeded environment had before, by any node: a second one would hand out the first
    /// one's tokens. It counts once it is committed: a body may run again, and what it took before is taken back then.
    private func seededStart(of id: StoreEnvironment.ID) async throws -> Int64 {
        let start = seededStarts.withLock { starts in
            if let known = starts[id] { return known }
            let task = Task { [database] in
                try await database.write { try EnvironmentsTable.takeIDs(1, id, on: $0) }
            }
            starts[id] = task
            return task
        }
        do {
            return try await start.value
        } catch {
            // Whoever comes next tries again.
            seededStarts.withLock { starts in
                if starts[id] == start { starts[id] = nil }
            }
            throw error
        }
    }

    package func environments() async throws -> [StoreEnvironment] {
        try await database.read { try EnvironmentsTable.all(on: $0) }
    }

    /// Makes an environment of its own: clock, accounts and purchases.
    ///
    /// - Parameters:
    ///   - seed: Numbers and tokens follow from it: the same calls get the same answers, in any store. For tests, since
    ///     whoever knows the seed knows the tokens.
    ///   - billing: How its subscription time and billing run, of all apps.
    /// - Throws: ``StoreError`` `.environmentExists`, `.malformed`.
    package func makeEnvironment(
        _ name: String, kind: StoreEnvironment.Kind, clock: StoreEnvironment.Clock, now: Instant?,
        seed: Int64? = nil, billing: BillingSettings? = nil
    ) async throws -> StoreEnvironment {
        guard Self.isValid(name) else {
            throw StoreError(.malformed, "name", "letters, digits, - and _, at most \(Self.maximumNameLength)")
        }
        if let problem = billing?.problem {
            throw StoreError(.malformed, "billing.\(problem.field)", problem.reason)
        }
        guard clock == .manual || now == nil else {
            throw StoreError(.malformed, "now", "a real clock is the world's: now is for a manual one")
        }
        if let now { try signing.check(now, field: "now") }
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

    /// Removes an environment for good, with all that happened in it. Its numbers are nobody else's afterwards.
    ///
    /// - Throws: ``StoreError`` `.environmentNotFound`, `.environmentPermanent` for Production and Sandbox.
    package func removeEnvironment(_ name: String) async throws {
        let removed = try await database.write(patience: .long) { connection in
            try EnvironmentsTable.lock(.production, on: connection)
            guard let id = try EnvironmentsTable.named(name, on: connection)?.id else {
                throw StoreError(.environmentNotFound, name, "there is no environment of that name")
            }
            guard !id.isPermanent else {
                throw StoreError(.environmentPermanent, name, "it is always there; control/v1/reset empties it")
            }
            try EnvironmentsTable.lock(id, on: connection)
            try EnvironmentContents.erase(id, on: connection)
            try EnvironmentContents.eraseSettings(id, on: connection)
            try EnvironmentsTable.remove(id, on: connection)
            try AppsTable.touch(nil, on: connection)
            return id
        }
        stores.withLock { stores in
            if stores[name]?.environment.id == removed { stores[name] = nil }
        }
    }

    private static func isValid(_ name: String) -> Bool {
        (1...maximumNameLength).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45
                    || byte == 95
            }
    }

    /// How many numbers each further environment has before the next one's begin.
    private static let numbersApart: Int64 = 100_000_000_000

    /// Where numbers begin: as long as Apple's, told apart by their first digit, and different in each environment, so that
    /// one environment's receipt never names another's transaction.
    ///
    /// - Parameter place: How many environments' numbers lie before; as many as were made where left out.
    private static func firstID(_ environment: StoreEnvironment, place: Int64? = nil) -> Int64 {
        let made = max(environment.id.rawValue - StoreEnvironment.ID.sandbox.rawValue, 0)
        let further = (place ?? made) * numbersApart
        switch environment.kind {
        case .production: return 300_000_000_000_001 + further
        case .sandbox: return 2_000_000_000_000_001 + further
        }
    }
}
