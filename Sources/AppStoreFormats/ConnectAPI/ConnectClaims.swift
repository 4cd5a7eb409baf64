/// The claims of a token of the App Store Connect API, and the rules that they must keep (docs/reference/connect-api.md,
/// "Tokens").
package struct ConnectClaims: Hashable, Sendable {
    /// The value of `aud`.
    package static let audience = "appstoreconnect-v1"
    /// The longest life of a token, in seconds.
    package static let maximumLifetime: Int64 = 1200
    /// The tolerated difference between the clocks of the store and of a token's maker, in seconds.
    package static let clockSkew: Int64 = 60

    /// `iss`: the seller's issuer ID; `nil` in a token of an individual key.
    package var issuer: String?
    /// `sub`: `user` in a token of an individual key.
    package var subject: String?
    /// `iat`, in seconds since 1970. Several clients send none.
    package var issued: Int64?
    /// `nbf`, in seconds since 1970, rounded up.
    package var notBefore: Int64?
    /// `exp`, in seconds since 1970.
    package var expires: Int64
    /// `scope`: the requests that the token is for; `nil` for all.
    package var scope: [ConnectScope]?

    /// True for a token of a user's own key, which names no issuer.
    package var isIndividual: Bool { issuer == nil && subject == "user" }

    /// Reads the claims.
    ///
    /// - Returns: `nil` where one is missing, has another type, comes twice, or the audience is another.
    package init?(payload: [UInt8]) {
        guard let members = JWTMembers(payload: payload), members.text("aud") == Self.audience,
            let expires = members.seconds("exp", .down)
        else { return nil }
        self.expires = expires
        (issuer, subject) = (members.strings["iss"], members.strings["sub"])
        // Without an issuer the token is a user's.
        guard issuer != nil || !members.names.contains("iss") && subject == "user" else { return nil }
        do {
            issued = try members.optionalSeconds("iat", .down)
            notBefore = try members.optionalSeconds("nbf", .up)
        } catch {
            return nil
        }
        guard members.names.contains("scope") else { return }
        guard let entries = members.lists["scope"] else { return nil }
        scope = entries.compactMap { ConnectScope($0) }
    }

    /// Returns true if the token is valid at a time: issued, begun, not expired, and made for at most 20 minutes.
    ///
    /// Without `iat` the life is counted from now.
    /// - Parameter now: Real time, in seconds since 1970.
    package func areValid(at now: Int64) -> Bool {
        guard expires > now, notBefore ?? now <= now + Self.clockSkew else { return false }
        guard let issued else { return expires - now <= Self.maximumLifetime + Self.clockSkew }
        return issued <= now + Self.clockSkew && expires - issued <= Self.maximumLifetime
    }

    /// Returns true if the token is for a request; one without a scope is for all.
    ///
    /// - Parameters:
    ///   - path: Without its environment: `/v1/salesReports`.
    ///   - query: The names and values, decoded.
    package func allow(method: String, path: String, query: [(name: String, value: String)]) -> Bool {
        guard let scope else { return true }
        return scope.contains { $0.matches(method: method, path: path, query: query) }
    }
}
