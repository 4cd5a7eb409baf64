import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Synchronization
import Testing

@Suite("StoreKit 1 and 2 of one session", .timeLimit(.minutes(1)))
struct BothGenerationsTests {
    /// Records purchased and removed products.
    private final class Observer: NSObject, SKPaymentTransactionObserver, Sendable {
        let (purchases, purchase) = AsyncStream<SKPaymentTransaction>.makeStream()
        let (removals, removal) = AsyncStream<String>.makeStream()

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            for transaction in transactions where transaction.transactionState == .purchased {
                purchase.yield(transaction)
            }
        }

        func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
            for transaction in transactions { removal.yield(transaction.payment.productIdentifier) }
        }
    }

    @Test("What StoreKit 2 finishes leaves the queue")
    func finishedByTransaction() async throws {
        let session = try Fixtures.session()
        let queue = SKPaymentQueue(connection: session.connection)
        let observer = Observer()
        queue.add(observer)
        defer { queue.remove(observer) }
        let bought = try await session.buyProduct(identifier: Fixtures.film)
        var purchases = observer.purchases.makeAsyncIterator()
        #expect(await purchases.next()?.transactionIdentifier == String(bought.id))
        await bought.finish()
        var removals = observer.removals.makeAsyncIterator()
        #expect(await removals.next() == Fixtures.film)
        #expect(queue.transactions.isEmpty)
        // A further look at the store brings it back to neither side.
        await session.connection.synchronize()
        #expect(queue.transactions.isEmpty)
    }

    @Test("What the queue buys and finishes is StoreKit 2's, too")
    func finishedByQueue() async throws {
        try await Fixtures.withSession { session in
            var updates = Transaction.updates.makeAsyncIterator()
            let queue = SKPaymentQueue(connection: session.connection)
            let observer = Observer()
            queue.add(observer)
            defer { queue.remove(observer) }
            let payment = SKMutablePayment()
            payment.productIdentifier = Fixtures.film
            queue.add(payment)
            var purchases = observer.purchases.makeAsyncIterator()
            let bought = try #require(await purchases.next())
            let update = try #require(await updates.next()).payloadValue
            #expect(String(update.id) == bought.transactionIdentifier)
            queue.finishTransaction(bought)
            var removals = observer.removals.makeAsyncIterator()
            #expect(await removals.next() == Fixtures.film)
            await session.connection.synchronize()
            var unfinished: [String] = []
            for await result in Transaction.unfinished { unfinished.append(result.unsafePayloadValue.productID) }
            #expect(unfinished.isEmpty)
        }
    }
}
