/// A key that a seller's server proves itself with. The store keeps the public half; the private one is shown once, to
/// whoever makes the key.
package struct APIKey: Hashable, Sendable {
    /// What a key is for.
    package enum Kind: String, Sendable, CaseIterable {
        /// The App Store Server API.
        case serverAPI
        /// The App Store Connect API.
        case connectAPI
        /// Signatures of promotional offers.
        case promotionalOffer
    }

    /// How many letters and digits an ID has.
    package static let idLength = 10

    /// Letters and digits, as in the `kid` of a token.
    package var id: String
    /// The number of the app it is for.
    package var app: Int64
    package var kind: Kind
    /// A UUID: the `iss` of a token. All keys of a store have the same.
    package var issuerID: String
    /// The point on P-256, uncompressed (X9.63).
    package var publicKey: [UInt8]
    package var created: Instant
    package var revoked: Instant?

    package init(
        id: String, app: Int64, kind: Kind, issuerID: String, publicKey: [UInt8], created: Instant,
        revoked: Instant? = nil
    ) {
        self.id = id
        self.app = app
        self.kind = kind
        self.issuerID = issuerID
        self.publicKey = publicKey
        self.created = created
        self.revoked = revoked
    }

    /// An ID has the form of Apple's; anything else need not be looked up.
    package static func isID(_ text: String) -> Bool {
        text.utf8.count == idLength
            && text.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
    }

    /// An ID of random bytes, one for each character.
    package static func id(from bytes: [UInt8]) -> String {
        let characters = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
        return String(bytes.prefix(idLength).map { characters[Int($0) % characters.count] })
    }
}
