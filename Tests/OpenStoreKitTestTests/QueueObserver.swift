import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Synchronization

/// Records what a payment queue reports, and finishes what has ended if so wished.
final class QueueObserver: NSObject, SKPaymentTransactionObserver, Sendable {
    struct Update: Sendable {
        var productID: String
        var state: SKPaymentTransactionState
        var error: NSError?

        var code: Int? { error?.code }
    }

    let updates: AsyncStream<Update>
    private let continuation: AsyncStream<Update>.Continuation
    private let finishes: Bool

    init(finishes: Bool = false) {
        (updates, continuation) = AsyncStream.makeStream()
        self.finishes = finishes
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            let state = transaction.transactionState
            if finishes, ![.purchasing, .deferred].contains(state) { queue.finishTransaction(transaction) }
            continuation.yield(
                Update(
                    productID: transaction.payment.productIdentifier, state: state,
                    error: transaction.error as NSError?))
        }
    }

    /// Waits for the next update that is more than the begin of a payment.
    func next() async -> Update? {
        await updates.first { $0.state != .purchasing }
    }
}

/// Runs a test with a queue of a session and an observer of it.
func withQueue(
    of session: SKTestSession, finishes: Bool = false, _ body: (SKPaymentQueue, QueueObserver) async throws -> Void
) async rethrows {
    let queue = SKPaymentQueue(connection: session.connection)
    let observer = QueueObserver(finishes: finishes)
    queue.add(observer)
    defer { queue.remove(observer) }
    await queue.settle()
    try await body(queue, observer)
}

extension SKPaymentQueue {
    /// Buys a product, and returns when the observers were called.
    func buy(_ productID: String) async {
        let payment = SKMutablePayment()
        payment.productIdentifier = productID
        add(payment)
        await settle()
    }
}
