/// An API key of a seller's server. The store keeps the public half; the private half is shown once, when the key is
/// created.
package struct APIKey: Hashable, Sendable {
    /// The API that a key is for.
    package enum Kind: String, Sendable, CaseIterable {
        /// The App Store Server API.
        case serverAPI
        /// The App Store Connect API.
        case connectAPI
        /// Signatures of promotional offers.
        case promotionalOffer
    }

    /// The number of letters and digits in an ID.
    package static let idLength = 10

    /// The ID: letters and digits, as in the `kid` of a token.
    package var id: String
    /// The app's Apple ID; ``team`` for a key of the App Store Connect API, which is the seller's and opens all apps.
    package var app: Int64
    package var kind: Kind
    /// The `iss` of a token, a UUID. All keys of a store have the same.
    package var issuerID: String
    /// The public key: an uncompressed point on P-256 (X9.63).
    package var publicKey: [UInt8]
    package var created: Instant
    package var revoked: Instant?
    /// The roles of a team key of the App Store Connect API; other keys have none.
    package var roles: Set<ConnectRole>
    /// The last use of a key of the App Store Connect API, to the minute; `nil` before the first.
    package var lastUsed: Instant?
    /// The ID of the user whose individual key it is, with the user's roles and apps; `nil` for a team key.
    package var teamUser: String?

    /// Stands for all apps of the seller.
    package static let team: Int64 = 0

    package init(
        id: String, app: Int64, kind: Kind, issuerID: String, publicKey: [UInt8], created: Instant,
        revoked: Instant? = nil, roles: Set<ConnectRole> = [], lastUsed: Instant? = nil,
        teamUser: String? = nil
    ) {
        self.id = id
        self.app = app
        self.kind = kind
        self.issuerID = issuerID
        self.publicKey = publicKey
        self.created = created
        self.revoked = revoked
        self.roles = roles
        self.lastUsed = lastUsed
        self.teamUser = teamUser
    }

    /// Returns true if a text has the form of a key ID. Other texts needn't be looked up.
    package static func isID(_ text: String) -> Bool {
        text.utf8.count == idLength
            && text.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
    }

    /// Creates an ID from random bytes, one for each character.
    package static func id(from bytes: [UInt8]) -> String {
        let characters = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
        return String(bytes.prefix(idLength).map { characters[Int($0) % characters.count] })
    }
}
