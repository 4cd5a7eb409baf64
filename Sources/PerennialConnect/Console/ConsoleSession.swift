import Perennial

/// A visitor of the console who is signed in.
package struct ConsoleSession: Sendable {
    /// Idle longer than that, it ends.
    package static let idleLifetime = Int64.hours(12)
    package static let lifetime = Int64.days(7)

    /// The digest of its token.
    package var digest: String
    /// The user of the team; `nil` for the operator who came by a one-time link, and may do everything.
    package var user: TeamUser?
    package var created: Instant
    package var lastUsed: Instant

    func isValid(at now: Instant) -> Bool {
        now < lastUsed + Self.idleLifetime && now < created + Self.lifetime
    }
}

/// A link that is used once.
package struct ConsoleLink: Hashable, Sendable {
    package enum Purpose: Sendable {
        /// Signs in as operator.
        case signIn
        /// Lets a user choose a password.
        case password
    }

    package var code: String
    package var purpose: Purpose
    package var expires: Instant

    /// The picture's path on the server.
    package var path: String {
        switch purpose {
        case .signIn: "/connect?code=\(code)"
        case .password: "/console/password?code=\(code)"
        }
    }
}

/// The reason that a visitor isn't signed in, or that a password isn't changed.
package enum ConsoleSignInError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name is unknown, has no password, or has another: one text for all.
    case wrong
    /// The link was used, has expired or never was.
    case linkInvalid
    /// The minimum is in characters.
    case passwordTooShort(minimum: Int)
    /// The maximum is in bytes of UTF-8.
    case passwordTooLong(maximum: Int)
    case userUnknown(String)

    package var description: String {
        switch self {
        case .wrong: "the name or the password is wrong"
        case .linkInvalid: "the link was used before, or it has expired: ask for another one"
        case .passwordTooShort(let minimum): "a password has at least \(minimum) characters"
        case .passwordTooLong(let maximum): "a password has at most \(maximum) bytes of UTF-8"
        case .userUnknown(let name): "there is no user \(name) in the team"
        }
    }
}
