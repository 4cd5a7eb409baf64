import Synchronization

/// Idempotency keys of purchases of StoreKit 2 whose answers were lost, so that a repeated purchase isn't charged twice.
final class PurchaseKeys: Sendable {
    struct Key: Sendable {
        let text: String
        /// True if an earlier purchase was sent with the key.
        let isRepeated: Bool
        fileprivate let order: SaleOrder
    }

    private let open = Mutex<[SaleOrder: String]>([:])

    /// Returns the key of an equal order without an answer, which no other purchase gets then, or a new key.
    func key(for order: SaleOrder, make: () -> String) -> Key {
        var order = order
        order.idempotencyKey = ""
        let lost = open.withLock { $0.removeValue(forKey: order) }
        return Key(text: lost ?? make(), isRepeated: lost != nil, order: order)
    }

    /// Keeps the key of a purchase without an answer.
    func keep(_ key: Key) {
        open.withLock { $0[key.order] = key.text }
    }

    /// Forgets the key of a purchase with an answer.
    func end(_ key: Key) {
        open.withLock { if $0[key.order] == key.text { $0[key.order] = nil } }
    }
}

extension StoreConnection {
    var purchaseKeys: PurchaseKeys { part { _ in PurchaseKeys() } }
}
