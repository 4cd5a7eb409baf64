import Foundation
import Synchronization

extension QueueEngine {
    /// Notes what the store said, fetches the app receipt that proves it, then tells of it: an observer finds the
    /// receipt up to date. Where it can't be fetched the observers hear of the purchase all the same.
    func tellWithReceipt(_ change: (inout QueueState) -> [QueueEvent]) async {
        var events: [QueueEvent] = []
        journal.note { state in
            events = change(&state)
            return []
        }
        guard !events.isEmpty else { return }
        _ = try? await connection.receipts.refresh()
        events.forEach(callbacks.tell)
    }

    /// Asks for what was bought elsewhere, approved later, or lost on its way here.
    func fetchUnfinished() async {
        acknowledged.withLock { $0 = [] }
        do {
            if connection.store.session != nil, try await connection.store.refreshStorefront() {
                callbacks.tell(.storefrontChanged)
            }
            let answer = try await connection.store.unfinished()
            flags.withLock { $0.hasMoreUnfinished = answer.hasMore ?? false }
            let done = acknowledged.withLock { $0 }
            await tellWithReceipt { state in
                state.merge(answer.transactions) { done.contains($0) || records.contains($0) }
            }
            wake()
        } catch {
            // StoreKit says nothing of it either. The next activity asks again.
            flags.withLock { $0.isSynchronizationWanted = true }
        }
    }

    func workOnFinishes() async {
        for round in 1...Self.maximumFinishRounds {
            guard await !finishAll() else { break }
            do {
                try await connection.surroundings.sleep(
                    RetryPolicy(firstDelay: .seconds(1)).delay(afterFailures: round))
            } catch {
                return
            }
        }
        // What was finished meanwhile is the next run's, and so is asking for more then.
        guard journal.state.finishing.isEmpty else { return }
        let hadMore = flags.withLock { flags in
            defer { flags.hasMoreUnfinished = false }
            flags.isSynchronizationWanted = flags.isSynchronizationWanted || flags.hasMoreUnfinished
            return flags.hasMoreUnfinished
        }
        if hadMore { wake() }
    }

    /// Offers each finished transaction to the store once; whether all were acknowledged.
    private func finishAll() async -> Bool {
        for entry in journal.state.finishing {
            guard let transaction = entry.stage.transaction else { continue }
            do {
                try await connection.store.finish(transaction.transactionId)
            } catch let error as SKError where error.storeErrorCode == "transactionNotFound" {
                // There is nothing to finish, and asking again won't change that.
            } catch let error as SKError where !error.isAmbiguous {
                continue
            } catch {
                return false
            }
            acknowledged.withLock { _ = $0.insert(transaction.transactionId) }
            journal.note { $0.acknowledged(entry.id) }
        }
        return true
    }

    func restoreNow(_ query: RestoreQuery) async {
        let ending: QueueEvent
        do {
            let transactions = try await connection.store.restore(query)
            await tellWithReceipt { $0.restored(transactions) }
            ending = .restoreFinished
        } catch is CancellationError {
            return
        } catch {
            ending = .restoreFailed(SKError(wrapping: error))
        }
        flags.withLock { $0.isRestoring = false }
        callbacks.tell(ending)
        wake()
    }

    /// Puts in the place of a refused records file what the store knows: what the app receipt proves, or where nothing
    /// reads it, what can be restored.
    func rebuildRecords() async {
        guard records.condition == .refused else { return }
        do {
            if connection.receipts.checking != nil {
                let receipt = try await connection.receipts.refresh()
                records.rebuild(from: try connection.receipts.proven(by: receipt))
            } else {
                let restored = try await connection.store.restore(RestoreQuery())
                records.rebuild(from: restored.compactMap { $0.original.flatMap { PurchaseRecord($0.transaction) } })
            }
        } catch {
            // They stay refused, and empty, until the store answers.
        }
    }
}
