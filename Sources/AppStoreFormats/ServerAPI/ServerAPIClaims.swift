import FastJSON
import Perennial

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

    private static let endOfTime = 253_402_300_799.0

    /// Reads the claims.
    ///
    /// - Returns: `nil` where one is missing, has another type, comes twice, or the audience is another.
    package init?(payload: [UInt8]) {
        var strings: [String: String] = [:]
        var numbers: [String: Double] = [:]
        var seen: Set<String> = []
        var isStrict = true
        var scanner = JSONScanner(payload)
        do {
            try scanner.scanEveryMember { key, value in
                if !seen.insert(key).inserted { isStrict = false }
                switch value {
                case .string(let text): strings[key] = text
                case .number(let number): numbers[key] = number
                case .strings(let texts) where texts.count == 1: strings[key] = texts[0]
                default: break
                }
            }
        } catch {
            return nil
        }
        guard isStrict, strings["aud"] == Self.audience, let issuer = strings["iss"], let bundleID = strings["bid"],
            let expires = numbers["exp"], (0...Self.endOfTime).contains(expires)
        else { return nil }
        self.issuer = issuer
        self.bundleID = bundleID
        func seconds(_ name: String, _ rule: FloatingPointRoundingRule) -> Int64? {
            guard let number = numbers[name], (0...Self.endOfTime).contains(number) else { return nil }
            return Int64(exactly: number.rounded(rule))
        }
        self.expires = Int64(nearest: expires.rounded(.down))
        for (name, claim) in [("iat", \Self.issued), ("nbf", \Self.notBefore)] where seen.contains(name) {
            guard let time = seconds(name, name == "nbf" ? .up : .down) else { return nil }
            self[keyPath: claim] = time
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
