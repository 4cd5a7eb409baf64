import BaseEncoding
import Crypto
import Foundation
import Perennial
import PerennialStorage

/// The console's visitors: one-time links, sessions, passwords of the team.
package struct ConsoleAccounts: Sendable {
    /// The life of a link that `perennial open` asks for.
    package static let linkLifetime = Int64.minutes(10)
    /// The life of the link of an invitation to choose a password.
    package static let invitationLifetime = TeamInvitation.lifetime
    /// The minimum in characters.
    package static let minimumPasswordLength = 10
    /// The size of codes and tokens, in bytes.
    private static let secretSize = 32
    /// A session's last use is recorded when it is that much later, so that reading pages writes rarely.
    private static let useInterval = Int64.minutes(5)

    let database: Database
    private let passwords: PasswordGate
    let wallClock: @Sendable () -> Instant
    let randomBytes: @Sendable (Int) -> [UInt8]

    /// - Parameter randomBytes: A cryptographically secure source for codes, tokens and salts.
    package init(
        database: Database, passwords: PasswordGate, wallClock: @escaping @Sendable () -> Instant,
        randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.database = database
        self.passwords = passwords
        self.wallClock = wallClock
        self.randomBytes = randomBytes
    }

    // MARK: One-time links

    /// Makes a link that signs in once as operator.
    ///
    /// - Parameter lifetime: In milliseconds.
    package func makeLink(lifetime: Int64 = linkLifetime) async throws -> ConsoleLink {
        try await makeLink(.signIn, user: { _ in nil }, lifetime: lifetime)
    }

    /// Makes a link with which a user chooses a password.
    ///
    /// - Parameter name: The user's ID or email address.
    /// - Throws: ``ConsoleSignInError`` `.userUnknown`.
    package func makePasswordLink(of name: String) async throws -> ConsoleLink {
        try await makeLink(.password, user: { try Self.user(name, on: $0).id }, lifetime: Self.invitationLifetime)
    }

    private func makeLink(
        _ purpose: ConsoleLink.Purpose, user: @escaping @Sendable (any Connection) throws -> String?, lifetime: Int64
    ) async throws -> ConsoleLink {
        let code = newSecret()
        let now = wallClock()
        try await database.write { connection in
            try ConsoleLinksTable.deleteExpired(at: now, on: connection)
            try ConsoleLinksTable.insert(
                Self.digest(code), user: user(connection), expires: now + lifetime, on: connection)
        }
        return ConsoleLink(code: code, purpose: purpose, expires: now + lifetime)
    }

    /// Signs in by a one-time link, which it uses up.
    ///
    /// - Returns: The session's token.
    /// - Throws: ``ConsoleSignInError`` `.linkInvalid`, ``PasswordRefusal``.
    package func signIn(link code: String, from address: ClientAddress?) async throws -> String {
        let token = try await passwords.usesCode(from: address) {
            do {
                return try await openSession(link: Self.digest(code), from: address)
            } catch ConsoleSignInError.linkInvalid {
                return String?.none
            }
        }
        guard let token else { throw ConsoleSignInError.linkInvalid }
        return token
    }

    private func openSession(link digest: String, from address: ClientAddress?) async throws -> String {
        try await openSession(from: address) { connection, now in
            guard let link = try ConsoleLinksTable.link(digest, on: connection), link.user == nil, now < link.expires,
                try ConsoleLinksTable.remove(digest, on: connection)
            else { throw ConsoleSignInError.linkInvalid }
            return nil
        }
    }

    // MARK: Passwords

    /// Signs a user of the team in.
    ///
    /// - Returns: The session's token.
    /// - Throws: ``ConsoleSignInError`` `.wrong`, ``PasswordRefusal``.
    package func signIn(_ name: String, password: String, from address: ClientAddress?) async throws -> String {
        let name = name.lowercased()
        let known = try await database.read { connection -> (id: String, hash: PasswordHash)? in
            guard let user = try TeamUsersTable.named(name, on: connection),
                let hash = try TeamPasswordsTable.hash(of: user.id, on: connection)
            else { return nil }
            return (user.id, hash)
        }
        let isRight = try await passwords.admits(
            password, known: known?.hash, account: "console \(name)", from: address)
        guard isRight, let known else { throw ConsoleSignInError.wrong }
        return try await openSession(from: address) { connection, _ in
            // The password may have changed meanwhile, or the user may have left.
            guard try TeamPasswordsTable.hash(of: known.id, on: connection) == known.hash else {
                throw ConsoleSignInError.wrong
            }
            return known.id
        }
    }

    /// Sets a user's password, and ends the user's sessions.
    ///
    /// - Parameter name: The user's ID or email address.
    /// - Throws: ``ConsoleSignInError`` `.userUnknown`, `.passwordTooShort`, `.passwordTooLong`, ``PasswordRefusal``.
    package func setPassword(of name: String, to password: String, from address: ClientAddress? = nil) async throws {
        let user = try await database.read { try Self.user(name, on: $0) }
        let hash = try await hash(password, from: address)
        let now = wallClock()
        try await database.write { try Self.set(hash, of: user.id, at: now, on: $0) }
    }

    /// Sets the password of the user whose link it is, and uses the link up.
    ///
    /// - Returns: The user's name.
    /// - Throws: ``ConsoleSignInError``, ``PasswordRefusal``.
    package func setPassword(
        _ password: String, link code: String, from address: ClientAddress?
    ) async throws -> String {
        // Before the password is hashed, which costs: codes can't be guessed, but tried.
        guard try await userName(ofLink: code) != nil else { throw ConsoleSignInError.linkInvalid }
        let hash = try await hash(password, from: address)
        let digest = Self.digest(code)
        let now = wallClock()
        return try await database.write { connection in
            guard let link = try ConsoleLinksTable.link(digest, on: connection), now < link.expires,
                let id = link.user, let user = try TeamUsersTable.user(id, on: connection),
                try ConsoleLinksTable.remove(digest, on: connection)
            else { throw ConsoleSignInError.linkInvalid }
            try Self.set(hash, of: id, at: now, on: connection)
            return user.username
        }
    }

    /// Returns the name of the user who may choose a password by a link; `nil` for an invalid link.
    package func userName(ofLink code: String) async throws -> String? {
        let now = wallClock()
        return try await database.read { connection in
            guard let link = try ConsoleLinksTable.link(Self.digest(code), on: connection), now < link.expires,
                let user = link.user
            else { return nil }
            return try TeamUsersTable.user(user, on: connection)?.username
        }
    }

    private func hash(_ password: String, from address: ClientAddress?) async throws -> PasswordHash {
        guard password.unicodeScalars.count >= Self.minimumPasswordLength else {
            throw ConsoleSignInError.passwordTooShort(minimum: Self.minimumPasswordLength)
        }
        guard password.utf8.count <= PasswordHash.maximumPasswordSize else {
            throw ConsoleSignInError.passwordTooLong(maximum: PasswordHash.maximumPasswordSize)
        }
        return try await passwords.hash(password, salt: randomBytes(PasswordHash.saltSize), from: address)
    }

    private static func set(
        _ hash: PasswordHash, of user: String, at now: Instant, on connection: any Connection
    ) throws {
        guard try TeamUsersTable.user(user, on: connection) != nil else { throw ConsoleSignInError.userUnknown(user) }
        try TeamPasswordsTable.upsert(hash, user: user, at: now, on: connection)
        try ConsoleSessionsTable.delete(ofUser: user, on: connection)
        try ConsoleLinksTable.delete(ofUser: user, on: connection)
    }

    private static func user(_ name: String, on connection: any Connection) throws -> TeamUser {
        let key = name.lowercased()
        let user = try TeamUsersTable.user(key, on: connection) ?? TeamUsersTable.named(key, on: connection)
        guard let user else { throw ConsoleSignInError.userUnknown(name) }
        return user
    }

    // MARK: Sessions

    /// - Parameter prove: Returns the user's ID, `nil` for the operator.
    private func openSession(
        from address: ClientAddress?, _ prove: @escaping @Sendable (any Connection, Instant) throws -> String?
    ) async throws -> String {
        let token = newSecret()
        let now = wallClock()
        try await database.write { connection in
            let user = try prove(connection, now)
            try ConsoleSessionsTable.deleteExpired(
                unusedSince: now + -ConsoleSession.idleLifetime, createdBefore: now + -ConsoleSession.lifetime,
                on: connection)
            try ConsoleSessionsTable.insert(
                ConsoleSessionsTable.Record(
                    digest: Self.digest(token), user: user, created: now, lastUsed: now,
                    address: address?.network ?? ""),
                on: connection)
        }
        return token
    }

    /// Returns the session of a token; `nil` for none that is valid.
    package func session(token: String) async throws -> ConsoleSession? {
        let digest = Self.digest(token)
        let found = try await database.read { connection -> ConsoleSession? in
            guard let record = try ConsoleSessionsTable.session(digest, on: connection) else { return nil }
            let user = try record.user.map { try TeamUsersTable.user($0, on: connection) }
            // The user has left the team.
            if case .some(.none) = user { return nil }
            return ConsoleSession(
                digest: digest, user: user ?? nil, created: record.created, lastUsed: record.lastUsed)
        }
        let now = wallClock()
        guard let found, found.isValid(at: now) else { return nil }
        if now - found.lastUsed > Self.useInterval {
            try await database.write { try ConsoleSessionsTable.recordUse(of: digest, at: now, on: $0) }
        }
        return found
    }

    /// Ends a session.
    package func signOut(_ session: ConsoleSession) async throws {
        try await database.write { try ConsoleSessionsTable.delete(session.digest, on: $0) }
    }

    /// Ends all sessions of a session's user; those of all operators for an operator's.
    package func signOutEverywhere(_ session: ConsoleSession) async throws {
        try await database.write { try ConsoleSessionsTable.delete(ofUser: session.user?.id, on: $0) }
    }

    private func newSecret() -> String { Base64.encode(randomBytes(Self.secretSize), as: .url) }

    private static func digest(_ secret: String) -> String {
        Hexadecimal.encode(SHA256.hash(data: Data(secret.utf8)))
    }
}
