import AppStoreFormats
import BaseEncoding
import Crypto
import Foundation
import Perennial
import PerennialConnect
import Synchronization

/// A seller's server with its key, which makes tokens of the App Store Server API.
package struct TestServerAPIKey: Sendable {
    package let key: APIKey
    package let bundleID: App.BundleID
    private let privateKey: P256.Signing.PrivateKey

    /// Creates a key in a test store.
    package init(
        of shop: TestStore, _ kind: APIKey.Kind = .serverAPI, app: App.BundleID = TestCatalog.bundleID
    ) async throws {
        let made = try await shop.keys.make(kind, for: app)
        key = made.key
        bundleID = app
        privateKey = try P256.Signing.PrivateKey(pemRepresentation: made.privateKey)
    }

    /// Creates a key of the App Store Connect API.
    package init(of shop: TestStore, roles: Set<ConnectRole>) async throws {
        let made = try await shop.keys.makeTeamKey(roles)
        key = made.key
        bundleID = TestCatalog.bundleID
        privateKey = try P256.Signing.PrivateKey(pemRepresentation: made.privateKey)
    }

    /// Creates a user's individual key of the App Store Connect API.
    package init(of shop: TestStore, user: String) async throws {
        let made = try await shop.keys.makeIndividualKey(of: user)
        key = made.key
        bundleID = TestCatalog.bundleID
        privateKey = try P256.Signing.PrivateKey(pemRepresentation: made.privateKey)
    }

    package func revoke(in shop: TestStore) async throws {
        _ = try await shop.keys.revoke(key.id, of: bundleID)
    }

    /// Returns the claims of Apple's libraries, valid for five minutes.
    package func claims(at now: Instant) -> [String: JSONValue] {
        let seconds = now.milliseconds / 1000
        return [
            "iss": .string(key.issuerID), "iat": .number(Double(seconds)), "exp": .number(Double(seconds + 300)),
            "aud": "appstoreconnect-v1", "bid": .string(bundleID.rawValue),
        ]
    }

    /// Returns a token like Apple's libraries', with some members replaced; `nil` leaves one out.
    ///
    /// - Parameter raw: Additional claims with their JSON text.
    package func token(
        at now: Instant, header: [String: JSONValue?] = [:], claims: [String: JSONValue?] = [:],
        raw: [String: String] = [:]
    ) throws -> String {
        var head: [String: JSONValue] = ["alg": "ES256", "kid": .string(key.id), "typ": "JWT"]
        for (name, value) in header { head[name] = value }
        var body = self.claims(at: now)
        for (name, value) in claims { body[name] = value }
        let text = try [JSONValue.object(head).encoded, JSONValue.object(body).encoded(adding: raw)]
            .map { Base64.encode($0, as: .url) }.joined(separator: ".")
        let signature = try privateKey.signature(for: Data(text.utf8)).rawRepresentation
        return "\(text).\(Base64.encode(Array(signature), as: .url))"
    }
}

extension TestStore {
    private static let sellers = Mutex<UInt64>(0)

    /// The seller's keys, with random numbers that differ for each seller, so that no two keys have one ID.
    package var keys: APIKeys {
        let seed = Self.sellers.withLock { sellers in
            sellers += 1
            return sellers
        }
        return APIKeys(
            database: database, wallClock: { [clock] in clock.now }, randomBytes: SeededBytes(seed: seed).bytes)
    }
}
