/// A code that a customer redeems for an offer.
package struct OfferCode: Hashable, Sendable, Codable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// One customer redeems it, once; it lives six months at most.
        case oneTime
        /// A word that many customers redeem, each once.
        case custom
    }

    /// Redemptions of all of an app's codes in a quarter.
    package static let maximumPerQuarter = 1_000_000
    package static let longestOneTimeLife = Period(6, .month)

    package var code: String
    package var offerID: String
    package var kind: Kind
    package var created: Instant
    /// `nil`: a custom code without an end.
    package var expires: Instant?
    /// Redemptions of a custom code in all.
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

    /// How often codes were redeemed before.
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

    /// The last instant but one at which it can be redeemed: its own end, six months at most for a one-time code.
    package var end: Instant? {
        guard kind == .oneTime else { return expires }
        let latest = Self.longestOneTimeLife.end(after: created)
        return min(expires ?? latest, latest)
    }

    /// Whether it can be redeemed now; whom its offer is for is decided by ``OfferRequest``.
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
