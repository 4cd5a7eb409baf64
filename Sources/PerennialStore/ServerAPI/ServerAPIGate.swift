import AppStoreFormats
import Crypto
import Perennial
import PerennialStorage
import Synchronization

/// Who asks through the App Store Server API: a key that was proven, asking about its app.
package struct ServerAPICaller: Hashable, Sendable {
    package let keyID: String
    package let bundleID: App.BundleID
}

/// Judges the tokens of the App Store Server API.
///
/// Their times are judged by the world's clock in every environment: who makes a token knows no other. A token that was
/// verified is remembered until it expires; that its key is not revoked is looked up for every request.
package final class ServerAPIGate: Sendable {
    /// How many verified tokens are remembered.
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

    /// Who sent a token.
    ///
    /// - Throws: ``StoreError`` `.unauthorized`, which says nothing of what is wrong, as Apple says nothing.
    package func caller(of token: String) async throws -> ServerAPICaller {
        let now = wallClock().milliseconds / 1000
        if let known = verified.withLock({ $0[token] }) {
            guard known.claims.areValid(at: now) else { throw StoreError.unauthenticated }
            return known.caller
        }
        guard let parsed = try? KeySignedToken(token), APIKey.isID(parsed.keyID),
            let claims = ServerAPIClaims(payload: parsed.payload), claims.areValid(at: now)
        else { throw StoreError.unauthenticated }
        guard let key = try await database.read({ try APIKeysTable.key(parsed.keyID, on: $0) }),
            key.kind == .serverAPI, key.issuerID == claims.issuer,
            let publicKey = try? P256.Signing.PublicKey(x963Representation: key.publicKey),
            parsed.isSigned(by: publicKey)
        else { throw StoreError.unauthenticated }
        let caller = ServerAPICaller(keyID: key.id, bundleID: App.BundleID(rawValue: claims.bundleID))
        remember(token, Verified(caller: caller, claims: claims), at: now)
        return caller
    }

    private func remember(_ token: String, _ entry: Verified, at now: Int64) {
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

extension Store {
    /// The app that a caller may ask about.
    ///
    /// - Throws: ``StoreError`` `.unauthorized` for a key that was revoked, and for the app of another key.
    package func app(of caller: ServerAPICaller) async throws -> App {
        try await database.read { [self] in try admit(caller, on: $0).app }
    }

    /// Lets a caller in, in the transaction that answers.
    func admit(_ caller: ServerAPICaller, on connection: any Connection) throws -> CatalogCache.Entry {
        guard let app = try APIKeysTable.app(ofValidKey: caller.keyID, on: connection),
            let entry = try catalog.entry(caller.bundleID, on: connection), entry.app.appleID == app
        else { throw StoreError.unauthenticated }
        return entry
    }
}
