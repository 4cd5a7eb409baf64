import AppStoreFormats
import Foundation
import Perennial
import PerennialStore
import TestSupport
import Testing

/// Win-back offers in the changes of a customer's purchases: time makes a customer eligible, without an event.
struct WinBackChangesTests {
    private static func shop(
        on engine: Engine = .sqlite, changing rules: WinBackRules
    ) async throws -> (shop: TestStore, id: TransactionID) {
        let offer = Offer(
            id: "back", paymentMode: .freeTrial, period: .month, basePrice: .zero(.usd), winBackRules: rules)
        let app = Magazine.app(changing: ["month"]) { $0.winBackOffers = [offer] }
        let shop = try await Magazine.shop(.xcode, app: app, on: engine)
        let first = try await shop.buy("month", as: "ann")
        _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: first.id)
        return (shop, first.id)
    }

    private func changes(_ shop: TestStore, after revision: String?) async throws -> PurchaseChanges {
        try await shop.store.history.changes(of: try await shop.customer("ann"), after: revision)
    }

    private func offers(_ found: PurchaseChanges) throws -> [[String]] {
        let verifier = try TestSigning.verifier
        return try found.subscriptions.map {
            let json = String(decoding: $0.item.signedRenewalInfo.dropFirst().dropLast(), as: UTF8.self)
            return try verifier.verify(json, as: RenewalInfoPayload.self).eligibleWinBackOfferIds ?? []
        }
    }

    @Test(arguments: Engine.allCases)
    func `eligibility that begins and ends by time is a change`(engine: Engine) async throws {
        let (shop, _) = try await Self.shop(
            on: engine, changing: WinBackRules(paidMonths: 1, monthsSinceEnd: 1, maximumMonthsSinceEnd: 2))
        let active = try await changes(shop, after: nil)
        #expect(active.validUntil == nil)
        try await shop.advance(to: Magazine.start + .days(40))
        let expired = try await changes(shop, after: active.revision)
        #expect(try offers(expired) == [[]])
        #expect(expired.validUntil == expired.date + .days(1), "looked up again after a day at the latest")

        // Later answers say nothing, and go on from one another.
        try await shop.advance(to: Magazine.start + .days(42))
        let same = try await changes(shop, after: expired.revision)
        #expect(same.isEmpty && same.revision != expired.revision)
        #expect(try await changes(shop, after: same.revision).revision == same.revision)

        try await shop.advance(to: Magazine.start + .days(80))
        let eligible = try await changes(shop, after: same.revision)
        #expect(eligible.transactions.isEmpty && !eligible.isComplete)
        #expect(try offers(eligible) == [["back"]])
        try await shop.advance(to: Magazine.start + .days(120))
        #expect(try offers(try await changes(shop, after: eligible.revision)) == [[]])
    }

    @Test func `a waiting request is answered at the moment of eligibility`() async throws {
        let (shop, _) = try await Self.shop(changing: WinBackRules(paidMonths: 1, monthsSinceEnd: 1))
        try await shop.advance(to: Magazine.start + .days(40))
        let expired = try await changes(shop, after: nil)
        let ann = try await shop.customer("ann")
        async let answer = shop.store.history.changes(
            of: ann, after: expired.revision, waiting: .seconds(60), polling: .milliseconds(20))
        try await shop.advance(to: Magazine.start + .days(80))
        #expect(try offers(try await answer) == [["back"]])
    }

    @Test func `a customer without former subscriptions has no such time`() async throws {
        let (shop, id) = try await Self.shop(changing: .allFormerSubscribers)
        let active = try await changes(shop, after: nil)
        #expect(active.validUntil == nil)
        #expect(try await changes(shop, after: active.revision).revision == active.revision)
        _ = try await shop.store.subscriptions.perform(.expire, on: id)
        #expect(try offers(try await changes(shop, after: active.revision)) == [["back"]])
    }
}
