import AppStoreFormats
import Logging
import Perennial
import PerennialStorage

/// One environment's store, composed of its chapters. A chapter's properties name everything that it may touch.
///
/// Caches nothing that a second process on the same database could contradict: the catalog is cached by revision, and
/// IDs are allocated in blocks that belong to one process.
package final class Store: Sendable {
    package let environment: StoreEnvironment

    package let accounts: Accounts
    package let advancedCommerce: AdvancedCommerce
    package let analytics: Analytics
    package let askToBuy: AskToBuy
    package let clock: ClockControl
    package let credentials: Credentials
    package let downloads: Downloads
    package let explain: Explain
    package let extensions: Extensions
    package let families: Families
    package let finance: Finance
    package let history: History
    package let live: Live
    package let inspections: Inspections
    package let notifications: Notifications
    package let offers: Offers
    package let products: Products
    package let purchases: Purchases
    package let receipts: Receipts
    package let refunds: Refunds
    package let renewals: Renewals
    package let reports: Reports
    package let restores: Restores
    package let retention: Retention
    package let rollUps: RollUps
    /// The use cases of figures for pages, which don't wait for the roll-ups.
    package let rolledUp: RolledUp
    package let search: Search
    package let statistics: Statistics
    package let subscriptions: Subscriptions
    package let testers: Testers
    package let transactions: Transactions
    package let verification: Verification

    /// Returns the store of Sandbox.
    private let sandbox: @Sendable () async throws -> Store
    private let context: StoreContext

    /// - Parameter secret: Encrypts and authenticates the environment's opaque values.
    init(
        _ environment: StoreEnvironment, secret: [UInt8], _ dependencies: StoreDependencies, shared: SharedResources,
        sandbox: @escaping @Sendable () async throws -> Store
    ) {
        let context = StoreContext(environment, dependencies, shared)
        let (signing, randomBytes) = (dependencies.signing, dependencies.randomBytes)
        let cipher = ReceiptOwnerCipher(secret: secret)
        let outbox = NotificationOutbox(context: context, cipher: cipher)
        self.environment = environment
        self.sandbox = sandbox
        self.context = context

        credentials = Credentials(context: context)
        live = Live(context: context)
        transactions = Transactions(context: context)
        downloads = Downloads(context: context)
        accounts = Accounts(
            context: context, downloads: downloads, outbox: outbox, passwords: dependencies.passwords,
            randomBytes: randomBytes)
        subscriptions = Subscriptions(context: context, outbox: outbox, transactions: transactions)
        testers = Testers(context: context, subscriptions: subscriptions)

        families = Families(context: context, accounts: accounts, subscriptions: subscriptions)
        offers = Offers(context: context, randomBytes: randomBytes)
        products = Products(context: context, subscriptions: subscriptions)
        purchases = Purchases(
            context: context, outbox: outbox, accounts: accounts, offers: offers, subscriptions: subscriptions,
            transactions: transactions)
        askToBuy = AskToBuy(context: context, accounts: accounts, purchases: purchases)
        refunds = Refunds(
            context: context, outbox: outbox, subscriptions: subscriptions, transactions: transactions)
        advancedCommerce = AdvancedCommerce(
            context: context, refunds: refunds, subscriptions: subscriptions, transactions: transactions)
        extensions = Extensions(context: context, outbox: outbox, subscriptions: subscriptions)
        renewals = Renewals(
            context: context, outbox: outbox, subscriptions: subscriptions,
            isPipelined: dependencies.pipelinesRenewals)

        receipts = Receipts(
            context: context, subscriptions: subscriptions, signing: signing, cipher: cipher, randomBytes: randomBytes)
        history = History(
            context: context, credentials: credentials, receipts: receipts, transactions: transactions,
            signing: signing, cipher: cipher, cache: shared.signedTransactions)
        inspections = Inspections(context: context, signing: signing)
        restores = Restores(context: context, cipher: cipher)
        search = Search(context: context)
        verification = Verification(
            context: context, receipts: receipts, signing: signing, cipher: cipher, secret: secret,
            cache: shared.verifiedReceipts)
        retention = Retention(
            context: context, subscriptions: subscriptions, transactions: transactions, signing: signing,
            randomBytes: randomBytes)
        notifications = Notifications(
            context: context, outbox: outbox, receipts: receipts, signing: signing,
            sender: dependencies.notificationSender, leasePollInterval: dependencies.leasePollInterval)
        rollUps = RollUps(context: context)
        explain = Explain(context: context, rollUps: rollUps)
        reports = Reports(context: context, rollUps: rollUps, subscriberIDs: SubscriberIDs(secret: secret))
        finance = Finance(context: context, rollUps: rollUps)
        statistics = Statistics(context: context, rollUps: rollUps)
        rolledUp = RolledUp(context: context, rollUps: rollUps)
        analytics = Analytics(context: context, rollUps: rollUps, cipher: cipher, randomBytes: randomBytes)
        clock = ClockControl(
            context: context, extensions: extensions, notifications: notifications, products: products,
            renewals: renewals, signing: signing, leasePollInterval: dependencies.leasePollInterval)
    }

    /// Returns the time of the environment's clock.
    package func now() async throws -> Instant { try await clock.now() }

    /// Returns the time of the environment's clock in a transaction.
    package func now(on connection: any Connection) throws -> Instant { try context.clock.now(on: connection) }

    /// The environment's time if it runs on real time.
    package var realTimeNow: Instant? { context.clock.realTimeNow }

    /// The wall clock's time, by which everything expires that isn't commerce.
    package var wallClockNow: Instant { context.clock.wallClockNow }

    /// Returns the store whose accounts are the seller's sandbox testers: Sandbox for Production, otherwise this one.
    package func storeOfTesters() async throws -> Store {
        environment.kind == .production ? try await sandbox() : self
    }

    /// Returns an app by its bundle ID.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`.
    package func app(_ bundleID: App.BundleID) async throws -> App {
        try await context.database.read { [accounts] in try accounts.app(bundleID, on: $0).soldApp }
    }

    /// Empties the environment: accounts, devices, purchases, journal. Keeps catalog, keys and the clock's time. A running
    /// advance of the clock fails.
    ///
    /// Most of it is deleted in short transactions, beside the sales of other environments; the last one deletes the rest.
    package func reset() async throws {
        RequestDeadline.liftCurrent()
        // In a commit of its own, so that a running advance ends before its rows are locked.
        try await context.database.write { [environment] in
            try LeasesTable.revoke(ClockLease.key(of: environment), on: $0)
        }
        try await context.database.eraseInSlices(environment.id)
        try await context.database.write(timeout: .long) { [environment] in
            try EnvironmentContents.erase(environment.id, on: $0)
        }
    }
}
