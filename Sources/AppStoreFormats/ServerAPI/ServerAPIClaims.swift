/// The claims of a Server API token, and the rules they must keep.
package struct ServerAPIClaims: Hashable, Sendable {
    /// The value of `aud`.
    package static let audience = "appstoreconnect-v1"
    /// The greatest distance of `exp` from now, in seconds.
    package static let maximumLifetime: Int64 = 3600

    /// `iss`: the seller's issuer ID.
    package var issuer: String
    /// `bid`: the app it asks about.
    package var bundleID: String
    /// `iat`, in seconds since 1970. Apple's Python library sends none.
    package var issued: Int64?
    /// `nbf`, in seconds since 1970, rounded up: the token is not good before (RFC 7519, section 4.1.5). Apple's libraries
    /// send none.
    package var notBefore: Int64?
    /// `exp`, in seconds since 1970.
    package var expires: Int64

    /// Reads the claims.
    ///
    /// - Returns: `nil` where one is missing, has another type, comes twice, or the audience is another.
    package init?(payload: [UInt8]) {
        guard let members = JWTMembers(payload: payload), members.text("aud") == Self.audience,
            let issuer = members.text("iss"), let bundleID = members.text("bid"),
            let expires = members.seconds("exp", .down)
        else { return nil }
        self.issuer = issuer
        self.bundleID = bundleID
        self.expires = expires
        do {
            issued = try members.optionalSeconds("iat", .down)
            notBefore = try members.optionalSeconds("nbf", .up)
        } catch {
            return nil
        }
    }

    /// Returns true if the token is valid at a time: issued, begun, not expired, and expiring at most an hour ahead,
    /// counted from its issue and from now.
    ///
    /// A token for a whole hour from a clock that runs ahead is therefore refused, as Apple refuses it.
    ///
    /// - Parameter now: Real time, in seconds since 1970.
    package func areValid(at now: Int64) -> Bool {
        let issued = issued ?? now
        return issued <= now && notBefore ?? now <= now && expires > now && expires - issued <= Self.maximumLifetime
            && expires - now <= Self.maximumLifetime
    }
}
