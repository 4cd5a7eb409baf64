import AppStoreFormats
import Logging
import Perennial
import PerennialStorage

/// One environment's store: the use cases that sell, sign, verify and restore.
///
/// It holds nothing that a second process on the same database could contradict: the catalog is cached by revision, numbers
/// come in blocks that belong to whoever took them.
package final class Store: Sendable {
    package let environment: StoreEnvironment
    let database: Database
    let catalog: EnvironmentCatalog
    let clock: StoreClock
    let numbers: NumberSource
    let signing: Signing
    let secret: [UInt8]
    let seal: AccountSeal
    let memory: VerificationMemory
    let signedTransactions: SignedTransactionMemory
    let randomBytes: @Sendable (Int) -> [UInt8]
    let passwords: PasswordGate
    let notificationSender: (any NotificationSender)?
    let notificationSignal: NotificationSignal
    let turnPause: @Sendable () async throws -> Void
    let leasePause: @Sendable () async throws -> Void
    let overlapsRenewals: Bool
    let deliveryGate = DeliveryGate()
    let logger: Logger
    let runningTests = RunningTests()

    /// - Parameters:
    ///   - secret: What the environment's opaque values are sealed with.
    ///   - memory: What verifyReceipt remembers, for all environments of a process.
    ///   - signedTransactions: What was signed of transactions lately, for all environments of a process.
    ///   - wallClock: The world's time, for environments that run on it.
    ///   - randomBytes: Where tokens and salts come from: a cryptographically secure source in production.
    ///   - passwords: What judges customers' passwords, for all environments of a process.
    ///   - notificationSender: Where left out, notifications are kept and not sent.
    ///   - turnPause: Waits before it is looked again whether another node is done with an app's notifications, or with the clock.
    ///   - leasePause: Waits until a node that moves the clock has to say again that it does.
    ///   - overlapsRenewals: Whether the next renewals are decided while others are written.
    init(
        _ environment: StoreEnvironment, secret: [UInt8], database: Database, catalog: CatalogCache, signing: Signing,
        memory: VerificationMemory, signedTransactions: SignedTransactionMemory = SignedTransactionMemory(),
        wallClock: @escaping @Sendable () -> Instant, randomBytes: @escaping @Sendable (Int) -> [UInt8],
        passwords: PasswordGate, notificationSender: (any NotificationSender)? = nil,
        notificationSignal: NotificationSignal = NotificationSignal(),
        turnPause: @escaping @Sendable () async throws -> Void,
        leasePause: @escaping @Sendable () async throws -> Void, overlapsRenewals: Bool, logger: Logger
    ) {
        self.environment = environment
        self.database = database
        self.catalog = EnvironmentCatalog(cache: catalog, environment: environment)
        self.clock = StoreClock(environment, wallClock: wallClock)
        self.numbers = NumberSource(environment.id, database: database)
        self.signing = signing
        self.secret = secret
        self.seal = AccountSeal(secret: secret)
        self.memory = memory
        self.signedTransactions = signedTransactions
        self.randomBytes = randomBytes
        self.passwords = passwords
        self.notificationSender = notificationSender
        self.notificationSignal = notificationSignal
        self.turnPause = turnPause
        self.leasePause = leasePause
        self.overlapsRenewals = overlapsRenewals
        self.logger = logger
    }

    /// What the store's clock says.
    package func now() async throws -> Instant {
        try await database.read { [clock] in try clock.now(on: $0) }
    }

    /// An app by its bundle ID.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`.
    package func app(_ bundleID: App.BundleID) async throws -> App {
        try await database.read { [self] in try app(bundleID, on: $0).app }
    }

    /// Times that a write brings one of its subscriptions up to date, batch by batch, before it is refused.
    private static let maximumCatchUps = 3

    /// A change that takes numbers: all of it happens, or nothing.
    func write<Value: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> Value) async throws -> Value {
        var (refills, catchUps) = (0, 0)
        while true {
            do {
                let value = try await database.write(body)
                notificationSignal.tell()
                return value
            } catch is NumberSource.Exhausted {
                try Task.checkCancellation()
                refills += 1
                try await numbers.refill(attempt: refills)
            } catch let behind as FarBehind {
                guard catchUps < Self.maximumCatchUps else {
                    throw StorageError(.busy, "subscriptions", "\(behind.id) falls due faster than it is worked off")
                }
                catchUps += 1
                try await catchUp(behind)
            }
        }
    }

    /// An app by its bundle ID.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`.
    func app(_ bundleID: App.BundleID, on connection: any Connection) throws -> CatalogCache.Entry {
        guard let entry = try catalog.entry(bundleID, on: connection) else {
            throw StoreError(.appNotFound, bundleID.rawValue, "this store has no app with that bundle ID")
        }
        return entry
    }
}
