import Logging
import Perennial
import PerennialStorage

/// The seller's own server: lists products, verifies receipts, grants and delivers content, keeps non-renewing terms.
///
/// It keeps nothing in the process that a second process could contradict.
package struct Delivery: Sendable {
    /// How long a grant opens content, in milliseconds (delivery/v1).
    package static let grantLifetime: Int64 = .hours(1)
    /// How long a customer stays signed in, in milliseconds.
    package static let sessionLifetime: Int64 = .days(30)

    let database: Database
    let catalog: @Sendable () -> DeliveryCatalog
    let library: ContentLibrary
    let verification: any ReceiptVerifying
    let notificationTrust: NotificationTrust?
    /// Whose receipts are welcome.
    let environments: Set<StoreEnvironment.Kind>
    let clock: @Sendable () -> Instant
    /// By which purchases are judged.
    let storeTime: StoreTime
    let deliveryLog: DeliveryLog
    let randomBytes: @Sendable (Int) -> [UInt8]
    let passwords: PasswordGate
    let logger: Logger

    /// - Parameters:
    ///   - database: Migrated, with the tables of ``DeliverySchema``.
    ///   - catalog: Asked anew for each request, so that a change needs no restart.
    ///   - notificationTrust: Whose server notifications are believed; without it nobody's.
    ///   - environments: Whose receipts are welcome. Anybody can buy in a Sandbox, without paying.
    ///   - clock: This machine's.
    ///   - storeTime: Who says what time it is at the store.
    ///   - passwords: What judges them, where a store in this process has customers too; otherwise one of its own, with
    ///     `passwordCost`.
    ///   - randomBytes: So many bytes that nobody can guess: tokens and salts are made of them.
    package init(
        database: Database, catalog: @escaping @Sendable () -> DeliveryCatalog, library: ContentLibrary,
        verification: any ReceiptVerifying, notificationTrust: NotificationTrust? = nil,
        environments: Set<StoreEnvironment.Kind> = Set(StoreEnvironment.Kind.allCases),
        clock: @escaping @Sendable () -> Instant, storeTime: StoreTime.Source = .world,
        randomBytes: @escaping @Sendable (Int) -> [UInt8], passwordCost: PasswordHash.Cost = .standard,
        passwords: PasswordGate? = nil, logger: Logger
    ) {
        self.database = database
        self.catalog = catalog
        self.library = library
        self.verification = verification
        self.notificationTrust = notificationTrust
        self.environments = environments
        self.clock = clock
        self.storeTime = StoreTime(storeTime, world: clock)
        self.deliveryLog = DeliveryLog()
        self.randomBytes = randomBytes
        self.passwords = passwords ?? PasswordGate(cost: passwordCost, clock: clock)
        self.logger = logger
    }

    /// Tells the operator of a content that can't be delivered.
    func reportMissing(_ content: Content, _ error: any Error) {
        logger.error("A content file is missing.", metadata: ["content": "\(content.id)", "error": "\(error)"])
    }
}
