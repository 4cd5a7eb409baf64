import Foundation
import Synchronization

extension QueueEngine {
    /// Records a change, fetches the app receipt, then calls the observers, who find the receipt up to date. Calls them also if the
    /// receipt can't be fetched. Leaves out transactions that the app finishes during the fetch.
    func announceWithReceipt(_ change: (inout QueueState) -> [QueueEvent]) async {
        var events: [QueueEvent] = []
        journal.record { state in
            events = change(&state)
            return []
        }
        guard !events.isEmpty else { return }
        _ = try? await receipts.refresh()
        await contents.refresh()
        journal.notify { state in events.compactMap { $0.current(in: state) } }
    }

    /// Fetches purchases of other devices, approved purchases, revocations, and purchases whose answer was lost.
    func fetchUnfinished() async {
        acknowledged.withLock { $0 = [] }
        let clearing = flags.withLock { $0.clearings }
        do {
            if store.session != nil { try await store.refreshStorefront() }
            let answer = try await store.unfinished()
            let outcomes = try await outcomesOfDeferred()
            flags.withLock { flags in
                let isNews = answer.transactions.contains { !flags.finished.contains($0.transactionId) }
                flags.hasMoreUnfinished = isNews && answer.hasMore ?? false
            }
            await connection?.received(answer.transactions + outcomes.compactMap(\.outcome.transaction))
            let revocations = try await revocations(among: answer.transactions)
            records.retract(answer.transactions.map(\.transactionId))
            let done = acknowledged.withLock { $0 }
            func isFinished(_ transaction: StoreTransaction) -> Bool {
                done.contains(transaction.transactionId) || records.hasFinished(transaction)
            }
            await announceWithReceipt { state in
                guard flags.withLock({ $0.clearings }) == clearing else { return [] }
                var events = outcomes.flatMap { state.resolveDeferred($0.id, $0.outcome, isFinished: isFinished) }
                events += state.merge(answer.transactions, isFinished: isFinished)
                if !revocations.products.isEmpty { events.append(.revoked(products: revocations.products)) }
                return events
            }
            confirmEntries(by: answer.transactions, isWhole: answer.hasMore != true)
            guard flags.withLock({ $0.clearings }) == clearing else { return wantNew() }
            await saveRevision(revocations)
            await announceLateContents()
            askAboutPriceIncreases()
            wake()
        } catch {
            // No report, as in StoreKit. The next activity fetches again.
            flags.withLock { $0.isSynchronizationWanted = true }
        }
    }

    func processFinishes() async {
        for round in 1...Self.maximumFinishRounds {
            guard await !finishAll() else { break }
            do {
                try await dependencies.sleep(
                    RetryPolicy(firstDelay: .seconds(1)).delay(afterFailures: round))
            } catch {
                return
            }
        }
        // The next run does what was finished since, and fetches more.
        guard journal.state.finishing.isEmpty else { return }
        let hadMore = flags.withLock { flags in
            defer { flags.hasMoreUnfinished = false }
            flags.isSynchronizationWanted = flags.isSynchronizationWanted || flags.hasMoreUnfinished
            return flags.hasMoreUnfinished
        }
        if hadMore { wake() }
    }

    /// Sends each finished transaction to the store once. Returns true if all were acknowledged.
    private func finishAll() async -> Bool {
        guard await confirmFinishing() else { return false }
        for entry in journal.state.finishing {
            guard let transaction = entry.stage.transaction else { continue }
            guard !records.isOfEarlierStore(transaction) else {
                journal.record { $0.remove(entry.id) }
                continue
            }
            do {
                try await store.finish(transaction.transactionId)
            } catch let error as StoreFailure where error.storeErrorCode == "transactionNotFound" {
                // The store has no such transaction, so there is nothing to finish.
            } catch let error as StoreFailure where !error.isAmbiguous {
                continue
            } catch {
                return false
            }
            acknowledged.withLock { _ = $0.insert(transaction.transactionId) }
            flags.withLock { _ = $0.finished.insert(transaction.transactionId) }
            connection?.finishedByQueue(transaction.transactionId)
            journal.record { $0.remove(entry.id) }
        }
        return true
    }

    /// Asks the store for its unfinished transactions before those of an earlier run of the app are finished: the store may have been emptied
    /// since, and have sold something else under such an ID, which isn't delivered yet.
    ///
    /// - Returns: False if the store doesn't answer.
    private func confirmFinishing() async -> Bool {
        guard journal.state.finishing.contains(where: { journal.isUnconfirmed($0.id) }) else { return true }
        do {
            let answer = try await store.unfinished()
            journal.record { $0.forgetEarlierStore(answer.transactions) }
            confirmEntries(by: answer.transactions, isWhole: answer.hasMore != true)
        } catch let error as StoreFailure where !error.isAmbiguous {
            // A store without this request.
            journal.confirmEntries()
        } catch {
            return false
        }
        return true
    }

    /// Confirms the entries of an earlier run by the store's unfinished transactions. One that the whole list doesn't have is finished already:
    /// sent once more, it could finish a purchase that the store sells under its ID meanwhile.
    private func confirmEntries(by unfinished: [StoreTransaction], isWhole: Bool) {
        let listed = Set(unfinished.map(\.transactionId))
        for entry in journal.state.finishing where isWhole && journal.isUnconfirmed(entry.id) {
            guard let transaction = entry.stage.transaction, !listed.contains(transaction.transactionId) else {
                continue
            }
            journal.record { $0.remove(entry.id) }
        }
        journal.confirmEntries()
    }

    func restoreNow(_ query: RestoreQuery) async {
        let ending: QueueEvent
        do {
            guard await waitForFiles() else {
                throw FileError(.other, path: "queue", reason: "the queue's file can't be read now")
            }
            let transactions = try await store.restore(query)
            // The vault has the originals when the observers are called.
            await connection?.transactionSync.synchronize()
            await announceWithReceipt { $0.restored(transactions) }
            ending = .restoreFinished
        } catch is CancellationError {
            return
        } catch {
            ending = .restoreFailed(StoreFailure(wrapping: error))
        }
        flags.withLock { $0.isRestoring = false }
        callbacks.notify(ending)
        wake()
    }

    /// Rebuilds refused records from the app receipt, or from restored purchases if no ``ReceiptChecking`` reads receipts.
    func rebuildRecords() async {
        guard records.condition == .refused else { return }
        do {
            var proven: [PurchaseRecord] = []
            // Finished by the app and not acknowledged by the store.
            var finished = journal.state.finishing.compactMap { PurchaseRecord(finished: $0.stage.transaction) }
            if receipts.checking != nil {
                let receipt = try await receipts.refresh()
                proven = try receipts.proven(by: receipt)
            } else {
                finished += try await store.restore(RestoreQuery()).compactMap { transaction in
                    transaction.original.flatMap { PurchaseRecord($0.transaction) }
                }
            }
            records.rebuild(proven: proven, finished: finished)
        } catch {
            // The records stay refused and empty until the store answers.
        }
    }
}
