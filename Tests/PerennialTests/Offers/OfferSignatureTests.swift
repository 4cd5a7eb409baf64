import Perennial
import Testing

/// Signatures and tokens of offers (docs/reference/apple-behaviour.md, "Offer tokens").
struct OfferSignatureTests {
    private let nonce = "1A2B3C4D-0000-4000-8000-ABCDEFABCDEF"

    private func signature(token: String = "", nonce: String? = nil) -> PromotionalOfferSignature {
        PromotionalOfferSignature(
            bundleID: App.BundleID(rawValue: "com.example.magazine"), keyID: "KEY1",
            productID: SubscriptionPlan.monthly.productID, offerID: "spring", accountToken: token,
            nonce: nonce ?? self.nonce, timestamp: Life.start)
    }

    @Test func `the signed text joins its parts with U+2063, nonce and token in lower case`() {
        let text = signature(token: "AAAA-Bb").text
        let parts = text.split(separator: "\u{2063}").map(String.init)
        #expect(
            parts == [
                "com.example.magazine", "KEY1", "monthly", "spring", "aaaa-bb", "1a2b3c4d-0000-4000-8000-abcdefabcdef",
                "1738317600000",
            ])
        #expect(Array("\u{2063}".utf8) == [0xe2, 0x81, 0xa3])
        #expect(!text.contains(" "))
    }

    @Test func `an empty account token keeps its separators`() {
        #expect(signature().text.contains("spring\u{2063}\u{2063}1a2b"))
    }

    @Test func `the signature is verified over exactly this text`() throws {
        let request = try signature().verified([1, 2], at: SigningTimes(Life.start)) { key, text, bytes in
            key == "KEY1" && text == Array(signature().text.utf8) && bytes == [1, 2]
        }
        #expect(request == .promotional(id: "spring"))
        #expect(throws: OfferError(.signatureInvalid, "", "")) {
            try signature().verified([], at: SigningTimes(Life.start)) { _, _, _ in false }
        }
    }

    @Test(arguments: [
        (Int64(0), true), (.hours(24) - 1, true), (.hours(24), false), (-.minutes(5), true), (-.minutes(6), false),
    ])
    func `a signature is good for 24 hours`(age: Int64, isGood: Bool) {
        let request = try? signature().verified([], at: SigningTimes(Life.start + age)) { _, _, _ in true }
        #expect((request != nil) == isGood)
    }

    /// A seller's server signs by the wall clock, a test possibly by the environment's.
    @Test(arguments: [Int64.days(400), -.days(400)])
    func `only what is fresh by the environment's clock or real time is valid`(away: Int64) {
        for times in [
            SigningTimes(environment: Life.start + away, wallClock: Life.start),
            SigningTimes(environment: Life.start, wallClock: Life.start + away),
        ] {
            #expect((try? signature().verified([], at: times) { _, _, _ in true }) != nil)
            #expect((try? request(token("promotional-offer", offer: "spring"), at: times)) != nil)
            #expect(times.endOfLife < Life.start)
        }
        let old = SigningTimes(environment: Life.start + away, wallClock: Life.start + 2 * away)
        #expect((try? signature().verified([], at: old) { _, _, _ in true }) == nil)
        #expect(throws: OfferError(.signatureExpired, "", "")) {
            try request(token("promotional-offer", offer: "spring"), at: old)
        }
    }

    @Test(arguments: ["", "1a2b", "1A2B3C4D-0000-4000-8000-ABCDEFABCDEG", "1A2B3C4D00004000-8000-ABCD-EFABCDEF-0000"])
    func `a nonce that is not a UUID is refused`(nonce: String) {
        #expect(throws: OfferError(.signatureInvalid, "", "")) {
            try signature(nonce: nonce).verified([], at: SigningTimes(Life.start)) { _, _, _ in true }
        }
    }

    /// Extreme times in requests.
    @Test(arguments: [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max])
    func `a signature with an extreme time is refused`(milliseconds: Int64) {
        var signature = signature()
        signature.timestamp = Instant(milliseconds: milliseconds)
        #expect(throws: OfferError(.signatureExpired, "", "")) {
            try signature.verified([], at: SigningTimes(Life.start)) { _, _, _ in true }
        }
    }

    /// The bounds `nbf` and `exp` (RFC 7519). A seller's clock may be five minutes ahead.
    @Test(arguments: [
        (Int64?.some(0), Int64?.none, true), (.minutes(5), nil, true), (.minutes(5) + 1, nil, false),
        (.hours(1), nil, false), (nil, 1, true), (nil, 0, false), (-.hours(1), .hours(1), true),
        (nil, -.hours(1), false),
    ])
    func `a token's nbf and exp count`(notBefore: Int64?, expires: Int64?, isGood: Bool) {
        var token = token("promotional-offer", offer: "spring")
        token.notBefore = notBefore.map { Life.start + $0 }
        token.expires = expires.map { Life.start + $0 }
        #expect(((try? request(token)) != nil) == isGood)
    }

    private func token(_ audience: String, offer: String? = nil, allow: Bool? = nil, transaction: String? = nil)
        -> OfferToken
    {
        OfferToken(
            audience: audience, bundleID: App.BundleID(rawValue: "com.example.magazine"), issuedAt: Life.start,
            nonce: nonce, productID: SubscriptionPlan.monthly.productID, offerID: offer, allowIntroductoryOffer: allow,
            transactionID: transaction)
    }

    private func request(_ token: OfferToken, at now: SigningTimes = SigningTimes(Life.start)) throws -> OfferRequest {
        try token.request(
            for: SubscriptionPlan.monthly.productID, of: App.BundleID(rawValue: "com.example.magazine"), at: now
        ) { $0 == "1001" }
    }

    @Test func `a promotional offer token grants its offer to its customer`() throws {
        #expect(try request(token("promotional-offer", offer: "spring")) == .promotional(id: "spring"))
        #expect(
            try request(token("promotional-offer", offer: "spring", transaction: "1001")) == .promotional(id: "spring"))
        #expect(throws: OfferError(.wrongSubject, "", "")) {
            try request(token("promotional-offer", offer: "spring", transaction: "2"))
        }
        #expect(throws: OfferError(.unknownOffer, "", "")) { try request(token("promotional-offer")) }
    }

    @Test(arguments: [true, false])
    func `an introductory eligibility token decides about the offer`(isAllowed: Bool) throws {
        let granted = try request(token("introductory-offer-eligibility", allow: isAllowed, transaction: "1001"))
        #expect(granted == .automatic(allowIntroductory: isAllowed))
        #expect(throws: OfferError(.wrongSubject, "", "")) {
            try request(token("introductory-offer-eligibility", allow: isAllowed))
        }
    }

    @Test func `a token of another audience, app, product or day is refused`() throws {
        #expect(throws: OfferError(.wrongSubject, "", "")) {
            try request(token("advanced-commerce-api", offer: "spring"))
        }
        #expect(throws: OfferError(.signatureExpired, "", "")) {
            try request(token("promotional-offer", offer: "spring"), at: SigningTimes(Life.start + .hours(24)))
        }
        #expect(throws: OfferError(.wrongSubject, "", "")) {
            try token("promotional-offer", offer: "spring").request(
                for: SubscriptionPlan.yearly.productID, of: App.BundleID(rawValue: "com.example.magazine"),
                at: SigningTimes(Life.start)
            ) { _ in true }
        }
    }
}
