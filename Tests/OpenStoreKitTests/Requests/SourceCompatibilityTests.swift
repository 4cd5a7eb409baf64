import Foundation
import OpenStoreKit
import Synchronization
import Testing

// Code as apps have it, written for StoreKit 1: that it compiles is most of the test.

private final class AppStore: NSObject, SKPaymentTransactionObserver, SKProductsRequestDelegate {
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

    func request(_ request: any SKRequest, didFailWithError error: any Error) {
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

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {}
    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {}
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {}

    private func deliver(_ transaction: SKPaymentTransaction, _ queue: SKPaymentQueue) {
        let identifier = transaction.original?.payment.productIdentifier ?? transaction.payment.productIdentifier
        delivered.withLock { $0.append("\(transaction.payment.quantity) \(identifier)") }
        queue.finishTransaction(transaction)
    }
}

struct SourceCompatibilityTests {
    @Test func `code written for StoreKit runs on the process-wide connection`() async throws {
        let device = try Device()
        let store = FakeStore()
        let connection = device.connection(store)
        OpenStoreKit.connect(connection)
        let app = AppStore()
        app.start()
        // The request's delegate adds the payment; the end is its removal.
        for await _ in app.finished {}
        #expect(app.products.withLock { $0.map(\.productIdentifier) } == ["coins"])
        #expect(app.delivered.withLock { $0 } == ["2 coins"])
        #expect(SKPaymentQueue.default() === SKPaymentQueue.default())
        #expect(SKPaymentQueue.default().storefront?.countryCode == "USA")
    }

    @Test func `payments are equal by their fields, and copies are independent`() throws {
        let payment = SKMutablePayment()
        payment.productIdentifier = "coins"
        let copy = try #require(payment.mutableCopy() as? SKMutablePayment)
        #expect(copy == payment)
        copy.quantity = 3
        #expect(copy != payment)
        #expect(payment.quantity == 1)
        #expect(!(payment.copy() is SKMutablePayment))
    }
}
