import Foundation
import OpenStoreKit
import Synchronization
import Testing

/// Waits until the main queue has done what it was given.
func mainQueue() async {
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
}

/// Code as apps have it, written for StoreKit 1: that it compiles is part of the test.
final class SampleStore: NSObject, SKPaymentTransactionObserver, SKProductsRequestDelegate, Sendable {
    let products = Mutex<[SKProduct]>([])
    let delivered = Mutex<[String]>([])
    let (finished, continuation) = AsyncStream<Void>.makeStream()

    func start() {
        SKPaymentQueue.default().add(self)
        guard SKPaymentQueue.canMakePayments() else { return }
        let request = SKProductsRequest(productIdentifiers: Set(["coins"]))
        request.delegate = self
        request.start()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        products.withLock { $0 = response.products }
        guard let product = response.products.first else { return }
        let payment = SKMutablePayment(product: product)
        payment.quantity = 2
        payment.applicationUsername = "hash"
        SKPaymentQueue.default().add(payment)
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        Issue.record(error)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing, .deferred: break
            case .purchased, .restored: deliver(transaction, queue)
            case .failed:
                if let error = transaction.error as? SKError, error.code != .paymentCancelled { Issue.record(error) }
                queue.finishTransaction(transaction)
            @unknown default: break
            }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        continuation.finish()
    }

    private func deliver(_ transaction: SKPaymentTransaction, _ queue: SKPaymentQueue) {
        let identifier = transaction.original?.payment.productIdentifier ?? transaction.payment.productIdentifier
        delivered.withLock { $0.append("\(transaction.payment.quantity) \(identifier)") }
        queue.finishTransaction(transaction)
    }
}
