import Synchronization

/// Products of earlier answers, for payment sheets.
final class KnownProducts: Sendable {
    private let products = Mutex<[String: SKProduct]>([:])

    subscript(productIdentifier: String) -> SKProduct? {
        products.withLock { $0[productIdentifier] }
    }

    func add(_ answers: [ProductsAnswer.Product]) {
        let new = answers.map { SKProduct($0) }
        products.withLock { products in
            for product in new { products[product.productIdentifier] = product }
        }
    }
}
