import Perennial
import Testing

/// Types and subtypes of notifications (docs/reference/apple-behaviour.md, "Notification types").
struct NotificationTypeTests {
    private static let rows = """
        SUBSCRIBED INITIAL_BUY|SUBSCRIBED RESUBSCRIBE|OFFER_REDEEMED|OFFER_REDEEMED UPGRADE|OFFER_REDEEMED DOWNGRADE
        DID_CHANGE_RENEWAL_PREF UPGRADE|DID_CHANGE_RENEWAL_PREF DOWNGRADE|DID_CHANGE_RENEWAL_PREF
        DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_ENABLED|DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED
        DID_RENEW|DID_RENEW BILLING_RECOVERY|DID_FAIL_TO_RENEW|DID_FAIL_TO_RENEW GRACE_PERIOD|GRACE_PERIOD_EXPIRED
        EXPIRED VOLUNTARY|EXPIRED BILLING_RETRY|EXPIRED PRICE_INCREASE|EXPIRED PRODUCT_NOT_FOR_SALE|EXPIRED
        PRICE_INCREASE PENDING|PRICE_INCREASE ACCEPTED|REFUND|REFUND_DECLINED|REFUND_REVERSED|CONSUMPTION_REQUEST|REVOKE
        RENEWAL_EXTENDED|RENEWAL_EXTENSION SUMMARY|RENEWAL_EXTENSION FAILURE|ONE_TIME_CHARGE
        EXTERNAL_PURCHASE_TOKEN UNREPORTED|RESCIND_CONSENT|METADATA_UPDATE|MIGRATION|PRICE_CHANGE|TEST
        """.split { $0 == "|" || $0 == "\n" }.map(String.init)

    @Test func `domain events map one to one onto types and subtypes`() {
        let mapped = DomainEvent.Kind.allCases.compactMap(\.notification).map {
            "\($0.type)\($0.subtype.map { " \($0)" } ?? "")"
        }
        #expect(mapped.count == Set(mapped).count)
        #expect(Set(mapped) == Set(Self.rows))
    }

    @Test func `redeeming an offer on an active subscription sends OFFER_REDEEMED`() throws {
        var life = try Life(.monthly)
        #expect(try life.happen(.purchase(.monthly, offers: [.promotion]), at: Life.start) == [.offerRedeemed])
    }

    @Test func `an upgrade with an offer sends OFFER_REDEEMED UPGRADE`() throws {
        var life = try Life(.monthly)
        let kinds = try life.happen(.purchase(.premium, offers: [.promotion]), at: Life.start + .days(1))
        #expect(kinds == [.upgradedWithOffer, .upgradeRefunded])
        #expect(life.newest.price == OfferTerms.promotion.price)
    }

    @Test func `an upgrade with a stackable code sends OFFER_REDEEMED UPGRADE`() throws {
        var life = try Life(.monthly)
        let kinds = try life.happen(
            .purchase(.premium, offers: [.trial, .codeOffer]), at: Life.start + .days(1))
        #expect(kinds == [.upgradedWithOffer, .upgradeRefunded])
        #expect(life.newest.offer?.kind == .introductory)
        try life.advance(to: life.subscription.paidUntil)
        #expect(life.newest.offer?.id == "radio")
        // The introductory offer alone isn't redeemed, so the upgrade is like any other.
        var other = try Life(.monthly)
        #expect(
            try other.happen(.purchase(.premium, offers: [.trial]), at: Life.start + .days(1))
                == [.upgraded, .upgradeRefunded])
    }

    @Test func `a downgrade with an offer sends OFFER_REDEEMED DOWNGRADE`() throws {
        var life = try Life(.monthly)
        let kinds = try life.happen(.purchase(.basic, offers: [.promotion]), at: Life.start + .days(1))
        #expect(kinds == [.downgradeScheduledWithOffer])
        try life.advance(to: life.subscription.paidUntil)
        #expect(life.newest.productID.rawValue == "basic")
        #expect(life.newest.offer?.id == "spring")
    }

    @Test func `an in-app refund request asks for consumption data and turns auto-renew off`() throws {
        var life = try Life(.monthly)
        let kinds = try life.happen(.refundRequested(life.newest.id), at: Life.start)
        #expect(kinds == [.refundRequested, .autoRenewDisabled])
        #expect(try life.happen(.refundDeclined(life.newest.id), at: Life.start + 1) == [.subscriptionRefundDeclined])
        #expect(life.subscription.isEntitled(at: Life.start + 2))
    }
}
