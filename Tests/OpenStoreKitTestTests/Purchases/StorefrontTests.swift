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
    func observer() async throws {
        let session = try Fixtures.session()
        let queue = SKPaymentQueue(connection: session.connection)
        let observer = Observer()
        queue.add(observer)
        defer { queue.remove(observer) }
        session.storefront = "DEU"
        var changes = observer.changes.makeAsyncIterator()
        #expect(await changes.next() == "DEU")
    }
}
