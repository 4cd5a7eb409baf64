import Foundation

/// What becomes of a payment that waited for approval.
enum DeferredOutcome: Sendable {
    case purchased(StoreTransaction)
    case failed(SKError)
}

/// What was taken back from the customer since the app was last told.
struct Revocations: Sendable {
    var products: [String] = []
    /// The store's revision; `nil` where the store doesn't tell.
    var revision: String?
}

extension QueueEngine {
    // MARK: Approvals

    /// Asks what became of the payments that wait for approval; those that still wait are left out.
    func outcomesOfDeferred() async throws -> [(id: String, outcome: DeferredOutcome)] {
        var outcomes: [(id: String, outcome: DeferredOutcome)] = []
        for (id, key) in journal.state.deferred {
            if let outcome = try await outcome(ofDeferred: key) { outcomes.append((id, outcome)) }
        }
        return outcomes
    }

    private func outcome(ofDeferred key: String) async throws -> DeferredOutcome? {
        do {
            let answer = try await connection.store.outcome(ofPurchase: key)
            if let transaction = answer.transaction { return .purchased(transaction) }
            switch answer.state {
            case "declined": return .failed(Self.notApproved("the request was declined", "approvalDeclined"))
            case "lapsed": return .failed(Self.notApproved("nobody answered the request in time", "approvalLapsed"))
            default: return nil
            }
        } catch let error as SKError where error.decidesPurchase || error.storeErrorCode == "purchaseNotFound" {
            // Approved, and then refused; or the store has begun anew.
            return .failed(error)
        } catch let error as SKError where error.isStoresAnswer && !error.isAmbiguous {
            // A store that can't say.
            return nil
        }
    }

    private static func notApproved(_ message: String, _ code: String) -> SKError {
        SKError(.paymentCancelled, message: message, storeErrorCode: code)
    }

    // MARK: Revocations

    /// Asks what was taken back since the app was last told of it. At the first time that is what this device knows of.
    func revocations(among unfinished: [StoreTransaction]) async throws -> Revocations {
        let told = journal.state.revocations
        do {
            return try await revocations(after: told, among: unfinished)
        } catch let error as SKError where error.isStoresAnswer && !error.isAmbiguous {
            guard told != nil, error.storeErrorCode == "malformedRequest" else { return Revocations() }
            // A store that began anew knows nothing of its earlier answers.
            return try await revocations(after: nil, among: unfinished)
        }
    }

    private func revocations(after told: String?, among unfinished: [StoreTransaction]) async throws -> Revocations {
        var found: [StoreTransaction] = []
        var revision = told
        var hasMore = true
        while hasMore {
            let answer = try await connection.store.revoked(after: revision)
            found += answer.transactions
            hasMore = answer.hasMore == true && answer.revision != revision
            revision = answer.revision
        }
        if told == nil {
            let known = Set(unfinished.map(\.transactionId) + records.all.map(\.transactionIdentifier))
            found.removeAll { !known.contains($0.transactionId) }
        }
        var products: [String] = []
        for transaction in found where !products.contains(transaction.productId) {
            products.append(transaction.productId)
        }
        return Revocations(products: products, revision: revision)
    }

    /// Writes down that the app knows, once it does: after a crash before that it is told again.
    func noteTold(_ revocations: Revocations) async {
        guard let revision = revocations.revision, revision != journal.state.revocations else { return }
        if !revocations.products.isEmpty { await callbacks.drain() }
        journal.note {
            $0.revocations = revision
            return []
        }
    }
}

extension QueueState {
    /// Ends the wait for approval.
    ///
    /// - Parameter isFinished: Whether this device has finished a transaction already.
    mutating func settle(
        _ id: String, _ outcome: DeferredOutcome, isFinished: (String) -> Bool
    ) -> [QueueEvent] {
        guard entry(id)?.stage == .deferred else { return [] }
        switch outcome {
        case .failed(let error): return fail(id, with: error, isDecided: true)
        case .purchased(let transaction):
            // It came on another way, and is done with.
            if transaction.isFinished == true || isFinished(transaction.transactionId) { return remove(id) }
            return purchased(id, transaction)
        }
    }
}
