import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Testing

@Suite("The process's session")
struct CurrentSessionTests {
    @Test("makeCurrent() leads products, listeners and queue to an older session")
    func makeCurrent() async {
        // A process of its own: sessions of other tests are newer than these.
        await #expect(processExitsWith: .success) {
            let older = try SKTestSession(contentsOf: Fixtures.offers)
            let newer = try SKTestSession(contentsOf: Fixtures.magazine)
            let observer = QueueObserver()
            SKPaymentQueue.default().add(observer)
            var updates = Transaction.updates.makeAsyncIterator()
            #expect(try await Product.products(for: [Fixtures.silver]).count == 1)
            try await newer.buyProduct(identifier: Fixtures.silver)
            #expect(await updates.next()?.unsafePayloadValue.productID == Fixtures.silver)
            #expect(await observer.next()?.productID == Fixtures.silver)

            older.makeCurrent()
            #expect(StoreConnection.current === older.connection)
            #expect(try await Product.products(for: [Fixtures.silver]).isEmpty)
            try await older.buyProduct(identifier: Fixtures.film)
            #expect(await updates.next()?.unsafePayloadValue.productID == Fixtures.film)
            #expect(await observer.next()?.productID == Fixtures.film)
            #expect(newer.allTransactions().count == 1)

            newer.makeCurrent()
            #expect(try await Product.products(for: [Fixtures.silver]).count == 1)
        }
    }

    @Test("The session of a task comes before the current one")
    func task() async throws {
        let (mine, other) = (try Fixtures.session(), try SKTestSession(contentsOf: Fixtures.offers))
        try await mine.withSession {
            other.makeCurrent()
            #expect(StoreConnection.current === mine.connection)
            let products = try await Product.products(for: [Fixtures.silver])
            #expect(products.count == 1)
        }
    }
}
