import Foundation
import Synchronization

extension QueueEngine {
    /// Notes what the store said, fetches the app receipt that proves it, then tells of it: an observer finds the
    /// receipt up to date. Where it can't be fetched the observers hear of the purchase all the same.
    ///
    /// That takes its time. What the app has finished by then it isn't told of again.
    func tellWithReceipt(_ change: (inout QueueState) -> [QueueEvent]) async {
        var events: [QueueEvent] = []
        journal.note { state in
            events = change(&state)
            return []
        }
        guard !events.isEmpty else { return }
        _ = try? await connection.receipts.refresh()
        journal.tell { state in events.compactMap { $0.current(in: state) } }
    }

    /// Asks for what was bought elsewhere, approved later, taken back, or lost on its way here.
    func fetchUnfinished() async {
        acknowledged.withLock { $0 = [] }
        do {
            if connection.store.session != nil { try await connection.store.refreshStorefront() }
            let answer = try await connection.store.unfinished()
            let outcomes = try await outcomesOfDeferred()
            let revocations = try await revocations(among: answer.transactions)
            flags.withLock { $0.hasMoreUnfinished = answer.hasMore ?? false }
            records.retract(answer.transactions.map(\.transactionId))
            let done = acknowledged.withLock { $0 }
            func isFinished(_ id: String) -> Bool { done.contains(id) || records.hasFinished(id) }
            await tellWithReceipt { state in
                var events = outcomes.flatMap { state.settle($0.id, $0.outcome, isFinished: isFinished) }
                events += state.merge(answer.transactions, isFinished: isFinished)
                if !revocations.products.isEmpty { events.append(.revoked(products: revocations.products)) }
                return events
            }
            await noteTold(revocations)
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
            journal.note { $0.remove(entry.id) }
        }
        return true
    }

    func restoreNow(_ query: RestoreQuery) async {
        let ending: QueueEvent
        do {
            guard await waitForFiles() else {
                throw StorageError(.other, path: "queue", reason: "the queue's file can't be read now")
            }
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
            var proven: [PurchaseRecord] = []
            // What the app has finished, and the store hasn't acknowledged.
            var finished = journal.state.finishing.compactMap { PurchaseRecord(finished: $0.stage.transaction) }
            if connection.receipts.checking != nil {
                let receipt = try await connection.receipts.refresh()
                proven = try connection.receipts.proven(by: receipt)
            } else {
                finished += try await connection.store.restore(RestoreQuery()).compactMap { transaction in
                    transaction.original.flatMap { PurchaseRecord($0.transaction) }
                }
            }
            records.rebuild(proven: proven, finished: finished)
        } catch {
            // They stay refused, and empty, until the store answers.
        }
    }
}
