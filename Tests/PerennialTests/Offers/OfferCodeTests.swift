import Perennial
import Testing

/// Limits of offer codes (docs/reference/apple-behaviour.md, "Offers").
struct OfferCodeTests {
    private func redeemed(_ code: Int = 0, quarter: Int = 0, customer: Int = 0) -> OfferCode.Redemptions {
        OfferCode.Redemptions(ofCode: code, ofAppThisQuarter: quarter, byCustomer: customer)
    }

    @Test func `a one-time code expires after six months and is redeemed once`() throws {
        let code = OfferCode(code: "A1", offerID: "radio", kind: .oneTime, created: Life.start)
        let end = Period(6, .month).end(after: Life.start)
        #expect(try code.redeem(redeemed(), at: end + -1) == .code(offerID: "radio"))
        #expect(throws: OfferError(.codeExpired, "", "")) { try code.redeem(redeemed(), at: end) }
        #expect(throws: OfferError(.codeExhausted, "", "")) { try code.redeem(redeemed(1), at: Life.start) }
    }

    @Test func `a custom code is redeemed once by each customer, up to its maximum`() throws {
        let code = OfferCode(
            code: "RADIO", offerID: "radio", kind: .custom, created: Life.start, maximumRedemptions: 100)
        #expect(try code.redeem(redeemed(99), at: Life.start + .days(1000)) == .code(offerID: "radio"))
        #expect(throws: OfferError(.codeExhausted, "", "")) { try code.redeem(redeemed(100), at: Life.start) }
        #expect(throws: OfferError(.alreadyUsed, "", "")) { try code.redeem(redeemed(1, customer: 1), at: Life.start) }
    }

    @Test func `an app's codes are redeemed at most a million times in a quarter`() throws {
        let code = OfferCode(code: "RADIO", offerID: "radio", kind: .custom, created: Life.start)
        #expect(try code.redeem(redeemed(quarter: 999_999), at: Life.start) == .code(offerID: "radio"))
        #expect(throws: OfferError(.codeExhausted, "", "")) {
            try code.redeem(redeemed(quarter: 1_000_000), at: Life.start)
        }
    }
}
