import AppStoreFormats
import Foundation
import Perennial

extension PurchaseVault {
    /// Applies signed data of the store in one write. Keeps it in memory if it can't be written, and writes it with the next.
    ///
    /// Of a page with replayed data only what is newer is taken, and the vault stays at its revision and time: its list is an earlier
    /// one, which would also remove what was bought since. ``VaultDelta/replayed`` says so.
    ///
    /// - Returns: The differences, for listeners, with those that other processes have made.
    /// - Throws: ``FileError`` if the vault can't be read now; ``OutdatedChanges``, with nothing changed.
    @discardableResult
    package func apply(_ changes: VaultChanges) throws -> VaultDelta {
        try change(.lenient) { storage in
            if let base = changes.base, !base.isBase(of: storage.state) { throw OutdatedChanges() }
            var merge = VaultMerge(storage.state, isPage: changes.revision != nil, at: dependencies.now())
            changes.transactions.forEach { merge.add($0) }
            changes.subscriptions.forEach { merge.add($0) }
            merge.confirmImported()
            guard merge.delta.replayed.isEmpty else { return Self.outcome(of: merge, &storage) }
            if changes.isComplete {
                // A purchase that was stored since the request isn't in its answer.
                storage.listing = VaultListing(changes.base?.contents ?? storage.state.contents)
            }
            storage.listing?.mention(
                merge.patch, unchanged: merge.unchanged, unchangedSubscriptions: merge.unchangedSubscriptions)
            if let revision = changes.revision {
                if changes.hasMore, storage.listing != nil {
                    storage.listing?.revision = revision
                    merge.patch.revision = .set(nil)
                } else {
                    // The revision of a list's earlier page is in memory only.
                    let isNew = storage.listing != nil || storage.state.contents.revision != revision
                    if isNew { merge.patch.revision = .set(revision) }
                    if let listing = storage.listing { merge.finish(listing) }
                    storage.listing = nil
                }
            }
            confirm(changes.confirmedAt, isComplete: changes.isComplete, &storage, &merge.patch)
            return Self.outcome(of: merge, &storage)
        }
    }

    /// Returns the patch of a merge, and its differences with those of other processes.
    private static func outcome(of merge: VaultMerge, _ storage: inout Storage) -> (VaultPatch, VaultDelta) {
        var delta = storage.news
        storage.news = VaultDelta()
        delta.add(merge.delta)
        return (merge.patch, delta)
    }

    /// Minimum milliseconds between two writes of nothing but the store's time.
    static let confirmationInterval = Int64.minutes(15)

    /// Notes the time of an answer, on disk with other changes, after ``confirmationInterval``, or in place of a later time that was
    /// noted by the device's clock. A time before that of an earlier answer counts only with a whole list, as of a store that was emptied:
    /// otherwise a proxy that repeats an answer would extend what has ended.
    private func confirm(
        _ time: Instant?, isComplete: Bool, _ storage: inout Storage, _ patch: inout VaultPatch
    ) {
        guard let time else { return }
        if !isComplete, let known = storage.state.contents.confirmedAt, time < known { return }
        let confirmation = StoreConfirmation(storeTime: time, deviceTime: dependencies.now())
        let replacesTime = storage.state.contents.latestTime != nil
        storage.state.contents.confirm(confirmation)
        let age = storage.writtenConfirmation.map { time - $0.storeTime } ?? .max
        if !patch.isEmpty || replacesTime || age < 0 || age >= Self.confirmationInterval {
            patch.confirmation = confirmation
        }
    }

    /// Marks a transaction as finished. It stays in `contents.finishing` until the store knows it.
    ///
    /// - Throws: ``FileError`` if the vault can't be read now.
    @discardableResult
    package func finish(_ id: UInt64) throws -> VaultDelta {
        try change(.lenient) { storage in
            guard let transaction = storage.state.contents.transaction(id), !transaction.isFinished else {
                return (VaultPatch(), VaultDelta())
            }
            var patch = VaultPatch()
            patch.finishing = [id]
            var delta = VaultDelta()
            delta.finished = [id]
            return (patch, delta)
        }
    }

    /// Records that the store knows a transaction as finished.
    package func acknowledgeFinish(_ id: UInt64) {
        try? change(.lenient) { storage in
            var patch = VaultPatch()
            if storage.state.contents.finishing.contains(id) { patch.acknowledged = [id] }
            return (patch, ())
        }
    }
}

