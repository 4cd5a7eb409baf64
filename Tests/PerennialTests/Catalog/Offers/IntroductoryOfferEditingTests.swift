import Perennial
import Testing

/// Edits of introductory offers (docs/reference/seller-operations.md, "Offers").
struct IntroductoryOfferEditingTests {
    private let today = OfferSamples.today

    private func refusal(_ body: () throws -> Void) -> CatalogEditError? {
        do {
            try body()
            return nil
        } catch {
            return error as? CatalogEditError
        }
    }

    @Test func `an offer of a storefront is sold there before the one of all storefronts`() throws {
        var product = OfferSamples.subscription()
        _ = try product.addIntroductoryOffer(
            OfferSamples.trial, in: OfferSamples.japan, from: nil, until: today.adding(10), today: today)
        _ = try product.addIntroductoryOffer(
            OfferProposal(paymentMode: .freeTrial, period: .month, periodCount: 1), in: nil, from: today.adding(10),
            until: nil, today: today)
        let subscription = try #require(product.product.subscription)
        func period(_ storefront: Storefront, _ day: Int64) -> Period? {
            subscription.introductoryOffer(in: storefront, at: today.adding(day).start)?.period
        }
        #expect(period(OfferSamples.japan, 0) == .week)
        #expect(period(.usa, 0) == nil)
        #expect(period(OfferSamples.japan, 10) == .month)
        #expect(period(.usa, 10) == .month)
    }

    @Test func `two offers of a storefront don't overlap`() throws {
        var product = OfferSamples.subscription()
        _ = try product.addIntroductoryOffer(
            OfferSamples.trial, in: .usa, from: today, until: today.adding(10), today: today)
        let overlapping = refusal {
            _ = try product.addIntroductoryOffer(
                OfferSamples.trial, in: .usa, from: today.adding(9), until: nil, today: today)
        }
        #expect(overlapping?.code == .invalidInterval)
        let everywhere = refusal {
            _ = try product.addIntroductoryOffer(OfferSamples.trial, in: nil, from: nil, until: nil, today: today)
        }
        #expect(everywhere?.code == .invalidInterval)
        #expect(product.listedIntroductoryOffers.count == 1)
        _ = try product.addIntroductoryOffer(
            OfferSamples.trial, in: OfferSamples.japan, from: nil, until: nil, today: today)
        _ = try product.addIntroductoryOffer(
            OfferSamples.trial, in: .usa, from: today.adding(10), until: nil, today: today)
        #expect(Set(product.listedIntroductoryOffers.map(\.id)).count == 3)
    }

    @Test(arguments: [
        (OfferProposal(paymentMode: .freeTrial, period: Period(5, .day), periodCount: 1), "duration"),
        (OfferProposal(paymentMode: .freeTrial, period: .week, periodCount: 2), "numberOfPeriods"),
        (OfferProposal(paymentMode: .payUpFront, period: .week, periodCount: 1), "duration"),
        (OfferProposal(paymentMode: .payAsYouGo, period: .week, periodCount: 1), "duration"),
        (OfferProposal(paymentMode: .payAsYouGo, period: .month, periodCount: 13), "numberOfPeriods"),
        (OfferProposal(paymentMode: .payAsYouGo, period: .month, periodCount: 0), "numberOfPeriods"),
    ])
    func `durations and periods follow the mode`(_ proposal: OfferProposal, _ field: String) {
        var product = OfferSamples.subscription()
        let found = refusal {
            _ = try product.addIntroductoryOffer(proposal, in: .usa, from: nil, until: nil, today: today)
        }
        #expect(found?.code == .invalid)
        #expect(found?.place == .attribute(field))
    }

    @Test func `a free trial has no price and a paid offer has one`() {
        var product = OfferSamples.subscription()
        var trial = OfferSamples.trial
        trial.prices = [OfferSamples.price(990)]
        #expect(
            refusal { _ = try product.addIntroductoryOffer(trial, in: .usa, from: nil, until: nil, today: today) }?.code
                == .relationshipInvalid)
        let paid = OfferProposal(paymentMode: .payAsYouGo, period: .month, periodCount: 1)
        #expect(
            refusal { _ = try product.addIntroductoryOffer(paid, in: .usa, from: nil, until: nil, today: today) }?.code
                == .relationshipRequired)
    }

    @Test func `a start in the past and an end before the start are refused`() {
        var product = OfferSamples.subscription()
        func place(_ starts: Int64?, _ ends: Int64?) -> CatalogEditError.Place? {
            refusal {
                _ = try product.addIntroductoryOffer(
                    OfferSamples.trial, in: .usa, from: starts.map(today.adding), until: ends.map(today.adding),
                    today: today)
            }?.place
        }
        #expect(place(-1, nil) == .attribute("startDate"))
        #expect(place(3, 3) == .attribute("endDate"))
        #expect(place(nil, 0) == .attribute("endDate"))
    }

    @Test func `an imported paid offer is listed by storefront, and each can be removed`() throws {
        let offer = Offer(
            id: nil, paymentMode: .payAsYouGo, period: .month, periodCount: 2, basePrice: Money(milliunits: 990, .usd))
        var product = OfferSamples.subscription(introductory: offer)
        let listed = product.listedIntroductoryOffers
        #expect(listed.count == Storefront.all.count)
        let japanese = try #require(listed.first { $0.storefront == OfferSamples.japan })
        try product.removeIntroductoryOffer(japanese.id)
        #expect(Set(product.listedIntroductoryOffers.map(\.id)) == Set(listed.map(\.id)).subtracting([japanese.id]))
        let subscription = try #require(product.product.subscription)
        #expect(subscription.introductoryOffer(in: OfferSamples.japan, at: today.start) == nil)
        let american = subscription.introductoryOffer(in: .usa, at: today.start)
        #expect(american?.price(in: .usa) == Money(milliunits: 990, .usd))
    }

    @Test func `the end of an offer can be set and removed`() throws {
        var product = OfferSamples.subscription()
        let id = try product.addIntroductoryOffer(OfferSamples.trial, in: nil, from: nil, until: nil, today: today)
        try product.setEnd(ofIntroductoryOffer: id, to: today.adding(2), today: today)
        #expect(product.listedIntroductoryOffers.map(\.ends) == [today.adding(2)])
        #expect(product.listedIntroductoryOffers.map(\.id) == [id])
        try product.setEnd(ofIntroductoryOffer: id, to: nil, today: today)
        #expect(product.product.subscription?.introductoryOffer != nil)
        #expect(product.product.subscription?.limitedIntroductoryOffers == [])
        #expect(refusal { try product.removeIntroductoryOffer("700000020100000000") }?.code == .notFound)
    }
}
