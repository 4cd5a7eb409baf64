/// An offer code.
package struct OfferCode: Hashable, Sendable, Codable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// Redeemed once by one customer; expires after six months at most.
        case oneTime
        /// Redeemed by many customers, once by each.
        case custom
    }

    /// The most redemptions of all of an app's codes in a quarter.
    package static let maximumPerQuarter = 1_000_000
    package static let longestOneTimeLife = Period(6, .month)

    package var code: String
    package var offerID: String
    package var kind: Kind
    package var created: Instant
    /// The end of redemption; `nil` for a custom code without an end.
    package var expires: Instant?
    /// The most redemptions of a custom code.
    package var maximumRedemptions: Int?

    package init(
        code: String, offerID: String, kind: Kind, created: Instant, expires: Instant? = nil,
        maximumRedemptions: Int? = nil
    ) {
        self.code = code
        self.offerID = offerID
        self.kind = kind
        self.created = created
        self.expires = expires
        self.maximumRedemptions = maximumRedemptions
    }

    /// The counts of earlier redemptions.
    package struct Redemptions: Hashable, Sendable {
        package var ofCode: Int
        package var ofAppThisQuarter: Int
        package var byCustomer: Int

        package init(ofCode: Int, ofAppThisQuarter: Int, byCustomer: Int) {
            self.ofCode = ofCode
            self.ofAppThisQuarter = ofAppThisQuarter
            self.byCustomer = byCustomer
        }
    }

    /// The end of redemption, exclusive; at most six months after its creation for a one-time code.
    package var end: Instant? {
        guard kind == .oneTime else { return expires }
        let latest = Self.longestOneTimeLife.end(after: created)
        return min(expires ?? latest, latest)
    }

    /// Checks that the code can be redeemed now. ``OfferRequest`` decides about eligibility for its offer.
    /// - Throws: ``OfferError``.
    package func redeem(_ before: Redemptions, at now: Instant) throws -> OfferRequest {
        if let end, now >= end { throw OfferError(.codeExpired, code, "the code ended \(end.rfc3339())") }
        guard before.byCustomer == 0 else { throw OfferError(.alreadyUsed, code, "a customer redeems a code once") }
        let maximum = kind == .oneTime ? 1 : maximumRedemptions ?? .max
        guard before.ofCode < maximum else { throw OfferError(.codeExhausted, code, "the code was redeemed by others") }
        guard before.ofAppThisQuarter < Self.maximumPerQuarter else {
            throw OfferError(.codeExhausted, code, "the app's codes of this quarter are redeemed")
        }
        return .code(offerID: offerID)
    }
}
