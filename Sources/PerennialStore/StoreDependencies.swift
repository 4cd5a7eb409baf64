import Logging
import Perennial
import PerennialStorage

/// The parts of the process that its stores depend on.
package struct StoreDependencies: Sendable {
    package var database: Database
    package var signing: Signing
    /// Real time. Environments with a real clock run on it.
    package var wallClock: @Sendable () -> Instant
    /// Returns the clock that an environment's real time is read from; `nil` for ``wallClock``. Test sessions have
    /// their own.
    package var environmentClock: (@Sendable (StoreEnvironment) -> (@Sendable () -> Instant)?)?
    /// The source of tokens, salts and secrets: cryptographically secure in production.
    package var randomBytes: @Sendable (Int) -> [UInt8]
    /// Checks passwords and limits guesses.
    package var passwords: PasswordGate
    /// Sends notifications. Without it they are stored and not sent.
    package var notificationSender: (any NotificationSender)?
    /// Waits before the next look at a lease that another node holds.
    package var leasePollInterval: @Sendable () async throws -> Void
    /// Milliseconds of a clock that never goes back, by which nodes see that others have died; `nil` for ``wallClock``.
    package var elapsed: (@Sendable () -> Int64)?
    /// The clock behind ``wallClock``, to be corrected by the database server's; `nil` to leave it as it is.
    package var nodeClock: NodeClock?
    /// The description of this process among the nodes of its database.
    package var node = NodeDescription()
    /// True if the next batch of renewals is computed while the current one is written.
    ///
    /// IDs are allocated in the same order each time only without it, which simulations need.
    package var pipelinesRenewals: Bool
    package var limits: WorkLimits
    package var logger: Logger

    /// - Parameters:
    ///   - passwordCost: For a password gate of the stores' own.
    ///   - passwords: A gate that other parts of the process share.
    package init(
        database: Database, signing: Signing, wallClock: @escaping @Sendable () -> Instant,
        randomBytes: @escaping @Sendable (Int) -> [UInt8], passwordCost: PasswordHash.Cost = .standard,
        passwords: PasswordGate? = nil, notificationSender: (any NotificationSender)? = nil,
        leasePollInterval: @escaping @Sendable () async throws -> Void = {
            try await Task.sleep(for: .milliseconds(50))
        },
        pipelinesRenewals: Bool = true, limits: WorkLimits = WorkLimits(), logger: Logger
    ) {
        self.database = database
        self.signing = signing
        self.wallClock = wallClock
        self.randomBytes = randomBytes
        self.passwords = passwords ?? PasswordGate(cost: passwordCost, clock: wallClock)
        self.notificationSender = notificationSender
        self.leasePollInterval = leasePollInterval
        self.pipelinesRenewals = pipelinesRenewals
        self.limits = limits
        self.logger = logger
    }
}

/// State that all environments of a process share. The caches' capacities are limits for all environments together.
struct SharedResources: Sendable {
    let catalog: CatalogCache
    let verifiedReceipts = VerifyReceiptCache()
    let signedTransactions = SignedTransactionCache()
    let notificationSignal = NotificationSignal()
    let live: LiveFeed
    let nodes: NodeMembership
}

/// Limits on the work of one transaction. The next transaction does the rest, so results don't depend on them. Simulations
/// set low ones to cross them often.
package struct WorkLimits: Hashable, Sendable {
    /// The number of IDs that a node takes from the database at once.
    package var idBlockSize = IDAllocator.blockSize
    /// The number of times that a transaction that runs out of IDs gets a block of twice the size.
    package var maximumRefills = IDAllocator.maximumRefills
    /// The most due subscriptions in one transaction.
    package var renewalBatch = Renewals.batchSize
    /// The most steps, such as renewals, in one transaction.
    package var stepsInTransaction = Subscriptions.maximumStepsInTransaction
    /// The most steps of a late subscription in a transaction with another purpose.
    package var stepsBeside = Subscriptions.maximumStepsBeside
    /// The most journal entries in one transaction of roll-ups.
    package var rollUpBatch = RollUps.batchSize

    package init() {}
}
