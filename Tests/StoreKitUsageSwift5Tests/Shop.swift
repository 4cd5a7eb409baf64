import StoreKit

/// Sells with StoreKit 1, as an app in Swift 5 mode does: without annotations for concurrency.
final class Shop: NSObject, SKPaymentTransactionObserver {
    private(set) var bought: [String] = []
    private(set) var failures: [SKError.Code] = []
    var onPurchase: ((String) -> Void)?
    private let queue: SKPaymentQueue

    init(queue: SKPaymentQueue = .default()) {
        self.queue = queue
        super.init()
        queue.add(self)
    }

    func close() {
        queue.remove(self)
    }

    func buy(_ identifier: String) {
        let payment = SKMutablePayment()
        payment.productIdentifier = identifier
        queue.add(payment)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing, .deferred: break
            case .purchased, .restored:
                bought.append(transaction.payment.productIdentifier)
                self.queue.finishTransaction(transaction)
                onPurchase?(transaction.payment.productIdentifier)
            case .failed:
                failures.append((transaction.error as? SKError)?.code ?? .unknown)
                self.queue.finishTransaction(transaction)
            @unknown default: break
            }
        }
    }
}

/// Follows StoreKit 2's transactions, as an app in Swift 5 mode does.
final class Library {
    var onTransaction: ((String) -> Void)?
    private var listener: Task<Void, Never>?

    func start() {
        listener = Task {
            for await result in Transaction.updates {
                guard case .verified(let transaction) = result else { continue }
                await transaction.finish()
                self.onTransaction?(transaction.productID)
            }
        }
    }

    func stop() {
        listener?.cancel()
    }
}
