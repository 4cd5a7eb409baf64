import Logging
import Perennial
import PerennialStorage

/// The parts of an environment's store that every chapter works with.
///
/// A chapter that needs more, such as signing keys or another chapter, declares it as a property of its own.
final class StoreContext: Sendable {
    let environment: StoreEnvironment
    let database: Database
    let catalog: EnvironmentCatalog
    let clock: StoreClock
    let ids: IDAllocator
    let limits: WorkLimits
    let notificationSignal: NotificationSignal
    let live: LiveFeed
    let nodes: NodeMembership
    let logger: Logger

    init(_ environment: StoreEnvironment, _ dependencies: StoreDependencies, _ shared: SharedResources) {
        self.environment = environment
        database = dependencies.database
        catalog = EnvironmentCatalog(cache: shared.catalog, environment: environment)
        clock = StoreClock(
            environment, wallClock: dependencies.environmentClock?(environment) ?? dependencies.wallClock)
        ids = IDAllocator(environment.id, database: dependencies.database, dependencies.limits)
        limits = dependencies.limits
        notificationSignal = shared.notificationSignal
        live = shared.live
        nodes = shared.nodes
        logger = dependencies.logger
    }

    /// Runs a transaction that may allocate IDs. Runs it again with a new block of them if it ran out.
    ///
    /// Transactions that bring subscriptions up to date use ``Subscriptions/write(_:)`` instead.
    ///
    /// - Parameter announced: The statements that the body will ask first, as far as they are known.
    func write<Value: Sendable>(
        announcing announced: [AnnouncedRead] = [], _ body: @escaping @Sendable (any Connection) throws -> Value
    ) async throws -> Value {
        var refills = 0
        while true {
            do {
                let value = try await database.write(announcing: announced, body)
                notificationSignal.flush()
                return value
            } catch is IDAllocator.BlockExhausted {
                try Task.checkCancellation()
                refills += 1
                try await ids.refill(attempt: refills)
            }
        }
    }
}

/// A chapter of the store: the use cases of one topic. Its properties name the parts of the store that they may touch.
protocol StoreChapter: Sendable {
    var context: StoreContext { get }
}

extension StoreChapter {
    var environment: StoreEnvironment { context.environment }
    var database: Database { context.database }
    var catalog: EnvironmentCatalog { context.catalog }
    var clock: StoreClock { context.clock }
    var ids: IDAllocator { context.ids }
    var limits: WorkLimits { context.limits }
    var logger: Logger { context.logger }

    /// Returns the time of the environment's clock.
    func now() async throws -> Instant {
        try await database.read { [clock] in try clock.now(on: $0) }
    }

    /// Returns an app by its bundle ID.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`.
    func app(_ bundleID: App.BundleID, on connection: any Connection) throws -> CatalogCache.Entry {
        guard let entry = try catalog.entry(bundleID, on: connection) else {
            throw StoreError(.appNotFound, bundleID.rawValue, "this store has no app with that bundle ID")
        }
        return entry
    }

    /// Returns the key of an account's rows in an app.
    func customerKey(of account: Account.ID, in app: App) -> CustomerKey {
        CustomerKey(environment: environment.id, app: app.appleID, account: account)
    }

    /// Returns the key of an app's rows in this environment.
    func key(of app: App) -> AppKey { AppKey(environment: environment.id.rawValue, app: app.appleID) }
}
