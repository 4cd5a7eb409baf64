import Foundation

extension StoreConnection {
    /// Begins a purchase that the customer started outside of the app, as the App Store does for a promoted product.
    ///
    /// Asks the observers of the payment queues, and adds the payment if one agrees. Listeners of `PurchaseIntent.intents` get it as
    /// well.
    ///
    /// - Throws: ``SKError``; `storeProductNotAvailable` for an unknown product.
    public func openPromotedPurchase(of productIdentifier: String) async throws {
        guard let product = try await products(for: [productIdentifier]).products.first else {
            throw StoreFailure(.storeProductNotAvailable, message: "\(productIdentifier) is not for sale").skError
        }
        for engine in engines.all { await engine.offer(product) }
        do {
            try await PurchaseIntent.receive(productID: productIdentifier, offerID: nil, on: self)
        } catch {
            throw SKError(wrapping: error)
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
}
