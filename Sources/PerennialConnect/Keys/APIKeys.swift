import Crypto
import Foundation
import Perennial
import PerennialStorage

/// The keys of a seller's servers: made, listed and revoked.
package struct APIKeys: Sendable {
    /// A key with its private half, which only its maker ever sees.
    package struct Made: Sendable {
        package var key: APIKey
        /// PKCS#8 in PEM: what Apple's libraries read from a `.p8` file.
        package var privateKey: String
    }

    private let database: Database
    private let wallClock: @Sendable () -> Instant
    private let randomBytes: @Sendable (Int) -> [UInt8]

    /// - Parameter randomBytes: Where IDs and secrets come from: a cryptographically secure source.
    package init(
        database: Database, wallClock: @escaping @Sendable () -> Instant,
        randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.database = database
        self.wallClock = wallClock
        self.randomBytes = randomBytes
    }

    /// - Throws: ``KeyError`` `.appNotFound`.
    package func make(_ kind: APIKey.Kind, for bundleID: App.BundleID) async throws -> Made {
        let privateKey = P256.Signing.PrivateKey()
        let publicKey = Array(privateKey.publicKey.x963Representation)
        let (id, issuer) = (APIKey.id(from: randomBytes(APIKey.idLength)), uuid())
        let now = wallClock()
        let key = try await database.write { connection in
            // Nodes that start together make keys: one after the other, so that all name one issuer.
            try EnvironmentsTable.lock(.production, on: connection)
            let app = try Self.app(bundleID, on: connection)
            let key = APIKey(
                id: id, app: app.id, kind: kind, issuerID: try APIKeysTable.issuerID(on: connection) ?? issuer,
                publicKey: publicKey, created: now)
            try APIKeysTable.insert(key, on: connection)
            return key
        }
        return Made(key: key, privateKey: privateKey.pemRepresentation + "\n")
    }

    /// All keys of an app, oldest first, revoked ones too.
    ///
    /// - Throws: ``KeyError`` `.appNotFound`.
    package func all(of bundleID: App.BundleID) async throws -> [APIKey] {
        try await database.read { connection in
            try APIKeysTable.all(of: try Self.app(bundleID, on: connection).id, on: connection)
        }
    }

    /// Revokes a key for good. Doing so again changes nothing.
    ///
    /// - Throws: ``KeyError`` `.appNotFound`, `.keyNotFound`, also for another app's key.
    package func revoke(_ id: String, of bundleID: App.BundleID) async throws -> APIKey {
        let now = wallClock()
        return try await database.write { connection in
            let app = try Self.app(bundleID, on: connection)
            try APIKeysTable.revoke(id, app: app.id, at: now, on: connection)
            guard let key = try APIKeysTable.key(id, on: connection), key.app == app.id else {
                throw KeyError(.keyNotFound, id, "this app has no key with that ID")
            }
            return key
        }
    }

    private func uuid() -> String {
        var bytes = randomBytes(16)
        guard bytes.count == 16 else { return "" }
        // Version 4 of RFC 9562.
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let text = bytes.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
        let cuts = [0, 8, 12, 16, 20, 32].map { text.index(text.startIndex, offsetBy: $0) }
        return zip(cuts, cuts.dropFirst()).map { String(text[$0..<$1]) }.joined(separator: "-")
    }
}

extension APIKeys {
    private static let sharedSecretBytes = 16

    /// An app's shared secret; `nil` where it was revoked.
    ///
    /// - Throws: ``KeyError`` `.appNotFound`.
    package func sharedSecret(of bundleID: App.BundleID) async throws -> String? {
        try await database.read { connection in
            let secret = try Self.app(bundleID, on: connection).sharedSecret
            return secret.isEmpty ? nil : secret
        }
    }

    /// A new shared secret, which is the only one that counts from now on.
    ///
    /// - Throws: ``KeyError`` `.appNotFound`.
    package func makeSharedSecret(of bundleID: App.BundleID) async throws -> String {
        let secret = randomBytes(Self.sharedSecretBytes).map { String(UInt16($0) + 256, radix: 16).dropFirst() }
            .joined()
        try await setSharedSecret(secret, of: bundleID)
        return secret
    }

    /// From now on no secret is the app's, until one is made. A catalog that names one gives it back at the next start.
    ///
    /// - Throws: ``KeyError`` `.appNotFound`.
    package func revokeSharedSecret(of bundleID: App.BundleID) async throws {
        try await setSharedSecret("", of: bundleID)
    }

    private func setSharedSecret(_ secret: String, of bundleID: App.BundleID) async throws {
        try await database.write { connection in
            try EnvironmentsTable.lock(.production, on: connection)
            var app = try Self.app(bundleID, on: connection)
            app.sharedSecret = secret
            app.revision += 1
            try AppsTable.upsert(app, on: connection)
        }
    }

    private static func app(_ bundleID: App.BundleID, on connection: any Connection) throws -> AppsTable.Record {
        guard let app = try AppsTable.all(on: connection).first(where: { $0.bundleID == bundleID }) else {
            throw KeyError(.appNotFound, bundleID.rawValue, "this store has no app with that bundle ID")
        }
        return app
    }
}
