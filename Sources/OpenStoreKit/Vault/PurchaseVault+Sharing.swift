extension PurchaseVault.Storage {
    /// Goes on with a complete list that another process's write has interrupted, unless that one has the end of a list.
    mutating func continueListing(of earlier: PurchaseVault.Storage) {
        guard let listing = earlier.listing, state.contents.revision == nil else { return }
        self.listing = listing
        // The revision of a list's earlier page is in memory only.
        state.contents.revision = listing.revision
    }

    /// Puts what the earlier state has in memory only on the one of another process. The next write contains it.
    mutating func keepUnsaved(of earlier: PurchaseVault.Storage) {
        let patch = earlier.unsaved.patch(of: earlier.state, onto: state)
        guard !patch.isEmpty else { return }
        state.apply(patch)
        unsaved = earlier.unsaved
        log?.requireSnapshot()
    }
}

extension VaultDelta {
    /// Adds later differences.
    mutating func add(_ later: VaultDelta) {
        added += later.added
        changed += later.changed
        removed += later.removed
        finished += later.finished
        subscriptions += later.subscriptions
        removedSubscriptions += later.removedSubscriptions
        rejected += later.rejected
        replayed += later.replayed
    }

    /// Adds what listeners want to know of another process's changes: new and changed transactions and statuses. To a vault that never had
    /// an answer of the store, finished purchases are history and not news. Those of a backup are news when the store has listed them.
    mutating func add(from earlierState: VaultState, to laterState: VaultState) {
        let (earlier, later) = (earlierState.contents, laterState.contents)
        let unconfirmed = laterState.unconfirmed
        let confirmed = earlierState.unconfirmed.subtracting(unconfirmed)
        let isFirst = earlier.revision == nil
        for transaction in later.transactions where !unconfirmed.contains(transaction.id) {
            if confirmed.contains(transaction.id), !transaction.isFinished {
                added.append(transaction)
                continue
            }
            guard let known = earlier.transaction(transaction.id), known.purchaseDate == transaction.purchaseDate else {
                if !isFirst || !transaction.isFinished { added.append(transaction) }
                continue
            }
            if !known.isFinished, transaction.isFinished { finished.append(transaction.id) }
            if known.isVerified != transaction.isVerified || !known.hasSameFacts(as: transaction) {
                changed.append(transaction)
            }
        }
        for subscription in later.subscriptions {
            let known = earlier.subscription(originalID: subscription.id)
            if known.map({ !$0.hasSameFacts(as: subscription) }) ?? true { subscriptions.append(subscription) }
        }
    }
}
