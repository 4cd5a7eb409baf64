import Perennial
import PerennialStore
import TestSupport
import Testing

/// Messages to customers in the app (StoreKit's `Message`), and their answers to prices.
struct StoreMessageTests {
    private static let comeBack = Offer(
        id: "back", paymentMode: .freeTrial, period: .month, basePrice: .zero(.usd),
        winBackRules: WinBackRules(paidMonths: 1, monthsSinceEnd: 1))

    private func reasons(_ shop: TestStore, _ account: String = "ann") async throws -> [StoreMessage.Reason] {
        try await shop.store.subscriptions.messages(to: try await shop.customer(account)).map(\.reason)
    }

    @Test(arguments: Engine.allCases)
    func `a price that awaits consent is a message until it is answered`(engine: Engine) async throws {
        let shop = try await Magazine.shop(.xcode, on: engine)
        let (first, ann) = (try await shop.buy("month", as: "ann"), try await shop.customer("ann"))
        #expect(try await reasons(shop) == [])
        _ = try await shop.store.subscriptions.perform(.requestPriceConsent, on: first.id)
        let messages = try await shop.store.subscriptions.messages(to: ann)
        #expect(
            messages == [
                StoreMessage(
                    reason: .priceIncreaseConsent, productID: Product.ID(rawValue: "month"), subscriptionID: first.id)
            ])
        #expect(try await reasons(shop, "bob") == [])
        await #expect(throws: StoreError(.transactionNotFound, "", "")) {
            let bob = try await shop.customer("bob")
            try await shop.store.subscriptions.answerPriceIncrease(of: first.id, accepted: true, by: bob)
        }
        try await shop.store.subscriptions.answerPriceIncrease(of: first.id, accepted: false, by: ann)
        #expect(try await reasons(shop) == [])
        try await shop.store.subscriptions.answerPriceIncrease(of: first.id, accepted: true, by: ann)
        #expect(try await shop.snapshot(first.id).2.priceIncreaseStatus == 1)
        await #expect(throws: SubscriptionError(.noPriceIncrease, first.id, "")) {
            try await shop.store.subscriptions.answerPriceIncrease(of: first.id, accepted: true, by: ann)
        }
        try await shop.advance(to: Magazine.start + .days(40))
        #expect(try await shop.snapshot(first.id).1 == .active)
    }

    @Test func `a failed charge is a message until it is paid`() async throws {
        let shop = try await Magazine.shop(.xcode)
        let first = try await shop.buy("month", as: "ann")
        try await shop.account("ann", payment: .declined)
        try await shop.advance(to: Magazine.start + .days(40))
        #expect(try await shop.snapshot(first.id).1 == .billingRetry)
        #expect(try await reasons(shop) == [.billingIssue])
        _ = try await shop.store.subscriptions.setPaymentMethod(.valid, of: first.id)
        #expect(try await reasons(shop) == [])
    }

    @Test func `an offer to come back is a message while it can be had`() async throws {
        let app = Magazine.app(changing: ["month"]) { $0.winBackOffers = [Self.comeBack] }
        let shop = try await Magazine.shop(.xcode, app: app)
        let first = try await shop.buy("month", as: "ann")
        _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: first.id)
        try await shop.advance(to: Magazine.start + .days(80))
        #expect(try await reasons(shop) == [.winBackOffer])
        try await shop.buy("month", claiming: .winBack(id: "back"), as: "ann")
        #expect(try await reasons(shop) == [])
    }

    @Test(arguments: Engine.allCases)
    func `a forced renewal is written like every other`(engine: Engine) async throws {
        let shop = try await Magazine.shop(.xcode, on: engine)
        let first = try await shop.buy("month", as: "ann")
        try await shop.account("ann", payment: .declined)
        let now = Magazine.start + .days(3)
        try await shop.advance(to: now)
        let renewed = try await shop.store.subscriptions.perform(.forceRenewal, on: first.id)
        #expect(renewed.transaction.purchaseDate == now && renewed.transaction.reason == .renewal)
        let claims = try await shop.signed(renewed.transaction)
        #expect(claims["environment"] == "Xcode")
        #expect(claims["originalTransactionId"] == .string(first.id.description))
        #expect(try await shop.sumOfPostings().values.allSatisfy { $0 == 0 })
        #expect(try await shop.store.renewals.nextDue() == renewed.subscription.nextDue)
    }

    @Test func `a code's offer is granted by its reference name`() async throws {
        let app = Magazine.app(changing: ["month"]) {
            $0.codeOffers = [
                Offer(
                    id: "c1", referenceName: "Spring", paymentMode: .freeTrial, period: .week, basePrice: .zero(.usd),
                    eligibility: [.new])
            ]
        }
        let shop = try await Magazine.shop(.xcode, app: app)
        for (name, account) in [("Spring", "ann"), ("c1", "bob")] {
            let bought = try await shop.store.purchases.buy(
                PurchaseRequest(productID: Product.ID(rawValue: "month"), offerID: name),
                by: try await shop.customer(account))
            #expect(bought.offer?.kind == .code && bought.offer?.id == "c1")
        }
    }
}
