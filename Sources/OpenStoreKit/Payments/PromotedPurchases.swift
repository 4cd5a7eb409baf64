import Foundation
import Synchronization

extension StoreConnection {
    /// Begins a purchase that the customer started outside of the app, as the App Store does for a promoted product.
    ///
    /// Asks the observers of the payment queues, and adds the payment if one agrees. Without an observer the purchase waits for the
    /// first one, as after a launch of the app by the App Store. Listeners of `PurchaseIntent.intents` get it as well.
    ///
    /// - Throws: ``SKError``; `storeProductNotAvailable` for an unknown product.
    public func openPromotedPurchase(of productIdentifier: String) async throws {
        guard let product = try await products(for: [productIdentifier]).products.first else {
            throw StoreFailure(.storeProductNotAvailable, message: "\(productIdentifier) is not for sale").skError
        }
        let asked = engines.all.filter { !$0.callbacks.observers.isEmpty }
        for engine in asked { await engine.offer(product) }
        if asked.isEmpty {
            promotedPurchases.add(product)
            // An observer that came meanwhile hasn't seen it.
            engines.all.forEach { $0.wake() }
        }
        do {
            try await PurchaseIntent.receive(productID: productIdentifier, offerID: nil, on: self)
        } catch {
            throw SKError(wrapping: error)
        }
    }

    /// Promoted purchases that wait for an observer.
    var promotedPurchases: WaitingPromotedPurchases { part { _ in WaitingPromotedPurchases() } }
}

/// Promoted purchases that wait for the first observer of a payment queue.
final class WaitingPromotedPurchases: Sendable {
    private let products = Mutex<[SKProduct]>([])

    /// Adds a purchase. A product waits once.
    func add(_ product: SKProduct) {
        products.withLock { products in
            products.removeAll { $0.productIdentifier == product.productIdentifier }
            products.append(product)
        }
    }

    /// Returns the purchases, oldest first, which wait no longer.
    func take() -> [SKProduct] {
        products.withLock { products in
            defer { products = [] }
            return products
        }
    }
}

extension QueueEngine {
    /// Asks the observers if they add a payment for a product, and adds it if one agrees.
    func offer(_ product: SKProduct) async {
        let isAdded = await callbacks.askObservers { observer, queue in
            observer.paymentQueue(queue, shouldAddStorePayment: SKPayment(product: product), for: product)
        }
        if isAdded { add(PaymentOrder(productIdentifier: product.productIdentifier)) }
    }

    /// Offers the promoted purchases that were begun before there was an observer.
    func offerPromotedPurchases() async {
        guard !callbacks.observers.isEmpty, let connection else { return }
        for product in connection.promotedPurchases.take() { await offer(product) }
    }
}
