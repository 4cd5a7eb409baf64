import StoreKit
import StoreKitTest
import Testing

@Suite("Usage: intents and messages of StoreKit 2", .timeLimit(.minutes(1)))
struct StoreInboxTests {
    @Test("a purchase that began in the App Store is made by the app")
    func intent() async throws {
        try await withMagazineStore { session in
            let inbox = StoreInbox()
            await inbox.start()
            var events = inbox.events.makeAsyncIterator()
            try await session.connection.openPromotedPurchase(of: Magazine.silver)
            #expect(await events.next() == .bought(Magazine.silver, offer: nil))
            #expect(session.allTransactions().map(\.productIdentifier) == [Magazine.silver])
            await inbox.stop()
        }
    }

    @Test("a message about a failed payment waits until the customer is idle")
    func message() async throws {
        try await withMagazineStore { session in
            let inbox = StoreInbox(isBusy: true)
            await inbox.start()
            var events = inbox.events.makeAsyncIterator()
            try await session.buyProduct(identifier: Magazine.weekly)
            session.shouldEnterBillingRetryOnRenewal = true
            try session.clock.advance(by: .seconds(8 * 86_400))
            let status = try #require(try await Product.SubscriptionInfo.status(for: Magazine.group).first)
            #expect(status.state == .inBillingRetryPeriod)
            // In the order of the listener: the purchase comes after the message.
            await inbox.becomeIdle()
            #expect(await events.next() == .message(.billingIssue))
            await inbox.stop()
        }
    }
}
