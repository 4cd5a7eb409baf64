import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Testing

@Suite("Purchases in the past")
struct PastPurchaseTests {
    private static let month: TimeInterval = 86_400 * 31

    @Test("A subscription renews up to the present")
    func renews() async throws {
        try await Fixtures.withSession { session in
            let date = session.clock.now.addingTimeInterval(-3.5 * Self.month)
            let first = try await session.buyProduct(identifier: Fixtures.monthly, options: [.purchaseDate(date)])
            #expect(abs(first.purchaseDate.timeIntervalSince(date)) < 1)
            // A free week, then months.
            #expect(session.allTransactions().count == 5)
            let status = try #require(try await Product.SubscriptionInfo.status(for: Fixtures.group).first)
            #expect(status.state == .subscribed)
            #expect(abs(session.clock.now.timeIntervalSinceNow) < 60)
        }
    }

    @Test("A cancelled one has ended with its first period")
    func cancelled() async throws {
        try await Fixtures.withSession { session in
            let date = session.clock.now.addingTimeInterval(-3.5 * Self.month)
            let first = try await session.buyProduct(
                identifier: Fixtures.monthly, options: [.purchaseDate(date, renewalBehavior: .cancelImmediately)])
            #expect(session.allTransactions().map(\.identifier) == [UInt(first.id)])
            let status = try #require(try await Product.SubscriptionInfo.status(for: Fixtures.group).first)
            #expect(status.state == .expired)
        }
    }

    @Test("A date ahead is refused, and the clock stays")
    func future() async throws {
        try await Fixtures.withSession { session in
            let error = await #expect(throws: SKTestError.self) {
                try await session.buyProduct(
                    identifier: Fixtures.film, options: [.purchaseDate(session.clock.now.addingTimeInterval(3600))])
            }
            #expect(error?.code == .invalidAction)
            #expect(abs(session.clock.now.timeIntervalSinceNow) < 60)
        }
    }

    @Test("A refused purchase leaves the clock where it was")
    func refused() async throws {
        try await Fixtures.withSession { session in
            session.interruptedPurchasesEnabled = true
            await #expect(throws: SKTestError.self) {
                try await session.buyProduct(
                    identifier: Fixtures.film, options: [.purchaseDate(session.clock.now.addingTimeInterval(-3600))])
            }
            #expect(abs(session.clock.now.timeIntervalSinceNow) < 60)
            #expect(!session.clock.isStopped)
        }
    }

    @Test("Promotional offers need no signature")
    func offer() async throws {
        try await Fixtures.withSession { session in
            try await session.buyProduct(identifier: Fixtures.monthly)
            try session.expireSubscription(productIdentifier: Fixtures.monthly)
            let again = try await session.buyProduct(
                identifier: Fixtures.monthly, options: [.promotionalOffer(id: "return-half-price")])
            #expect(again.offer?.id == "return-half-price")
            #expect(again.price == Decimal(string: "1.99"))
            await #expect(throws: SKTestError.self) {
                try await session.buyProduct(
                    identifier: Fixtures.monthly, options: [.promotionalOffer(id: "unknown")])
            }
        }
    }
}
