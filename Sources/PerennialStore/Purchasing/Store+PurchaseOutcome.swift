import Perennial
import PerennialStorage

/// What became of a purchase that a device asked for under an idempotency key.
package enum PurchaseOutcome: Sendable, Equatable {
    case sold(Transaction)
    /// Ask to Buy: a parent hasn't answered.
    case waiting
    /// Ask to Buy: a parent said no.
    case declined
    /// Ask to Buy: nobody answered in time.
    case lapsed
}

extension Store {
    /// What became of the purchase under a key. A device asks for payments that wait for approval: the transaction that an
    /// approval makes doesn't say which request it was made for.
    ///
    /// - Throws: `PurchaseRefusal` where the purchase was refused; ``StoreError`` `.purchaseNotFound` where the customer
    ///   never used the key.
    package func purchaseOutcome(forKey key: String, of customer: Customer) async throws -> PurchaseOutcome {
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
            // What is approved is sold or refused in the same step.
            case .waiting, .ended(.approved, _): return .waiting
            }
        }
    }

    /// The transaction that was sold under a key; `nil` for a key that nothing was decided under.
    ///
    /// - Throws: `PurchaseRefusal` where the purchase was refused.
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
