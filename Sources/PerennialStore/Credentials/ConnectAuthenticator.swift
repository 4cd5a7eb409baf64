import AppStoreFormats
import Crypto
import Perennial
import PerennialStorage
import Synchronization

/// An authenticated caller of the App Store Connect API.
package struct ConnectCaller: Hashable, Sendable {
    package let keyID: String
    package let roles: Set<ConnectRole>
    /// The apps that the caller may see; `nil` for all.
    package let visibleApps: Set<Int64>?
    /// The user whose individual key it is; `nil` for a team key.
    package let user: TeamUser?
    /// The token's claims: they may limit it to some requests.
    package let claims: ConnectClaims

    /// Returns true if the caller may perform the operations of a group.
    package func may(_ permission: ConnectRole.Permission) -> Bool {
        (user == nil || permission.isOpenToIndividualKeys) && roles.grant(permission)
    }

    /// The author of the caller's changes of the catalog.
    package var actor: CatalogActor { user.map { .user($0.username) } ?? .key(keyID) }
}

/// Authenticates the tokens of the App Store Connect API.
///
/// Tokens are valid by the wall clock in every environment, because their makers know no other. Verified tokens are cached
/// until they expire; the key's revocation, its roles and those of its user are read at every request.
package final class ConnectAuthenticator: Sendable {
    /// The number of cached tokens.
    private static let capacity = 1024
    /// The shortest time between two records of a key's last use.
    private static let usePrecision = Int64.minutes(1)

    private struct Verified {
        var keyID: String
        var claims: ConnectClaims
    }

    private let database: Database
    package let wallClock: @Sendable () -> Instant
    private let verified = Mutex<[String: Verified]>([:])

    init(database: Database, wallClock: @escaping @Sendable () -> Instant) {
        self.database = database
        self.wallClock = wallClock
    }

    /// Verifies a token.
    ///
    /// - Throws: ``StoreError`` `.unauthorized`, without a reason, as Apple's API gives none.
    package func caller(of token: String) async throws -> ConnectCaller {
        let now = wallClock()
        let seconds = now.milliseconds / 1000
        let known = verified.withLock { $0[token] }
        let parsed = known == nil ? try? SignedJWT(token) : nil
        guard let keyID = known?.keyID ?? parsed?.keyID, APIKey.isID(keyID),
            let claims = known?.claims ?? parsed.flatMap({ ConnectClaims(payload: $0.payload) }),
            claims.areValid(at: seconds),
            let (key, user) = try await database.read({ try Self.key(keyID, on: $0) }), key.kind == .connectAPI,
            key.revoked == nil, claims.issuer ?? key.issuerID == key.issuerID,
            claims.isIndividual == (key.teamUser != nil), key.teamUser == user?.id
        else { throw StoreError.unauthenticated }
        if known == nil {
            guard let publicKey = try? P256.Signing.PublicKey(x963Representation: key.publicKey),
                parsed?.isSigned(by: publicKey) == true
            else { throw StoreError.unauthenticated }
            cache(token, Verified(keyID: keyID, claims: claims), at: seconds)
        }
        if key.lastUsed.map({ now >= $0 + Self.usePrecision }) ?? true {
            // A store that can't write still answers.
            _ = try? await database.write { try APIKeysTable.recordUse(of: keyID, at: now, on: $0) }
        }
        return ConnectCaller(
            keyID: keyID, roles: user?.access.roles ?? key.roles, visibleApps: user.flatMap(\.access.scope),
            user: user, claims: claims)
    }

    /// Returns a key with the user whose individual key it is.
    private static func key(_ id: String, on connection: any Connection) throws -> (APIKey, TeamUser?)? {
        guard let key = try APIKeysTable.key(id, on: connection) else { return nil }
        return (key, try key.teamUser.flatMap { try TeamUsersTable.user($0, on: connection) })
    }

    private func cache(_ token: String, _ entry: Verified, at now: Int64) {
        verified.withLock { verified in
            if verified.count >= Self.capacity { verified = verified.filter { $0.value.claims.areValid(at: now) } }
            if verified.count >= Self.capacity { verified.removeAll(keepingCapacity: true) }
            verified[token] = entry
        }
    }
}
