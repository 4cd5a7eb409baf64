import Foundation

extension TransactionSync {
    /// Finishes a transaction: on this device at once and durably, at the store now or with the next synchronization.
    func finish(_ id: UInt64) async {
        let isKnown = vault.contents.transaction(id) != nil
        let isStored = isKnown && (try? vault.finish(id)) != nil
        connection.object?.noteFinished([String(id)])
        // A transaction that the vault doesn't have, or can't keep now, is finished at the store alone.
        await withLimit { [self] in
            if !isStored {
                try? await store.finish(String(id))
            } else if hasFetched {
                try? await sendFinished()
            } else {
                await synchronize()
            }
        }
    }

    /// Tells the store of finished transactions that it doesn't know as finished.
    ///
    /// - Throws: `StoreFailure` if the store can't be reached.
    func sendFinished() async throws {
        for id in vault.contents.finishing {
            do {
                try await store.finish(String(id))
            } catch let failure as StoreFailure where failure.isStoresAnswer && !failure.isAmbiguous {
                // The store doesn't have it any more.
            }
            vault.acknowledgeFinish(id)
        }
    }
}

extension StoreConnection {
    /// Marks a transaction as finished after the queue of StoreKit 1 has finished it at the store.
    func finishedByQueue(_ transactionID: String) {
        guard let id = UInt64(transactionID, radix: 10), (try? vault.finish(id)) != nil else { return }
        vault.acknowledgeFinish(id)
    }
}

extension Transaction {
    /// Finishes the transaction: the app has delivered what was bought. Repeated calls do nothing.
    ///
    /// Without a network, the store learns it later. Doesn't wait longer than a few seconds for one that doesn't answer.
    ///
    /// Source: Apple, StoreKit documentation, "finish()".
    public func finish() async {
        await content.sync.object?.finish(id)
    }
}
