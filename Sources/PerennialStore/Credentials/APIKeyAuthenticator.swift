import AppStoreFormats
import Crypto
import Perennial
import PerennialStorage
import Synchronization

/// An authenticated caller of the App Store Server API: a key, and the app it asks about.
package struct ServerAPICaller: Hashable, Sendable {
    package let keyID: String
    package let bundleID: App.BundleID
}

/// Authenticates the tokens of the App Store Server API.
///
/// Tokens are valid by the wall clock in every environment, because their makers know no other. Verified tokens are cached
/// until they expire; the key's revocation is checked at every request.
package final class APIKeyAuthenticator: Sendable {
    /// The number of cached tokens.
    private static let capacity = 1024

    private struct Verified {
        var caller: ServerAPICaller
        var claims: ServerAPIClaims
    }

    private let database: Database
    private let wallClock: @Sendable () -> Instant
    private let verified = Mutex<[String: Verified]>([:])

    init(database: Database, wallClock: @escaping @Sendable () -> Instant) {
        self.database = database
        self.wallClock = wallClock
    }

    /// Verifies a token.
    ///
    /// - Throws: ``StoreError`` `.unauthorized`, without a reason, as Apple's API gives none.
    package func caller(of token: String) async throws -> ServerAPICaller {
        let now = wallClock().milliseconds / 1000
        if let known = verified.withLock({ $0[token] }) {
            guard known.claims.areValid(at: now) else { throw StoreError.unauthenticated }
            return known.caller
        }
        guard let parsed = try? SignedJWT(token), APIKey.isID(parsed.keyID),
            let claims = ServerAPIClaims(payload: parsed.payload), claims.areValid(at: now)
        else { throw StoreError.unauthenticated }
        guard let key = try await database.read({ try APIKeysTable.key(parsed.keyID, on: $0) }),
            key.kind == .serverAPI, key.issuerID == claims.issuer,
            let publicKey = try? P256.Signing.PublicKey(x963Representation: key.publicKey),
            parsed.isSigned(by: publicKey)
        else { throw StoreError.unauthenticated }
        let caller = ServerAPICaller(keyID: key.id, bundleID: App.BundleID(rawValue: claims.bundleID))
        cache(token, Verified(caller: caller, claims: claims), at: now)
        return caller
    }

    private func cache(_ token: String, _ entry: Verified, at now: Int64) {
        verified.withLock { verified in
            if verified.count >= Self.capacity { verified = verified.filter { $0.value.claims.areValid(at: now) } }
            if verified.count >= Self.capacity { verified.removeAll(keepingCapacity: true) }
            verified[token] = entry
        }
    }
}

extension StoreError {
    static var unauthenticated: StoreError {
        StoreError(.unauthorized, "token", "the token proves no key of this store")
    }
}

/// Authorization of callers of the App Store Server API.
package struct Credentials: StoreChapter {
    let context: StoreContext

    /// Returns the app that a caller may ask about.
    ///
    /// - Throws: ``StoreError`` `.unauthorized` for a revoked key, and for the app of another key.
    package func app(of caller: ServerAPICaller) async throws -> App {
        try await database.read { [self] in try authorize(caller, on: $0).app }
    }

    /// The statements of ``authorize(_:on:)``, and those that its app is needed for.
    func readingAuthorization(
        of caller: ServerAPICaller, _ further: (_ app: Int64) -> AnnouncedRead
    ) -> [AnnouncedRead] {
        [APIKeysTable.readingApp(ofValidKey: caller.keyID), CatalogHeadTable.readingRevision]
            + (catalog.cache.lastKnownNumber(of: caller.bundleID).map { [further($0)] } ?? [])
    }

    /// Authorizes a caller in the transaction that answers.
    func authorize(_ caller: ServerAPICaller, on connection: any Connection) throws -> CatalogCache.Entry {
        guard let app = try APIKeysTable.app(ofValidKey: caller.keyID, on: connection),
            let entry = try catalog.entry(caller.bundleID, on: connection), entry.app.appleID == app
        else { throw StoreError.unauthenticated }
        return entry
    }
}
