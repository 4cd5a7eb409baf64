import Foundation

/// The outcome of a payment that waited for approval.
enum DeferredOutcome: Sendable {
    case purchased(StoreTransaction)
    case failed(StoreFailure)

    /// The transaction of an approved payment.
    var transaction: StoreTransaction? {
        if case .purchased(let transaction) = self { transaction } else { nil }
    }
}

/// Refunded and revoked purchases since the last report to the app.
struct Revocations: Sendable {
    var products: [String] = []
    /// Revision of the store's answer; `nil` if the store has none.
    var revision: String?
}

extension QueueEngine {
    // MARK: Approvals

    /// Fetches the outcomes of payments that waited for approval. Leaves out those that still wait.
    func outcomesOfDeferred() async throws -> [(id: String, outcome: DeferredOutcome)] {
        var outcomes: [(id: String, outcome: DeferredOutcome)] = []
        for (id, key) in journal.state.deferred {
            if let outcome = try await outcome(ofDeferred: key) { outcomes.append((id, outcome)) }
        }
        return outcomes
    }

    private func outcome(ofDeferred key: String) async throws -> DeferredOutcome? {
        do {
            let answer = try await store.outcome(ofPurchase: key)
            if let transaction = answer.transaction { return .purchased(transaction) }
            switch answer.state {
            case "declined": return .failed(Self.notApproved("the request was declined", "approvalDeclined"))
            case "lapsed": return .failed(Self.notApproved("the request was not answered in time", "approvalLapsed"))
            default: return nil
            }
        } catch let error as StoreFailure where error.decidesPurchase || error.storeErrorCode == "purchaseNotFound" {
            // Refused after the approval, or unknown to a store that was reset.
            return .failed(error)
        } catch let error as StoreFailure where error.isStoresAnswer && !error.isAmbiguous {
            // A store without this request.
            return nil
        }
    }

    private static func notApproved(_ message: String, _ code: String) -> StoreFailure {
        StoreFailure(.paymentCancelled, message: message, storeErrorCode: code)
    }

    // MARK: Revocations

    /// Fetches revocations since the last report to the app. The first report includes purchases that this device knows.
    func revocations(among unfinished: [StoreTransaction]) async throws -> Revocations {
        let reported = journal.state.revocations
        do {
            return try await revocations(after: reported, among: unfinished)
        } catch let error as StoreFailure where error.isStoresAnswer && !error.isAmbiguous {
            guard reported != nil, error.storeErrorCode == "malformedRequest" else { return Revocations() }
            // A store that was reset doesn't know the revision.
            return try await revocations(after: nil, among: unfinished)
        }
    }

    private func revocations(after reported: String?, among unfinished: [StoreTransaction]) async throws -> Revocations
    {
        var found: [StoreTransaction] = []
        var pages = PageProgress(after: reported)
        var answer = try await store.revoked(after: reported)
        found += answer.transactions
        while answer.hasMore == true {
            try pages.advance(to: answer.revision, entries: answer.transactions.count)
            answer = try await store.revoked(after: answer.revision)
            found += answer.transactions
        }
        let revision = answer.revision
        if reported == nil {
            let known = Set(unfinished.map(\.transactionId) + records.records.map(\.transactionIdentifier))
            found.removeAll { !known.contains($0.transactionId) }
        }
        guard !found.isEmpty else { return Revocations(revision: revision) }
        // Late news of an earlier purchase: the customer may have bought the product again.
        let revoked = Set(found.map(\.transactionId))
        let entitled = await connection?.transactionSync.entitledProducts(without: revoked) ?? []
        var products: [String] = []
        for transaction in found where !products.contains(transaction.productId) {
            guard !entitled.contains(transaction.productId) else { continue }
            products.append(transaction.productId)
        }
        return Revocations(products: products, revision: revision)
    }

    /// Stores the revision after the report to the app, so that a crash in between repeats the report.
    func saveRevision(_ revocations: Revocations) async {
        guard let revision = revocations.revision, revision != journal.state.revocations else { return }
        if !revocations.products.isEmpty { await callbacks.drain() }
        journal.record {
            $0.revocations = revision
            return []
        }
    }
}

extension QueueState {
    /// Ends the wait for approval.
    ///
    /// - Parameter isFinished: Returns true for a transaction that this device has finished.
    mutating func resolveDeferred(
        _ id: String, _ outcome: DeferredOutcome, isFinished: (StoreTransaction) -> Bool
    ) -> [QueueEvent] {
        guard entry(id)?.stage == .deferred else { return [] }
        switch outcome {
        case .failed(let error): return fail(id, with: error, isDecided: true)
        case .purchased(let transaction):
            // Received with the unfinished transactions, and finished.
            if transaction.isFinished == true || isFinished(transaction) { return remove(id) }
            return purchased(id, transaction)
        }
    }
}
