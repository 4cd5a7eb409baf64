import Perennial
import PerennialStorage

/// The outcome of a purchase under an idempotency key.
package enum PurchaseOutcome: Sendable, Equatable {
    case sold(Transaction)
    /// Ask to Buy: a parent hasn't answered yet.
    case waiting
    /// Ask to Buy: a parent declined.
    case declined
    /// Ask to Buy: the request expired.
    case lapsed
}

extension Purchases {
    /// Returns the outcome of the purchase under an idempotency key. Devices ask for payments that wait for approval,
    /// because a transaction doesn't name its request.
    ///
    /// - Throws: `PurchaseRefusal` if the purchase was refused; ``StoreError`` `.purchaseNotFound` if the customer never
    ///   used the key.
    package func outcome(forKey key: String, of customer: Customer) async throws -> PurchaseOutcome {
        guard (1...PurchaseRequest.maximumKeyLength).contains(key.utf8.count) else {
            throw StoreError(.malformed, "key", "a key has 1 to \(PurchaseRequest.maximumKeyLength) bytes")
        }
        return try await database.read { [self] connection in
            let asked = try PendingPurchasesTable.all(of: customer.key, on: connection).last {
                $0.pending.cause == .approval && $0.request.idempotencyKey == key
            }
            let digest = PurchaseRequestsTable.Digest(of: key)
            if let sold = try sold(under: digest, asked?.request.productID, to: customer, on: connection) {
                return .sold(sold)
            }
            guard var pending = asked?.pending else {
                throw StoreError(.purchaseNotFound, key, "this customer asked for nothing under that key")
            }
            pending.lapse(at: try clock.now(on: connection))
            switch pending.state {
            case .ended(.declined, _): return .declined
            case .ended(.lapsed, _): return .lapsed
            // An approval and its purchase are one transaction, so this state is never stored.
            case .waiting, .ended(.approved, _): return .waiting
            }
        }
    }

    /// Returns the transaction that was sold under a key; `nil` for a new key.
    ///
    /// - Throws: `PurchaseRefusal` if the purchase was refused.
    func sold(
        under key: PurchaseRequestsTable.Digest, _ product: Product.ID?, to customer: Customer,
        on connection: any Connection
    ) throws -> Transaction? {
        switch try PurchaseRequestsTable.record(forKey: key, of: customer.key, on: connection)?.outcome {
        case nil: return nil
        case .refused(let code, let reason):
            throw PurchaseRefusal(code, product ?? Product.ID(rawValue: ""), reason)
        case .sold(let id):
            return try TransactionsTable.transaction(id, app: customer.key.app, environment.id, on: connection)
        }
    }
}
