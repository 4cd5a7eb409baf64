import StoreKit
import StoreKitTest
import Testing

@Suite("Usage: subscriptions of StoreKit 2")
@MainActor
struct SubscriptionTests {
    @Test("the model follows a subscription from its start to its end")
    func lifetime() async throws {
        try await withMagazineStore { session in
            let model = SubscriptionModel(groupID: Magazine.group)
            try await model.refresh()
            #expect(model.state == .none)
            let transaction = try await session.buyProduct(identifier: Magazine.monthly)
            try await model.refresh()
            #expect(model.state == .active(productID: Magazine.monthly, renews: true, next: Magazine.monthly))
            try session.disableAutoRenewForTransaction(identifier: UInt(transaction.id))
            try await model.refresh()
            #expect(model.state == .active(productID: Magazine.monthly, renews: false, next: nil))
            try session.expireSubscription(productIdentifier: Magazine.monthly)
            try await model.refresh()
            #expect(model.state == .ended(.autoRenewDisabled))
        }
    }

    @Test("a forced renewal is a transaction of its own")
    func renewal() async throws {
        try await withMagazineStore { session in
            let first = try await session.buyProduct(identifier: Magazine.monthly)
            try session.forceRenewalOfSubscription(productIdentifier: Magazine.monthly)
            let second = try #require(await StoreKit.Transaction.latest(for: Magazine.monthly)).payloadValue
            #expect(second.id != first.id)
            #expect(second.originalID == first.id)
            #expect(second.reason == .renewal)
        }
    }

    @Test("a refunded subscription is revoked")
    func refund() async throws {
        try await withMagazineStore { session in
            let transaction = try await session.buyProduct(identifier: Magazine.monthly)
            try session.refundTransaction(identifier: UInt(transaction.id))
            let model = SubscriptionModel(groupID: Magazine.group)
            try await model.refresh()
            #expect(model.state == .revoked)
            let latest = try #require(await StoreKit.Transaction.latest(for: Magazine.monthly)).payloadValue
            #expect(latest.revocationDate != nil)
            #expect(latest.revocationReason == .other)
        }
    }

    @Test("an introductory offer is for new customers")
    func introductoryOffer() async throws {
        try await withMagazineStore { session in
            let subscription = try #require(try await product(Magazine.monthly).subscription)
            #expect(await subscription.isEligibleForIntroOffer)
            let transaction = try await session.buyProduct(identifier: Magazine.monthly)
            #expect(transaction.offer?.type == .introductory)
            #expect(transaction.offer?.paymentMode == .freeTrial)
            #expect(await Product.SubscriptionInfo.isEligibleForIntroOffer(for: Magazine.group) == false)
            session.clearTransactions()
            #expect(await Product.SubscriptionInfo.isEligibleForIntroOffer(for: Magazine.group))
        }
    }

    @Test("a promotional offer is redeemed and shown in transaction and status")
    func promotionalOffer() async throws {
        try await withMagazineStore { session in
            try await session.buyProduct(identifier: Magazine.monthly)
            try session.expireSubscription(productIdentifier: Magazine.monthly)
            let subscription = try #require(try await product(Magazine.monthly).subscription)
            let offer = try #require(subscription.promotionalOffers.first)
            #expect(offer.id == "return-half-price")
            #expect(offer.paymentMode == .payAsYouGo)
            let transaction = try await session.buyProduct(
                identifier: Magazine.monthly, options: [.promotionalOffer(id: "return-half-price")])
            #expect(transaction.offer?.type == .promotional)
            #expect(transaction.offer?.id == "return-half-price")
            let status = try #require(try await Product.SubscriptionInfo.status(for: Magazine.group).first)
            #expect(status.state == .subscribed)
        }
    }

    @Test("the app redeems an offer that its server has signed, as a signature or a JWS", arguments: [true, false])
    func signedOffer(isJWS: Bool) async throws {
        try await withMagazineStore { session in
            try await session.buyProduct(identifier: Magazine.monthly)
            try session.expireSubscription(productIdentifier: Magazine.monthly)
            let made = try await session.makePromotionalOfferKey()
            let signer = try OfferSigner(
                bundleID: session.bundleIdentifier, keyID: made.id, issuerID: made.issuerID,
                privateKey: made.privateKey)
            let monthly = try await product(Magazine.monthly)
            let offer = try #require(monthly.subscription?.promotionalOffers.first?.id)
            let (library, date, token) = (PurchaseLibrary(), session.clock.now, UUID())
            func redeem(_ signed: String) async throws {
                let outcome =
                    if isJWS {
                        try await library.redeem(
                            offer, of: monthly, jws: signer.jws(offer: signed, of: monthly.id, date: date))
                    } else {
                        try await library.redeem(
                            offer, of: monthly, token: token,
                            signature: signer.signature(offer: signed, of: monthly.id, token: token, date: date))
                    }
                #expect(outcome == .bought)
            }
            // Signed for another offer, which a JWS names and a signature doesn't.
            let refusal: Product.PurchaseError = isJWS ? .invalidOfferIdentifier : .invalidOfferSignature
            await #expect(throws: refusal) { try await redeem("another") }
            #expect(session.allTransactions().count == 1)
            try await redeem(offer)
            let latest = try #require(await StoreKit.Transaction.latest(for: monthly.id)).payloadValue
            #expect(latest.offer?.type == .promotional && latest.offer?.id == offer)
            #expect(latest.price == Decimal(string: "1.99"))
        }
    }

    @Test("an upgrade takes effect at once")
    func upgrade() async throws {
        try await withMagazineStore { session in
            try await session.buyProduct(identifier: Magazine.monthly)
            try await session.buyProduct(identifier: Magazine.yearly)
            let model = SubscriptionModel(groupID: Magazine.group)
            try await model.refresh()
            #expect(model.state == .active(productID: Magazine.yearly, renews: true, next: Magazine.yearly))
            var entitled: [String] = []
            for await result in StoreKit.Transaction.currentEntitlements {
                entitled.append(result.unsafePayloadValue.productID)
            }
            #expect(entitled == [Magazine.yearly])
        }
    }

    @Test("periods are compared, counted and named")
    func periods() async throws {
        try await withMagazineStore { _ in
            let weekly = try #require(try await product(Magazine.weekly).subscription).subscriptionPeriod
            #expect(weekly == .weekly)
            #expect(Product.SubscriptionPeriod.Unit.day < .year)
            #expect(Product.SubscriptionPeriod.everyThreeMonths.value == 3)
            let start = Date(timeIntervalSince1970: 1_700_000_000)
            #expect(weekly.dateRange(referenceDate: start) == start..<start.addingTimeInterval(7 * 86_400))
            #expect(DateComponents(subscriptionPeriod: .everySixMonths).month == 6)
        }
    }
}
