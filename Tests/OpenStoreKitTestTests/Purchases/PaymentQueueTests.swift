import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Synchronization
import Testing

@Suite("StoreKit 1 in a session")
struct PaymentQueueTests {
    /// Records what a queue reports.
    private final class Observer: NSObject, SKPaymentTransactionObserver, Sendable {
        let updates: AsyncStream<(productID: String, state: SKPaymentTransactionState, code: Int?)>
        private let continuation:
            AsyncStream<(productID: String, state: SKPaymentTransactionState, code: Int?)>.Continuation

        override init() {
            (updates, continuation) = AsyncStream.makeStream()
        }

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            for transaction in transactions {
                continuation.yield(
                    (
                        transaction.payment.productIdentifier, transaction.transactionState,
                        (transaction.error as? SKError)?.code.rawValue
                    ))
            }
        }
    }

    @Test("Observers get what the session buys")
    func observer() async throws {
        let session = try Fixtures.session()
        let queue = SKPaymentQueue(connection: session.connection)
        let observer = Observer()
        queue.add(observer)
        defer { queue.remove(observer) }
        try await session.buyProduct(identifier: Fixtures.silver)
        var iterator = observer.updates.makeAsyncIterator()
        let update = await iterator.next()
        #expect(update?.productID == Fixtures.silver)
        #expect(update?.state == .purchased)
    }

    @available(*, deprecated, message: "tests deprecated API")
    @Test("Failing transactions fail with the session's error")
    func failing() async throws {
        let session = try Fixtures.session()
        session.failTransactionsEnabled = true
        session.failureError = .invalidSignature
        let queue = SKPaymentQueue(connection: session.connection)
        let observer = Observer()
        queue.add(observer)
        defer { queue.remove(observer) }
        let payment = SKMutablePayment()
        payment.productIdentifier = Fixtures.silver
        queue.add(payment)
        for await update in observer.updates where update.state != .purchasing {
            #expect(update.state == .failed)
            #expect(update.code == SKError.Code.invalidSignature.rawValue)
            break
        }
        #expect(session.allTransactions().isEmpty)
    }
}