/// The differences between the vault and signed data of the store.
///
/// Data that was signed before the known isn't taken. In a page of changes, which says what is newest, it is a replay if it says
/// something else: a proxy has repeated an earlier answer. The answer of a purchase may be late.
private struct VaultMerge {
    private let contents: VaultContents
    private let needsRebuild: Bool
    /// True for a page of changes.
    private let isPage: Bool
    /// Time by the store's clock; `nil` if the store never told it.
    private let time: Instant?
    /// Transactions of a backup that wait for the store's word on whether they are finished.
    private let unconfirmed: Set<UInt64>
    private var confirmed: Set<UInt64> = []
    private var seen: [UInt64: VaultTransaction] = [:]
    var patch = VaultPatch()
    var delta = VaultDelta()
    private(set) var unchanged: [UInt64] = []
    private(set) var unchangedSubscriptions: [UInt64] = []

    /// - Parameter now: Time by the device's clock.
    init(_ state: VaultState, isPage: Bool, at now: Instant) {
        contents = state.contents
        needsRebuild = state.needsRebuild
        unconfirmed = state.unconfirmed
        self.isPage = isPage
        self.time = contents.confirmedAt == nil ? nil : contents.storeTime(at: now)
    }

    mutating func add(_ change: VaultChanges.Transaction) {
        guard
            var new = VaultTransaction(change)
        else {
            delta.rejected.append(change.signed)
            return
        }
        let known = (seen[new.id] ?? contents.transaction(new.id)).flatMap {
            $0.purchaseDate == new.purchaseDate && $0.productID == new.productID ? $0 : nil
        }
        if change.isFinished, contents.finishing.contains(new.id) { patch.acknowledged.append(new.id) }
        guard let known else { return insert(new) }
        // Another device or an older answer doesn't undo it.
        new.isFinished = new.isFinished || known.isFinished
        if new.isReplay(of: known) {
            if isPage, !new.hasSameFacts(as: known) { delta.replayed.append(new.id) }
            var kept = known
            kept.isFinished = new.isFinished
            new = kept
        }
        if !known.isFinished, new.isFinished { delta.finished.append(new.id) }
        if unconfirmed.contains(new.id), confirmed.insert(new.id).inserted, !new.isFinished {
            // News: now it can be delivered.
            delta.added.append(new)
            guard new != known else { return unchanged.append(new.id) }
            return put(new)
        }
        guard new != known else { return unchanged.append(new.id) }
        if new.isVerified != known.isVerified || !new.hasSameFacts(as: known) { delta.changed.append(new) }
        put(new)
    }

    private mutating func insert(_ new: VaultTransaction) {
        // Another purchase had the ID in a backup.
        if unconfirmed.contains(new.id) { confirmed.insert(new.id) }
        if contents.transaction(new.id) != nil, seen[new.id] == nil {
            // The same ID in a store that was emptied.
            delta.removed.append(new.id)
            if contents.finishing.contains(new.id) { patch.acknowledged.append(new.id) }
        }
        delta.added.append(new)
        put(new)
    }

    /// Ends the wait of the transactions that the store has listed.
    mutating func confirmImported() {
        guard !confirmed.isEmpty else { return }
        patch.documents.append(.init(unconfirmed: unconfirmed.subtracting(confirmed)))
    }

    private mutating func put(_ new: VaultTransaction) {
        seen[new.id] = new
        patch.transactions.append(new)
    }

    mutating func add(_ change: VaultChanges.Subscription) {
        guard let new = VaultSubscription(change, at: time) else {
            delta.rejected.append(change.signedRenewalInfo)
            return
        }
        let known = contents.subscription(originalID: new.id)
        guard new != known, isPage || known.map(new.isOlder(than:)) != true else {
            return unchangedSubscriptions.append(new.id)
        }
        if let known, isPage, new.isReplay(of: known) {
            if !new.hasSameFacts(as: known) { delta.replayed.append(new.id) }
            return unchangedSubscriptions.append(new.id)
        }
        patch.subscriptions.append(new)
        if known.map({ !new.hasSameFacts(as: $0) }) ?? true { delta.subscriptions.append(new) }
    }

    /// Removes what a complete list didn't mention.
    mutating func finish(_ listing: VaultListing) {
        delta.removed += listing.transactions.sorted()
        delta.removedSubscriptions += listing.subscriptions.sorted()
        patch.removedTransactions = listing.transactions.sorted()
        patch.removedSubscriptions = listing.subscriptions.sorted()
        patch.acknowledged += contents.finishing.filter(listing.transactions.contains)
        if needsRebuild { patch.needsRebuild = false }
    }
}
