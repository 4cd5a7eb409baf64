import Foundation
import Synchronization

extension StoreConnection {
    /// Begins a purchase that the customer started outside of the app, as the App Store does for a promoted product.
    ///
    /// Asks the observers of the payment queues, and adds the payment if one agrees. Without an observer the purchase waits for the
    /// first one, as after a launch of the app by the App Store. Listeners of `PurchaseIntent.intents` get it as well.
    ///
    /// With an offer only they get it: a payment of StoreKit 1 can't have a win-back offer, and would be sold at the full price.
    ///
    /// - Parameter offerIdentifier: A win-back or promotional offer of the product that the customer chose; `nil` for none.
    /// - Throws: ``SKError``; `storeProductNotAvailable` for an unknown product, `invalidOfferIdentifier` for an offer that the product
    ///   doesn't have.
    public func openPromotedPurchase(
        of productIdentifier: String, offer offerIdentifier: String? = nil
    ) async throws {
        if offerIdentifier == nil { try await openPayment(of: productIdentifier) }
        do {
            try await PurchaseIntent.receive(productID: productIdentifier, offerID: offerIdentifier, on: self)
        } catch Product.PurchaseError.productUnavailable {
            throw StoreFailure(.storeProductNotAvailable, message: "\(productIdentifier) is not for sale").skError
        } catch Product.PurchaseError.invalidOfferIdentifier {
            let message = "\(productIdentifier) has no offer \(offerIdentifier ?? "")"
            throw StoreFailure(.invalidOfferIdentifier, message: message).skError
        } catch {
            throw SKError(wrapping: error)
        }
    }

    /// Offers a payment to the observers.
    private func openPayment(of productIdentifier: String) async throws {
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
