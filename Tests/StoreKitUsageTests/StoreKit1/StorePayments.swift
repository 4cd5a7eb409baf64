import StoreKit

/// Takes purchases that customers begin in the App Store, as soon as the app is ready to deliver them.
@MainActor
final class StorePayments: NSObject {
    enum Event: Equatable, Sendable {
        case asked(String, price: NSDecimalNumber)
        case bought(String)
    }

    let events: AsyncStream<Event>
    private let queue: SKPaymentQueue
    private let continuation: AsyncStream<Event>.Continuation
    private var isReady: Bool
    private var waiting: [SKPayment] = []

    init(queue: SKPaymentQueue = .default(), isReady: Bool) {
        self.queue = queue
        self.isReady = isReady
        (events, continuation) = AsyncStream.makeStream()
        super.init()
        queue.add(self)
    }

    func close() {
        queue.remove(self)
        continuation.finish()
    }

    func becomeReady() {
        isReady = true
        waiting.forEach(queue.add)
        waiting = []
    }
}

extension StorePayments: SKPaymentTransactionObserver {
    nonisolated func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        MainActor.assumeIsolated {
            for transaction in transactions where transaction.transactionState == .purchased {
                self.queue.finishTransaction(transaction)
                continuation.yield(.bought(transaction.payment.productIdentifier))
            }
        }
    }

    nonisolated func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        // The queue calls on the main thread and keeps no reference.
        nonisolated(unsafe) let payment = payment
        return MainActor.assumeIsolated {
            continuation.yield(.asked(product.productIdentifier, price: product.price))
            if !isReady { waiting.append(payment) }
            return isReady
        }
    }
}
