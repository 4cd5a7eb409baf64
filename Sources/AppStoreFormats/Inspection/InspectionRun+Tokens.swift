import Crypto
import Foundation
import Perennial

/// Tokens that a seller's server signs with its own key.
extension InspectionRun {
    mutating func inspectToken(_ jws: InspectedJWS, _ layers: Layers) -> Inspection {
        let claims = jws.payload ?? StoreKitJSON.Object()
        var inspection = Inspection(Self.tokenKind(claims))
        start(&inspection, jws, layers)
        let header = jws.header ?? StoreKitJSON.Object()
        checkAlgorithm(header, &inspection)
        checkClaims(claims, &inspection)
        checkAudience(claims, &inspection)
        checkLifetime(claims, &inspection)
        let key = checkKey(header, claims, &inspection)
        checkSignature(of: jws, key, &inspection)
        check(bundleID: claims[string: "bid"], &inspection)
        checkAgain(jws, key, &inspection)
        inspection = finish(inspection, jws, layers)
        if let id = header[string: "kid"] { inspection.references.append(.init(.key, String(id.prefix(64)))) }
        let members = header.members.map {
            Inspection.Field($0.key, "\($0.value)", meaning: FieldMeanings.meaning(of: $0.key))
        }
        inspection.fields.insert(contentsOf: members, at: 0)
        return inspection
    }

    private static func tokenKind(_ claims: StoreKitJSON.Object) -> Inspection.Kind {
        switch claims[string: "aud"] {
        case "promotional-offer", "introductory-offer-eligibility": .offerToken
        case "advanced-commerce-api": .advancedCommerceToken
        default: claims["bid"] != nil ? (claims["nonce"] != nil ? .offerToken : .serverAPIToken) : .connectToken
        }
    }

    private func checkClaims(_ claims: StoreKitJSON.Object, _ inspection: inout Inspection) {
        let texts: [String]
        let numbers: [String]
        switch inspection.kind {
        case .serverAPIToken: (texts, numbers) = (["iss", "aud", "bid"], ["exp"])
        case .connectToken: (texts, numbers) = ([claims["sub"] == nil ? "iss" : "sub", "aud"], ["exp"])
        case .offerToken: (texts, numbers) = (["iss", "aud", "bid", "nonce", "productId"], ["iat"])
        default: (texts, numbers) = (["iss", "aud", "bid", "nonce", "request"], ["iat"])
        }
        let missing =
            texts.filter { claims[string: $0] == nil && claims[strings: $0].count != 1 }
            + numbers.filter { claims[double: $0] == nil }
        if missing.isEmpty {
            inspection.pass(.claims, .init(.claimsThere))
        } else {
            inspection.fail(.claims, .init(.claimsMissing, missing.joined(separator: ", ")))
        }
    }

    private func checkAudience(_ claims: StoreKitJSON.Object, _ inspection: inout Inspection) {
        let found = claims[string: "aud"] ?? claims[strings: "aud"].joined(separator: ", ")
        let right =
            switch inspection.kind {
            case .offerToken: ["promotional-offer", "introductory-offer-eligibility"]
            case .advancedCommerceToken: ["advanced-commerce-api"]
            default: [ServerAPIClaims.audience]
            }
        if right.contains(found) {
            inspection.pass(.audience, .init(.audienceRight, found))
        } else {
            let shown = found.isEmpty ? "–" : String(found.prefix(100))
            inspection.fail(.audience, .init(.audienceWrong, shown, right.joined(separator: ", ")))
        }
    }

    private func checkLifetime(_ claims: StoreKitJSON.Object, _ inspection: inout Inspection) {
        for name in ["iat", "nbf", "exp"] where (claims[double: name] ?? 0) > 100_000_000_000 {
            return inspection.fail(.lifetime, .init(.timeInMilliseconds, name))
        }
        let now = Double(context.wallClock) / 1000
        func text(_ seconds: Double) -> String { InspectionDate.text(milliseconds: seconds * 1000) ?? "\(seconds)" }
        let skew = inspection.kind == .serverAPIToken ? 0 : Double(ConnectClaims.clockSkew)
        let begin = max(claims[double: "iat"] ?? now, claims[double: "nbf"] ?? 0)
        if begin > now + skew {
            return inspection.fail(.lifetime, .init(.tokenNotYetValid, text(begin), text(now)))
        }
        guard let end = claims[double: "exp"] else {
            guard [.offerToken, .advancedCommerceToken].contains(inspection.kind) else { return }
            let signed = Int64(clamping: Int(max(0, min(begin, 253_402_300_799)) * 1000))
            return checkFreshness(Instant(milliseconds: signed), &inspection)
        }
        if end <= now {
            return inspection.fail(.lifetime, .init(.tokenExpired, text(end), text(now)))
        }
        let longest: Int64? =
            switch inspection.kind {
            case .serverAPIToken: ServerAPIClaims.maximumLifetime
            case .connectToken: ConnectClaims.maximumLifetime
            default: nil
            }
        if let longest, end - (claims[double: "iat"] ?? now) > Double(longest) {
            let minutes = min((end - (claims[double: "iat"] ?? now)) / 60, 1e12).rounded(.up)
            return inspection.fail(.lifetime, .init(.tokenTooLong, "\(Int(minutes))", "\(longest / 60)"))
        }
        inspection.pass(.lifetime, .init(.tokenValid, text(end)))
    }

