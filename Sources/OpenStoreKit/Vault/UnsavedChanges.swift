/// Changes of a vault that are in memory only, because they couldn't be written.
///
/// Another process may write meanwhile. Its state is then the base, and this is put on it: what the store has signed, finished purchases and
/// records. Revisions and removals aren't, since the store tells them again: a revision of the other process says nothing of pages that it
/// doesn't have.
struct UnsavedChanges: Sendable {
    private var transactions: Set<UInt64> = []
    private var subscriptions: Set<UInt64> = []
    private var finishing: Set<UInt64> = []
    private var records: Set<String> = []

    mutating func note(_ patch: VaultPatch) {
        transactions.formUnion(patch.transactions.map(\.id))
        subscriptions.formUnion(patch.subscriptions.map(\.id))
        finishing.formUnion(patch.finishing)
        records.formUnion(patch.records.map(\.record.transactionIdentifier))
    }

    /// Returns what to put on the state that another process has written.
    ///
    /// - Parameter state: This process's state.
    func patch(of state: VaultState, onto written: VaultState) -> VaultPatch {
        var patch = VaultPatch()
        patch.transactions = transactions.sorted().compactMap { id in
            state.contents.transaction(id).flatMap { written.contents.merging($0) }
        }
        patch.subscriptions = subscriptions.sorted().compactMap { id in
            guard let mine = state.contents.subscription(originalID: id) else { return nil }
            let known = written.contents.subscription(originalID: id)
            return known.map { $0.isOlder(than: mine) } ?? true ? mine : nil
        }
        patch.finishing = finishing.sorted().filter { id in
            guard state.contents.transaction(id)?.isFinished == true else { return false }
            // One that this vault alone knows comes with the patch.
            return written.contents.transaction(id)?.isFinished != true
                && !written.contents.finishing.contains(id)
        }
        patch.records = records.sorted().compactMap { id in
            guard let mine = state.records.entry(id) else { return nil }
            return written.records.entry(id)?.isConfirmed == true ? nil : mine
        }
        return patch
    }
}
