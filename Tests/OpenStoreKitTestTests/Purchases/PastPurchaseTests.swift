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

    @Test("Offers of two kinds with one name are told apart")
    func offersOfOneName() async throws {
        let place = try TemporaryFolder()
        let text = try String(contentsOf: Fixtures.magazine, encoding: .utf8)
        let code = """
            {
              "eligibility" : ["new", "existing", "expired"], "internalID" : "C0DE0001", "isStackable" : true,
              "numberOfPeriods" : 1, "paymentMode" : "free", "referenceName" : "return-half-price",
              "subscriptionPeriod" : "P1W"
            }
            """
        let promotional = try #require(text.range(of: #""offerID" : "return-half-price""#))
        let codes = try #require(
            text.range(of: #""codeOffers" : ["#, range: promotional.upperBound..<text.endIndex))
        let file = try place.write(
            text.replacingCharacters(in: codes, with: "\(text[codes]) \(code)"), to: "OneName.storekit")
        let session = try SKTestSession(contentsOf: file)
        session.disableDialogs = true
        try await session.withSession {
            try await session.buyProduct(identifier: Fixtures.monthly)
            try session.expireSubscription(productIdentifier: Fixtures.monthly)
            let promoted = try await session.buyProduct(
                identifier: Fixtures.monthly, options: [.promotionalOffer(id: "return-half-price")])
            #expect(promoted.offer?.type == .promotional)
            #expect(promoted.price == Decimal(string: "1.99"))
            try session.expireSubscription(productIdentifier: Fixtures.monthly)
            let redeemed = try await session.buyProduct(
                identifier: Fixtures.monthly, options: [.codeOffer(referenceName: "return-half-price")])
            #expect(redeemed.offer?.type == .code)
            #expect(redeemed.price == 0)
        }
    }
}
