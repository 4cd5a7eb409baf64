import BaseEncoding
import Crypto
import Foundation
import Perennial
import PerennialStorage

/// The API keys of a seller's servers: creates, lists and revokes them.
package struct APIKeys: Sendable {
    /// A new key with its private half, which is shown only once.
    package struct IssuedKey: Sendable {
        package var key: APIKey
        /// The private key in PKCS#8 and PEM, as in a `.p8` file.
        package var privateKey: String
    }

    let database: Database
    private let wallClock: @Sendable () -> Instant
    let randomBytes: @Sendable (Int) -> [UInt8]

    /// Creates the keys of a database.
    /// - Parameter randomBytes: A cryptographically secure source for IDs and secrets.
    package init(
        database: Database, wallClock: @escaping @Sendable () -> Instant,
        randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.database = database
        self.wallClock = wallClock
        self.randomBytes = randomBytes
    }

    /// The team whose keys they are.
    package var team: Team { Team(database: database, wallClock: wallClock) }

    /// Creates a key for an app; one of the App Store Connect API is the seller's and may do everything.
    /// - Throws: ``KeyError`` `.appNotFound`.
    package func make(_ kind: APIKey.Kind, for bundleID: App.BundleID) async throws -> IssuedKey {
        try await make(kind, roles: kind == .connectAPI ? [.admin] : []) { connection in
            let app = try Self.app(bundleID, on: connection).id
            return kind == .connectAPI ? APIKey.team : app
        }
    }

    /// Creates a key of the App Store Connect API, which opens all apps of the seller.
    /// - Throws: ``KeyError`` `.rolesMissing`, also for a role that keys can't have.
    package func makeTeamKey(_ roles: Set<ConnectRole>) async throws -> IssuedKey {
        guard !roles.isEmpty else { throw KeyError(.rolesMissing, "roles", "a key has at least one role") }
        if let role = roles.subtracting(ConnectRole.ofKeys).names.first {
            throw KeyError(.rolesMissing, "roles", "a team key can't have the role \(role): users have it")
        }
        return try await make(.connectAPI, roles: roles) { _ in APIKey.team }
    }

    /// Creates a user's individual key of the App Store Connect API, which has the user's roles and apps.
    ///
    /// - Parameter name: The user's ID or email address.
    /// - Throws: ``KeyError`` `.userNotFound`, ``CatalogEditError`` `.state` for a user whose roles allow no key.
    package func makeIndividualKey(of name: String) async throws -> IssuedKey {
        try await make(
            .connectAPI, roles: [],
            user: { connection in
                let team = TeamDraft(on: connection, at: wallClock())
                guard let user = try? team.found(name) else {
                    throw KeyError(.userNotFound, name, "the team has no such user")
                }
                try user.checkMayHaveKey()
                return user.id
            }
        ) { _ in APIKey.team }
    }

    private func make(
        _ kind: APIKey.Kind, roles: Set<ConnectRole>,
        user: @escaping @Sendable (any Connection) throws -> String? = { _ in nil },
        app: @escaping @Sendable (any Connection) throws -> Int64
    ) async throws -> IssuedKey {
        let privateKey = P256.Signing.PrivateKey()
        let publicKey = Array(privateKey.publicKey.x963Representation)
        let (id, issuer) = (APIKey.id(from: randomBytes(APIKey.idLength)), uuid())
        let now = wallClock()
        let key = try await database.write { connection in
            // Nodes that start together create keys. The lock orders them, so that all keys have one issuer.
            try EnvironmentsTable.lock(.production, on: connection)
            let key = APIKey(
                id: id, app: try app(connection), kind: kind,
                issuerID: try APIKeysTable.issuerID(on: connection) ?? issuer, publicKey: publicKey, created: now,
                roles: roles, teamUser: try user(connection))
            try APIKeysTable.insert(key, on: connection)
            return key
        }
        return IssuedKey(key: key, privateKey: privateKey.pemRepresentation + "\n")
    }

    /// Returns all keys of an app, oldest first, including revoked ones and those of the App Store Connect API.
    package func all(of bundleID: App.BundleID) async throws -> [APIKey] {
        try await database.read { connection in
            try APIKeysTable.all(of: try Self.app(bundleID, on: connection).id, on: connection)
        }
    }

    /// Returns all keys of the App Store Connect API, oldest first, including revoked ones.
    package func teamKeys() async throws -> [APIKey] {
        try await database.read { try APIKeysTable.all(of: APIKey.team, on: $0) }
    }

    /// Returns keys of an app and of the team that were created after another key, oldest first, including revoked ones.
    ///
    /// - Parameters:
    ///   - app: The app's Apple ID; `nil` for the team's keys only.
    ///   - last: The ID of the last key of the page before; `nil` for the first page.
    package func page(ofApp app: Int64?, after last: String?, limit: Int) async throws -> [APIKey] {
        try await database.read { connection in
            let last = try last.flatMap { APIKey.isID($0) ? try APIKeysTable.key($0, on: connection) : nil }
            let keys = try [app, APIKey.team].compactMap(\.self).flatMap {
                try APIKeysTable.page(of: $0, after: last, limit: limit, on: connection)
            }
            return Array(keys.sorted { ($0.created, $0.id) < ($1.created, $1.id) }.prefix(limit))
        }
    }

    /// Returns a key of an app or of the team, also a revoked one.
    ///
    /// - Parameter app: The app's Apple ID; `nil` for the team's keys only.
    package func key(_ id: String, ofApp app: Int64?) async throws -> APIKey? {
        guard APIKey.isID(id) else { return nil }
        return try await database.read { connection in
            try APIKeysTable.key(id, on: connection).flatMap { [app, APIKey.team].contains($0.app) ? $0 : nil }
        }
    }

    /// Revokes a key for good. Repeating it changes nothing.
    package func revoke(_ id: String, of bundleID: App.BundleID) async throws -> APIKey {
        try await revoke(id) { try Self.app(bundleID, on: $0).id }
    }

    /// Revokes a key of the App Store Connect API for good. Repeating it changes nothing.
    package func revokeTeamKey(_ id: String) async throws -> APIKey {
        try await revoke(id) { _ in APIKey.team }
    }

    private func revoke(
        _ id: String, of app: @escaping @Sendable (any Connection) throws -> Int64
    ) async throws -> APIKey {
        let now = wallClock()
        return try await database.write { connection in
            let app = try app(connection)
            try APIKeysTable.revoke(id, app: app, at: now, on: connection)
            guard let key = try APIKeysTable.key(id, on: connection), [app, APIKey.team].contains(key.app) else {
                throw KeyError(.keyNotFound, id, "there is no such key")
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
        let text = Hexadecimal.encode(bytes)
        let cuts = [0, 8, 12, 16, 20, 32].map { text.index(text.startIndex, offsetBy: $0) }
        return zip(cuts, cuts.dropFirst()).map { String(text[$0..<$1]) }.joined(separator: "-")
    }

    static func app(_ bundleID: App.BundleID, on connection: any Connection) throws -> AppsTable.Record {
        guard let app = try AppsTable.all(on: connection).first(where: { $0.bundleID == bundleID }) else {
            throw KeyError(.appNotFound, bundleID.rawValue, "this store has no app with that bundle ID")
        }
        return app
    }
}

/// The reason why a request about a key or a secret is refused.
package struct KeyError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable { case appNotFound, keyNotFound, rolesMissing, userNotFound }

    package let code: Code
    /// The app or key it is about.
    package let subject: String
    package let reason: String

    package init(_ code: Code, _ subject: String, _ reason: String) {
        self.code = code
        self.subject = subject
        self.reason = reason
    }

    package var description: String { "\(code.rawValue): \(subject): \(reason)" }
    package static func == (one: Self, other: Self) -> Bool { one.code == other.code }
}
