/// The parts that a seller signs to grant a promotional offer to one customer, in the original form.
///
/// Source: Apple, "Generating a signature for promotional offers".
package struct PromotionalOfferSignature: Hashable, Sendable {
    /// The separator between the parts: U+2063.
    package static let separator = "\u{2063}"
    /// The lifetime of a signature.
    package static let lifetime: Int64 = .hours(24)
    /// A limit of ours on how far a seller's clock may be ahead.
    package static let maximumClockSkew: Int64 = .minutes(5)

    package var bundleID: App.BundleID
    package var keyID: String
    package var productID: Product.ID
    package var offerID: String
    /// `appAccountToken` or, with the older client, `applicationUsername`; may be empty.
    package var accountToken: String
    /// A UUID.
    package var nonce: String
    package var timestamp: Instant

    package init(
        bundleID: App.BundleID, keyID: String, productID: Product.ID, offerID: String, accountToken: String,
        nonce: String, timestamp: Instant
    ) {
        self.bundleID = bundleID
        self.keyID = keyID
        self.productID = productID
        self.offerID = offerID
        self.accountToken = accountToken
        self.nonce = nonce
        self.timestamp = timestamp
    }

    /// The signed text, in UTF-8: account token and nonce in lower case, the time in decimal milliseconds.
    package var text: String {
        [
            bundleID.rawValue, keyID, productID.rawValue, offerID, accountToken.lowercased(), nonce.lowercased(),
            String(timestamp.milliseconds),
        ].joined(separator: Self.separator)
    }

    /// Returns the offer if the seller signed it.
    ///
    /// - Parameters:
    ///   - signature: ECDSA P-256 with SHA-256, in DER.
    ///   - now: The clock readings that decide about its age.
    ///   - isSigned: Returns true if the key with this ID signed these bytes.
    /// - Throws: ``OfferError`` and the errors of `isSigned`.
    package func verified(
        _ signature: [UInt8], at now: SigningTimes,
        isSigned: (_ keyID: String, _ text: [UInt8], _ signature: [UInt8]) throws -> Bool
    ) throws -> OfferRequest {
        guard Self.isUUID(nonce) else {
            throw OfferError(.signatureInvalid, offerID, "the nonce must be a UUID")
        }
        guard now.isFresh(timestamp) else {
            throw OfferError(
                .signatureExpired, offerID,
                "a signature is good for 24 hours from its timestamp, by the environment's clock or the world's")
        }
        guard try isSigned(keyID, Array(text.utf8), signature) else {
            throw OfferError(.signatureInvalid, offerID, "the seller's key \(keyID) didn't sign this offer")
        }
        return .promotional(id: offerID)
    }

    static func isUUID(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.joined().utf8.allSatisfy(isHexadecimal)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}

/// The clock readings that decide about the age of a seller's signature: the environment's clock and the wall clock.
///
/// A seller's server signs by the wall clock and knows no other; a test may sign by the environment's. A signature is
/// valid if it is fresh by either.
package struct SigningTimes: Hashable, Sendable {
    package let environment: Instant
    package let wallClock: Instant

    package init(environment: Instant, wallClock: Instant) {
        self.environment = environment
        self.wallClock = wallClock
    }

    /// Creates the readings of an environment that runs on the wall clock.
    package init(_ now: Instant) {
        self.init(environment: now, wallClock: now)
    }

    /// Returns true if a signature is fresh by either clock.
    ///
    /// - Parameters:
    ///   - notBefore: A bound set by the seller, with the same allowance for a clock that is ahead.
    ///   - expires: A bound set by the seller.
    func isFresh(_ signed: Instant, notBefore: Instant? = nil, expires: Instant? = nil) -> Bool {
        [environment, wallClock].contains { now in
            now - signed < PromotionalOfferSignature.lifetime
                && max(signed, notBefore ?? signed) - now <= PromotionalOfferSignature.maximumClockSkew
                && expires.map { now < $0 } ?? true
        }
    }

    /// The instant before which signatures are expired by both clocks, for good.
    package var endOfLife: Instant {
        min(environment, wallClock) + -PromotionalOfferSignature.lifetime
    }
}
