import Foundation
import Perennial
import Testing

/// Edits of promotional, win-back and code offers (docs/reference/seller-operations.md, "Offers").
struct NamedOfferEditingTests {
    private let today = OfferSamples.today

    private func refusal(_ body: () throws -> Void) -> CatalogEditError? {
        do {
            try body()
            return nil
        } catch {
            return error as? CatalogEditError
        }
    }

    private func winBack(_ id: String = "back", from day: Int64 = 5) -> WinBackProposal {
        WinBackProposal(
            offerID: id, referenceName: "Come back \(id)", terms: OfferSamples.cheap, rules: WinBackRules(),
            starts: today.adding(day))
    }

    @Test func `the period stays while offers paid as you go have it`() throws {
        var product = OfferSamples.subscription()
        product.product.state = .readyToSubmit
        _ = try product.addPromotionalOffer("trial", name: "Trial", OfferSamples.trial)
        try product.setPeriod(Period(2, .month))
        try product.setPeriod(.month)
        _ = try product.addPromotionalOffer("half", name: "Half", OfferSamples.cheap)
        _ = try product.addCodeOffer("radio", for: [.new], isStackable: false, OfferSamples.cheap)
        let error = refusal { try product.setPeriod(.year) }
        #expect(error?.code == .state && error?.place == .attribute("subscriptionPeriod"))
        #expect(product.product.subscription?.period == .month)
        try product.removePromotionalOffer("half")
        #expect(refusal { try product.setPeriod(.year) }?.code == .state)
        // An ended offer for codes can't be deleted.
        try product.setCodeOffer("radio", active: false)
        try product.setPeriod(.year)
        #expect(product.product.subscription?.period == .year)
    }

    @Test func `a promotional offer is available where it has a price`() throws {
        var product = OfferSamples.subscription()
        let id = try product.addPromotionalOffer("loyal", name: "Loyal", OfferSamples.cheap)
        #expect(OfferNumber.product(of: id) == 7_000_000_201)
        let offer = try #require(product.product.subscription?.promotionalOffers.first)
        #expect(offer.isAvailable(in: OfferSamples.japan, at: today.start))
        #expect(!offer.isAvailable(in: OfferSamples.germany, at: today.start))
        #expect(offer.price(in: OfferSamples.japan) == Money(milliunits: 300_000, .jpy))
        try product.setPrices(
            ofPromotionalOffer: "loyal", to: [OfferSamples.price(2_990, .eur, in: OfferSamples.germany)])
        let changed = try #require(product.product.subscription?.promotionalOffers.first)
        #expect(changed.storefrontPrices(of: product.product).map(\.storefront) == [OfferSamples.germany])
    }

    @Test func `IDs and names of offers are used once, also after a deletion`() throws {
        var product = OfferSamples.subscription()
        _ = try product.addPromotionalOffer("loyal", name: "Loyal", OfferSamples.cheap)
        func duplicate(_ id: String, _ name: String) -> CatalogEditError? {
            refusal { _ = try product.addPromotionalOffer(id, name: name, OfferSamples.cheap) }
        }
        #expect(duplicate("loyal", "Other")?.place == .attribute("offerCode"))
        #expect(duplicate("other", "Loyal")?.place == .attribute("name"))
        try product.removePromotionalOffer("loyal")
        #expect(duplicate("loyal", "Other")?.code == .duplicate)
        #expect(duplicate("other", "Loyal")?.code == .duplicate)
        let code = refusal {
            _ = try product.addCodeOffer("Loyal", for: [.new], isStackable: false, OfferSamples.cheap)
        }
        #expect(code?.code == .duplicate)
    }