    /// Checks that an offer was signed at most 24 hours ago.
    func checkFreshness(_ signed: Instant, _ inspection: inout Inspection) {
        let nows = [context.now, context.wallClock].map { Instant(milliseconds: $0) }
        let isFresh = nows.contains { $0 - signed < PromotionalOfferSignature.lifetime }
        if isFresh {
            inspection.pass(.lifetime, .init(.signedAt, signed.rfc3339()))
        } else {
            inspection.fail(.lifetime, .init(.signatureStale, signed.rfc3339(), nows[0].rfc3339()))
        }
    }

    // MARK: - Keys

    private func checkKey(
        _ header: StoreKitJSON.Object, _ claims: StoreKitJSON.Object, _ inspection: inout Inspection
    ) -> InspectionContext.Key? {
        guard let id = header[string: "kid"] else {
            inspection.fail(.key, .init(.headerLacks, "kid"))
            return nil
        }
        let purpose: InspectionContext.Key.Purpose =
            switch inspection.kind {
            case .connectToken: .connectAPI
            case .offerToken: .promotionalOffer
            default: .serverAPI
            }
        guard let key = checkKey(id, for: purpose, bundleID: claims[string: "bid"], &inspection) else { return nil }
        let issuer = claims[string: "iss"] ?? ""
        if claims["iss"] == nil, claims["sub"] != nil { return key }
        if issuer == key.issuerID {
            inspection.pass(.issuer, .init(.issuerRight, issuer))
        } else {
            let shown = issuer.isEmpty ? "–" : String(issuer.prefix(100))
            inspection.fail(.issuer, .init(.issuerWrong, shown, key.issuerID))
        }
        return key
    }

    /// Checks that the store has a key, for this purpose and this app.
    ///
    /// - Returns: The key; `nil` if it isn't known.
    func checkKey(
        _ id: String, for purpose: InspectionContext.Key.Purpose, bundleID: String?, _ inspection: inout Inspection
    ) -> InspectionContext.Key? {
        let shown = String(id.prefix(64))
        guard let keys = context.keys else {
            inspection.skip(.key, .init(.storeNeeded))
            return nil
        }
        guard let key = keys[id] else {
            inspection.fail(.key, .init(.keyUnknown, shown))
            return nil
        }
        // Keys of the Server API sign offers, too.
        let fits = key.purpose == purpose || purpose == .promotionalOffer && key.purpose == .serverAPI
        if let revoked = key.revoked {
            inspection.fail(.key, .init(.keyRevoked, shown, revoked))
        } else if !fits {
            inspection.fail(.key, .init(.keyOfOtherKind, shown, key.purpose.rawValue, purpose.rawValue))
        } else if let app = key.bundleID, let bundleID, app != bundleID {
            inspection.fail(.key, .init(.keyOfOtherApp, shown, app, String(bundleID.prefix(200))))
        } else {
            inspection.pass(.key, .init(.keyKnown, shown))
        }
        return key
    }

    private func checkSignature(
        of jws: InspectedJWS, _ key: InspectionContext.Key?, _ inspection: inout Inspection
    ) {
        guard let key, let publicKey = try? P256.Signing.PublicKey(x963Representation: key.publicKey) else {
            return inspection.skip(.signature, .init(.signatureUnchecked))
        }
        let signature = try? P256.Signing.ECDSASignature(rawRepresentation: jws.signature)
        if let signature, publicKey.isValidSignature(signature, for: jws.signedBytes) {
            inspection.pass(.signature, .init(.signatureFits))
        } else {
            inspection.fail(.signature, .init(.signatureDoesNotFit), bytes: jws.signature)
        }
    }

    /// Asks the readers that the store uses, which are stricter.
    private func checkAgain(_ jws: InspectedJWS, _ key: InspectionContext.Key?, _ inspection: inout Inspection) {
        guard inspection.succeeded, key != nil else { return }
        do throws(SignedJWT.Malformed) {
            let token = try SignedJWT(jws.text)
            let seconds = context.wallClock / 1000
            let isValid =
                switch inspection.kind {
                case .serverAPIToken: ServerAPIClaims(payload: token.payload)?.areValid(at: seconds) == true
                case .connectToken: ConnectClaims(payload: token.payload)?.areValid(at: seconds) == true
                default: token.hasUniqueClaims
                }
            if !isValid { inspection.fail(.claims, .init(.verifierRefuses, "claims")) }
        } catch {
            inspection.fail(.structure, .init(.verifierRefuses, error.description))
        }
    }
}
