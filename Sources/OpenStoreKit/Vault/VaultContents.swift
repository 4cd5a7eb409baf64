import Perennial

/// The signed data in the vault at one time. A copy is cheap and doesn't change.
package struct VaultContents: Sendable {
    /// The store's revision up to which the vault knows its changes; `nil` before the first answer.
    package internal(set) var revision: String?
    /// The store's last answer to a request for changes.
    private(set) var confirmation: StoreConfirmation?
    /// Latest time by the store's clock that this device came to since that answer; `nil` if none was noted.
    var latestTime: Instant?
    /// All transactions by purchase date, then ID.
    package private(set) var transactions = SharedList<VaultTransaction>()
    private var positions = PositionIndex()
    private var subscriptionsByID: [UInt64: VaultSubscription] = [:]
    /// Transactions finished on this device that the store doesn't know as finished yet, oldest first.
    package internal(set) var finishing: [UInt64] = []

    init() {}

    /// Time of the store's last answer to a request for changes, by the store's clock.
    package var confirmedAt: Instant? { confirmation?.storeTime }

    /// Returns the store's time at a time of the device's clock, from the clocks at the last answer.
    ///
    /// Never before that answer, nor before the latest time that was noted since: a clock that was set back changes nothing.
    func storeTime(at now: Instant) -> Instant {
        let estimate = confirmation.map { $0.storeTime + max(0, now - $0.deviceTime) } ?? now
        return max(estimate, latestTime ?? estimate)
    }

    /// Notes an answer of the store, whose clock counts from now on.
    mutating func confirm(_ answer: StoreConfirmation) {
        confirmation = answer
        latestTime = nil
    }

    // MARK: Transactions

    package func transaction(_ id: UInt64) -> VaultTransaction? {
        positions[id].map { transactions[$0] }
    }

    package func transactions(of productID: String) -> [VaultTransaction] {
        transactions.filter { $0.productID == productID }
    }

    /// The newest transaction of a product, also an expired or revoked one.
    package func latest(of productID: String) -> VaultTransaction? {
        transactions.last { $0.productID == productID }
    }

    /// Transactions that wait for the app, oldest first.
    package var unfinished: [VaultTransaction] {
        transactions.filter { !$0.isFinished && $0.revocationDate == nil }
    }

    /// Returns what a transaction from elsewhere adds to the known one of its ID; `nil` if it adds nothing.
    func merging(_ transaction: VaultTransaction) -> VaultTransaction? {
        guard let known = self.transaction(transaction.id) else { return transaction }
        guard known.purchaseDate == transaction.purchaseDate else { return nil }
        var newest = known.isVerified && known.signedDate >= transaction.signedDate ? known : transaction
        newest.isFinished = known.isFinished || transaction.isFinished
        return newest == known ? nil : newest
    }

    // MARK: Subscriptions

    /// All statuses by group, then original transaction ID.
    package var subscriptions: [VaultSubscription] {
        subscriptionsByID.values.sorted { ($0.groupID, $0.id) < ($1.groupID, $1.id) }
    }

    package func subscription(originalID: UInt64) -> VaultSubscription? {
        subscriptionsByID[originalID]
    }

    package func subscriptions(inGroup groupID: String) -> [VaultSubscription] {
        subscriptionsByID.values.filter { $0.groupID == groupID }.sorted { $0.id < $1.id }
    }

    // MARK: Entitlements

    /// Returns the transactions that entitle the customer at a time, by purchase date.
    ///
    /// Those are non-consumables, non-renewing subscriptions also after their end, which the app decides, and of each
    /// auto-renewable subscription the latest transaction while it is active or in its grace period. Revoked and upgraded ones
    /// and consumables never. Without a network a subscription ends with its period or grace period, also if the store has
    /// renewed it: this device can't know.
    ///
    /// Source: Apple, StoreKit documentation, "currentEntitlements".
    ///
    /// - Parameters:
    ///   - now: Time by the store's clock. One before the store's last answer counts as that answer's.
    ///   - includingUnverified: True for transactions whose signature wasn't verified, too.
    package func currentEntitlements(at now: Instant, includingUnverified: Bool = true) -> [VaultTransaction] {
        var entitlements: [VaultTransaction] = []
        var latest: [UInt64: Int] = [:]
        for (position, transaction) in transactions.enumerated() {
            guard transaction.isVerified || includingUnverified else { continue }
            switch transaction.kind {
            case .consumable, .other: continue
            case .nonConsumable, .nonRenewing:
                if transaction.revocationDate == nil { entitlements.append(transaction) }
            case .autoRenewable:
                // Later purchases come later in the list.
                if transaction.revocationDate == nil, !transaction.isUpgraded {
                    latest[transaction.originalID] = position
                }
            }
        }
        guard !latest.isEmpty else { return entitlements }
        let now = max(now, confirmedAt ?? now)
        entitlements += latest.values.map { transactions[$0] }.filter { isRunning($0, at: now) }
        return entitlements.sorted { ($0.purchaseDate, $0.id) < ($1.purchaseDate, $1.id) }
    }

    /// Returns the time up to which a subscription's transaction entitles the customer.
    package func end(of transaction: VaultTransaction) -> Instant? {
        let end = transaction.expirationDate
        guard let status = subscriptionsByID[transaction.originalID], status.isVerified || !transaction.isVerified,
            status.status == VaultSubscription.Status.inGracePeriod, let grace = status.gracePeriodExpirationDate
        else { return end }
        return end.map { max($0, grace) } ?? grace
    }

    private func isRunning(_ transaction: VaultTransaction, at now: Instant) -> Bool {
        if let status = subscriptionsByID[transaction.originalID], status.transactionID == transaction.id,
            status.status != VaultSubscription.Status.active,
            status.status != VaultSubscription.Status.inGracePeriod
        {
            // The store has ended this very period, whatever its date.
            return false
        }
        return end(of: transaction).map { now < $0 } ?? false
    }

    // MARK: Changes

    mutating func put(_ new: [VaultTransaction]) {
        // A vault that was read, or filled by the store's first answer.
        if transactions.isEmpty, new.count > 1, fill(with: new) { return }
        new.forEach { put($0) }
    }

    /// Fills an empty list. Returns false, and changes nothing, if the transactions aren't in order or an ID comes twice.
    private mutating func fill(with new: [VaultTransaction]) -> Bool {
        guard zip(new, new.dropFirst()).allSatisfy({ $0.isBefore($1) }) else { return false }
        var positions = PositionIndex()
        positions.set(new.enumerated().lazy.map { ($1.id, $0) }, reserving: new.count)
        guard positions.count == new.count else { return false }
        self.positions = positions
        new.forEach { transactions.append($0) }
        return true
    }

    mutating func put(_ transaction: VaultTransaction) {
        if let position = positions[transaction.id] {
            if transactions[position].purchaseDate == transaction.purchaseDate {
                transactions[position] = transaction
                return
            }
            remove([transaction.id])
        }
        guard let last = transactions.last, transaction.isBefore(last) else {
            positions.set(transactions.count, of: transaction.id)
            transactions.append(transaction)
            return
        }
        transactions.insert(transaction, at: insertionPosition(of: transaction))
        renumber()
    }

    mutating func put(_ subscription: VaultSubscription) {
        subscriptionsByID[subscription.id] = subscription
    }

    mutating func finish(_ id: UInt64) {
        if let position = positions[id] { transactions[position].isFinished = true }
    }

    mutating func remove(_ ids: Set<UInt64>) {
        guard !ids.isEmpty else { return }
        transactions.removeAll { ids.contains($0.id) }
        renumber()
    }

    mutating func removeSubscriptions(_ ids: Set<UInt64>) {
        for id in ids { subscriptionsByID[id] = nil }
    }

    private func insertionPosition(of transaction: VaultTransaction) -> Int {
        var (low, high) = (0, transactions.count)
        while low < high {
            let middle = (low + high) / 2
            if transactions[middle].isBefore(transaction) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func renumber() {
        positions = PositionIndex()
        positions.set(transactions.enumerated().lazy.map { ($1.id, $0) }, reserving: transactions.count)
    }
}

/// Time of an answer of the store, by both clocks.
struct StoreConfirmation: Sendable, Equatable {
    var storeTime: Instant
    var deviceTime: Instant
}

extension VaultTransaction {
    fileprivate func isBefore(_ other: VaultTransaction) -> Bool {
        (purchaseDate, id) < (other.purchaseDate, other.id)
    }
}
