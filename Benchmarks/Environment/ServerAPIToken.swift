import AppStoreFormats
import BaseEncoding
import Crypto
import Foundation
import Perennial
import PerennialConnect

/// A token of the App Store Server API, as a backend makes one with its key: good for as long as Apple allows.
enum ServerAPIToken {
    private static let lifetime: Int64 = 3_500

    private struct Claims: Encodable {
        var iss: String
        var iat: Int64
        var exp: Int64
        var aud: String
        var bid: String
    }

    static func make(for shop: BenchmarkStore) async throws -> String {
        try token(of: try await keys(of: shop).make(.serverAPI, for: BenchmarkCatalog.bundleID))
    }

    /// Makes a token of the App Store Connect API, with a key that may do everything. Such a token is good for 20 minutes.
    static func makeTeamKey(for shop: BenchmarkStore) async throws -> String {
        try token(of: try await keys(of: shop).makeTeamKey([.admin]), lifetime: 1_200)
    }

    private static func keys(of shop: BenchmarkStore) -> APIKeys {
        APIKeys(database: shop.database, wallClock: { Instant(Date()) }, randomBytes: BenchmarkStore.randomBytes)
    }

    private static func token(of made: APIKeys.IssuedKey, lifetime: Int64 = lifetime) throws -> String {
        let now = Int64(Date().timeIntervalSince1970)
        let claims = Claims(
            iss: made.key.issuerID, iat: now, exp: now + lifetime, aud: "appstoreconnect-v1",
            bid: BenchmarkCatalog.bundleID.rawValue)
        let header = ["alg": "ES256", "kid": made.key.id, "typ": "JWT"]
        let text = try [JSONEncoder().encode(header), JSONEncoder().encode(claims)]
            .map { Base64.encode(Array($0), as: .url) }.joined(separator: ".")
        let key = try P256.Signing.PrivateKey(pemRepresentation: made.privateKey)
        let signature = try key.signature(for: Data(text.utf8)).rawRepresentation
        return "\(text).\(Base64.encode(Array(signature), as: .url))"
    }
}
