import AppStoreFormats
import Foundation
import OpenStoreKit
import Perennial
import Testing

/// Messages of a store over a network, to an app that listens for nothing else.
@Suite(.timeLimit(.minutes(1))) struct MessageListeningTests {
    @Test func `a listener for messages alone hears of a billing issue`() async throws {
        let fixture = try BoughtFixture()
        fixture.sync.pollsForChanges = true
        fixture.store.put(.period(5))
        fixture.store.put(.renewal(of: 5), group: "news", status: 1)
        fixture.store.set { $0.messages = ["winBackOffer"] }
        var messages = await fixture.connection.withCurrent { Message.messages.makeAsyncIterator() }
        #expect(await messages.next()?.reason == .winBackOffer)
        await fixture.connection.synchronize()
        fixture.store.set { $0.messages = ["billingIssue"] }
        fixture.store.put(.renewal(of: 5), group: "news", status: 3)
        #expect(await messages.next()?.reason == .billingIssue)
        #expect(fixture.store.count("GET /store/v1/changes wait") >= 1)
    }

    @Test func `a read asks again when the answer's time is over`() async throws {
        let fixture = try BoughtFixture()
        fixture.store.put(.period(5))
        fixture.store.put(.renewal(of: 5), group: "news", status: 2)
        fixture.store.set { $0.validUntil = SignedStore.start + .seconds(10) }
        func offers() async throws -> [String] {
            try await fixture.run {
                let status = try #require(try await Product.SubscriptionInfo.status(for: "news").first)
                return try status.renewalInfo.payloadValue.eligibleWinBackOfferIDs
            }
        }
        #expect(try await offers() == [])
        // No event wakes the device: the answer itself said how long it holds.
        fixture.store.put(
            .renewal(of: 5) { $0.eligibleWinBackOfferIds = ["back"] }, group: "news", status: 2)
        fixture.clock.now = SignedStore.start + .seconds(9)
        #expect(try await offers() == [])
        fixture.clock.now = SignedStore.start + .seconds(10)
        #expect(try await offers() == ["back"])
    }
}
