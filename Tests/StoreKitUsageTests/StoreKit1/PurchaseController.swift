import StoreKit

/// Sells and restores with StoreKit 1, as an app does that is older than StoreKit 2.
@MainActor
final class PurchaseController: NSObject {
    enum Event: Equatable, Sendable {
        case bought(String)
        case restored(String)
        case waitsForApproval(String)
        case failed(String, SKError.Code)
        case revoked([String])
        case restoreEnded
        case restoreFailed(SKError.Code)
    }

    let events: AsyncStream<Event>
    private(set) var films = 0
    private(set) var unlocked: Set<String> = []

    private let queue: SKPaymentQueue
    private let continuation: AsyncStream<Event>.Continuation

    init(queue: SKPaymentQueue = .default()) {
        self.queue = queue
        (events, continuation) = AsyncStream.makeStream()
        super.init()
        queue.add(self)
    }

    func close() {
        queue.remove(self)
        continuation.finish()
    }

    func buy(_ product: SKProduct, quantity: Int = 1) {
        guard SKPaymentQueue.canMakePayments() else { return }
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        payment.applicationUsername = "4a5b1c9e-1f6c-4b8b-9a1f-0b6f3c2d1e0f"
        queue.add(payment)
    }

    func restore() {
        queue.restoreCompletedTransactions()
    }

    private func deliver(_ transaction: SKPaymentTransaction, restored: Bool) {
        let productID = transaction.original?.payment.productIdentifier ?? transaction.payment.productIdentifier
        if productID == Magazine.film {
            films += transaction.payment.quantity
        } else {
            unlocked.insert(productID)
        }
        queue.finishTransaction(transaction)
        continuation.yield(restored ? .restored(productID) : .bought(productID))
    }
}

extension PurchaseController: SKPaymentTransactionObserver {
    nonisolated func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        MainActor.assumeIsolated {
            for transaction in transactions {
                switch transaction.transactionState {
                case .purchasing: break
                case .purchased: deliver(transaction, restored: false)
                case .restored: deliver(transaction, restored: true)
                case .deferred: continuation.yield(.waitsForApproval(transaction.payment.productIdentifier))
                case .failed:
                    self.queue.finishTransaction(transaction)
                    let code = (transaction.error as? SKError)?.code ?? .unknown
                    continuation.yield(.failed(transaction.payment.productIdentifier, code))
                @unknown default: break
                }
            }
        }
    }

    nonisolated func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        MainActor.assumeIsolated { _ = continuation.yield(.restoreEnded) }
    }

    nonisolated func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        let code = (error as? SKError)?.code ?? .unknown
        MainActor.assumeIsolated { _ = continuation.yield(.restoreFailed(code)) }
    }

    nonisolated func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        MainActor.assumeIsolated {
            unlocked.subtract(productIdentifiers)
            continuation.yield(.revoked(productIdentifiers))
        }
    }
}
