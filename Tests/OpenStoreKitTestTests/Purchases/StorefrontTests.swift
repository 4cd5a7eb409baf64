import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Testing

@Suite("Storefronts of a session")
struct StorefrontTests {
    /// Reports each change of the storefront.
    private final class Observer: NSObject, SKPaymentTransactionObserver, Sendable {
        let (changes, change) = AsyncStream<String?>.makeStream()

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}

        func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
            change.yield(queue.storefront?.countryCode)
        }
    }

    @Test("A listener of an idle app gets each change, also the first one")
    func updates() async throws {
        try await Fixtures.withSession { session in
            var storefronts = Storefront.updates.makeAsyncIterator()
            for country in ["DEU", "FRA", "USA"] {
                session.storefront = country
                #expect(await storefronts.next()?.countryCode == country)
            }
        }
    }

    @Test("An observer of an idle queue gets a change")
    func observerOfAnIdleQueue() async throws {
        let (session, observer) = (try Fixtures.session(), Observer())
        let queue = SKPaymentQueue(connection: session.connection)
        queue.add(observer)
        session.storefront = "DEU"
        var changes = observer.changes.makeAsyncIterator()
        #expect(await changes.next() == "DEU")
        // Until here: a queue that is gone calls no observer.
        queue.remove(observer)
    }
}
