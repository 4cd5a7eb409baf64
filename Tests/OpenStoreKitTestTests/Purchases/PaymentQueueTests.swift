import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Testing

@Suite("StoreKit 1 in a session")
struct PaymentQueueTests {
    @Test("Observers get what the session buys")
    func observer() async throws {
        let session = try Fixtures.session()
        let queue = SKPaymentQueue(connection: session.connection)
        let observer = QueueObserver()
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
        let observer = QueueObserver()
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

    @Test(
        "Simulated errors of purchases fail payments with StoreKit 1's errors",
        arguments: [
            (SKTestFailures.Purchase.purchase(.productUnavailable), SKError.Code.storeProductNotAvailable),
            (.purchase(.invalidOfferSignature), .invalidSignature), (.generic(.userCancelled), .paymentCancelled),
            (.generic(.notAvailableInStorefront), .storeProductNotAvailable),
            (.generic(.networkError(URLError(.timedOut))), .unknown), (.generic(.notEntitled), .unknown),
        ])
    func simulated(failure: SKTestFailures.Purchase, code: SKError.Code) async throws {
        let session = try Fixtures.session()
        try await session.setSimulatedError(failure, forAPI: .purchase)
        let queue = SKPaymentQueue(connection: session.connection)
        let observer = QueueObserver()
        queue.add(observer)
        defer { queue.remove(observer) }
        let payment = SKMutablePayment()
        payment.productIdentifier = Fixtures.silver
        queue.add(payment)
        let end = await observer.updates.first { $0.state != .purchasing }
        #expect(end?.state == .failed)
        #expect(end?.code == code.rawValue)
        #expect(session.allTransactions().isEmpty)
    }

    @Test("Renewals and upgrades have the first transaction as their original")
    func renewal() async throws {
        let session = try Fixtures.session()
        let first = try await session.buyProduct(identifier: Fixtures.monthly)
        try session.forceRenewalOfSubscription(productIdentifier: Fixtures.monthly)
        let upgrade = try await session.buyProduct(identifier: Fixtures.yearly)
        let queue = SKPaymentQueue(connection: session.connection)
        let observer = QueueObserver()
        queue.add(observer)
        defer { queue.remove(observer) }
        await queue.synchronize()
        let transactions = queue.transactions.sorted {
            ($0.transactionIdentifier ?? "") < ($1.transactionIdentifier ?? "")
        }
        #expect(transactions.count == 3)
        #expect(transactions.map { $0.original == nil } == [true, false, false])
        #expect(upgrade.originalID == first.id)
        for original in transactions.compactMap(\.original) {
            #expect(original.transactionIdentifier == "\(first.id)")
            #expect(original.payment.productIdentifier == Fixtures.monthly)
            #expect(original.transactionDate == first.purchaseDate)
        }
    }
}
