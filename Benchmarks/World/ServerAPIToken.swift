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
        let now = Int64(Date().timeIntervalSince1970)
        let keys = APIKeys(
            database: shop.database, wallClock: { Instant(Date()) }, randomBytes: BenchmarkStore.randomBytes)
        let made = try await keys.make(.serverAPI, for: BenchmarkCatalog.bundleID)
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