    @Test func `a subscription has ten promotional offers at most`() throws {
        var product = OfferSamples.subscription()
        for number in 1...10 {
            _ = try product.addPromotionalOffer("offer\(number)", name: "Offer \(number)", OfferSamples.cheap)
        }
        #expect(
            refusal { _ = try product.addPromotionalOffer("more", name: "More", OfferSamples.cheap) }?.code == .limit)
    }

    @Test func `prices name each territory once, in its currency`() {
        var product = OfferSamples.subscription()
        func place(_ prices: [OfferPrice]) -> CatalogEditError.Place? {
            var proposal = OfferSamples.cheap
            proposal.prices = prices
            return refusal { _ = try product.addPromotionalOffer("a", name: "A", proposal) }?.place
        }
        #expect(
            place([OfferSamples.price(1), OfferSamples.price(2)]) == .includedRelationship(1, "territory"))
        #expect(
            place([OfferSamples.price(1, .eur)]) == .includedRelationship(0, "subscriptionPricePoint"))
        #expect(
            place([OfferPrice(storefront: .usa)]) == .includedRelationship(0, "subscriptionPricePoint"))
        #expect(place([]) == .relationship("prices"))
    }

    @Test func `a deactivated code offer stays deactivated`() throws {
        var product = OfferSamples.consumable()
        _ = try product.addCodeOffer(
            "GIFT", for: [.nonSpender],
            prices: [OfferPrice(storefront: .usa), OfferSamples.price(100_000, .jpy, in: OfferSamples.japan)])
        #expect(product.product.codeOffers.first?.price(in: .usa) == Money.zero(.usd))
        #expect(product.isCodeOfferActive("GIFT") == true)
        try product.setCodeOffer("GIFT", active: false)
        #expect(product.isCodeOfferActive("GIFT") == false)
        #expect(refusal { try product.setCodeOffer("GIFT", active: true) }?.code == .stateInvalid)
        #expect(product.product.codeOffers.first?.isAvailable(in: .usa, at: today.start) == false)
    }

    @Test func `win-back offers are for approved subscriptions, high priority first`() throws {
        var product = OfferSamples.subscription()
        product.product.state = .readyToSubmit
        #expect(refusal { _ = try product.addWinBackOffer(winBack(), today: today) }?.code == .state)
        product.product.state = .approved
        _ = try product.addWinBackOffer(winBack("first"), today: today)
        var urgent = winBack("second")
        urgent.listing.priority = .high
        _ = try product.addWinBackOffer(urgent, today: today)
        #expect(product.product.subscription?.winBackOffers.map(\.id) == ["second", "first"])
        var change = WinBackChange()
        change.priority = .high
        try product.changeWinBackOffer("first", change, today: today)
        #expect(product.product.subscription?.winBackOffers.map(\.id) == ["second", "first"])
    }

    @Test func `a win-back offer that has started changes in priority only`() throws {
        var product = OfferSamples.subscription()
        _ = try product.addWinBackOffer(winBack(from: 5), today: today)
        var change = WinBackChange()
        change.rules = WinBackRules(paidMonths: 3, monthsSinceEnd: 2, maximumMonthsSinceEnd: 6, monthsBetweenOffers: 3)
        change.ends = .some(today.adding(30))
        try product.changeWinBackOffer("back", change, today: today)
        #expect(product.product.subscription?.winBackOffers.first?.winBackRules?.paidMonths == 3)
        let later = today.adding(5)
        change.rules?.paidMonths = 4
        #expect(refusal { try product.changeWinBackOffer("back", change, today: later) }?.code == .stateInvalid)
        var priority = WinBackChange()
        priority.priority = .high
        try product.changeWinBackOffer("back", priority, today: later)
        #expect(product.listing.offers.winBack["back"]?.priority == .high)
    }

    @Test func `a started win-back offer without rules changes in priority`() throws {
        var product = OfferSamples.subscription()
        _ = try product.addWinBackOffer(winBack(from: 5), today: today)
        product.product.subscription?.winBackOffers[0].winBackRules = nil
        var change = WinBackChange()
        (change.rules, change.priority) = (WinBackRules(), .high)
        try product.changeWinBackOffer("back", change, today: today.adding(5))
        #expect(product.listing.offers.winBack["back"]?.priority == .high)
        change.rules?.paidMonths = 4
        #expect(
            refusal { try product.changeWinBackOffer("back", change, today: today.adding(5)) }?.code == .stateInvalid)
    }

    @Test func `a win-back offer's range and wait have bounds`() {
        var product = OfferSamples.subscription()
        func place(_ rules: WinBackRules) -> CatalogEditError.Place? {
            var proposal = winBack()
            proposal.rules = rules
            return refusal { _ = try product.addWinBackOffer(proposal, today: today) }?.place
        }
        #expect(
            place(WinBackRules(paidMonths: 0)) == .attribute("customerEligibilityPaidSubscriptionDurationInMonths"))
        #expect(
            place(WinBackRules(monthsSinceEnd: 5, maximumMonthsSinceEnd: 4))
                == .attribute("customerEligibilityTimeSinceLastSubscribedInMonths"))
        #expect(
            place(WinBackRules(monthsBetweenOffers: 1)) == .attribute("customerEligibilityWaitBetweenOffersInMonths"))
    }

    @Test func `a product with edited offers is stored and read without a difference`() throws {
        var product = OfferSamples.subscription()
        _ = try product.addIntroductoryOffer(
            OfferSamples.trial, in: OfferSamples.japan, from: today, until: nil, today: today)
        _ = try product.addPromotionalOffer("loyal", name: "Loyal", OfferSamples.cheap)
        _ = try product.addCodeOffer("CODE", for: [.new, .expired], isStackable: true, OfferSamples.cheap)
        _ = try product.addWinBackOffer(winBack(), today: today)
        try product.setCodeOffer("CODE", active: false)
        try product.removePromotionalOffer("loyal")
        let read = try JSONDecoder().decode(CatalogProduct.self, from: try JSONEncoder().encode(product))
        #expect(read == product)
    }
}
