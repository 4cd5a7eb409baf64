import StoreKit
import StoreKitTest
import Testing

/// A queue that records what it is asked.
final class RecordingQueue: SKPaymentQueue, @unchecked Sendable {
    var payments: [SKPayment] = []
    var finished: [SKPaymentTransaction] = []

    override func add(_ payment: SKPayment) { payments.append(payment) }
    override func add(_ observer: SKPaymentTransactionObserver) {}
    override func finishTransaction(_ transaction: SKPaymentTransaction) { finished.append(transaction) }
}

/// A failed transaction.
final class FailedTransaction: SKPaymentTransaction, @unchecked Sendable {
    override var transactionState: SKPaymentTransactionState { .failed }
    override var error: Error? { SKError(.paymentCancelled) }
}

@Suite("Usage: an app in Swift 5 mode", .timeLimit(.minutes(1)))
struct ShopTests {
    private static let film = "com.example.photomag.film.roll"
    static let configuration = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("StoreKitUsageTests/Fixtures/Magazine.storekit")

    private func session() throws -> SKTestSession {
        let session = try SKTestSession(contentsOf: Self.configuration)
        session.disableDialogs = true
        return session
    }

    @Test("an observer finishes what it has bought")
    func observer() async throws {
        let session = try session()
        await session.withSession {
            let (events, continuation) = AsyncStream<String>.makeStream()
            let shop = Shop()
            shop.onPurchase = { continuation.yield($0) }
            shop.buy(Self.film)
            var iterator = events.makeAsyncIterator()
            #expect(await iterator.next() == Self.film)
            #expect(session.allTransactions().map(\.productIdentifier) == [Self.film])
            shop.close()
        }
    }

    @Test("a listener gets purchases from outside of the app")
    func listener() async throws {
        let session = try session()
        try await session.withSession {
            let (events, continuation) = AsyncStream<String>.makeStream()
            let library = Library()
            library.onTransaction = { continuation.yield($0) }
            library.start()
            try await session.buyProduct(identifier: Self.film)
            var iterator = events.makeAsyncIterator()
            #expect(await iterator.next() == Self.film)
            library.stop()
        }
    }

    @Test("doubles stand in for the queue and its transactions")
    func doubles() {
        let queue = RecordingQueue()
        let shop = Shop(queue: queue)
        shop.buy(Self.film)
        shop.paymentQueue(queue, updatedTransactions: [FailedTransaction()])
        #expect(queue.payments.map(\.productIdentifier) == [Self.film])
        #expect(queue.finished.count == 1)
        #expect(shop.failures == [.paymentCancelled])
    }
}
