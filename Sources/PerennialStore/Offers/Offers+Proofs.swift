import AppStoreFormats
import Crypto
import Foundation
import Perennial
import PerennialStorage

/// A purchase in progress, with the data that an offer's proof needs.
struct OfferPurchase {
    var request: PurchaseRequest
    var customer: Customer
    var product: Product
    var now: Instant
}

extension Offers {
    /// Verifies a purchase's claim to an offer; `nil` if it claims none.
    ///
    /// - Throws: `PurchaseRefusal`. A customer who claims an offer is never charged the full price instead.
    func verifiedOffer(of purchase: OfferPurchase, on connection: any Connection) throws -> OfferRequest? {
        guard let claim = purchase.request.claim else { return nil }
        let isCode = if case .code = claim { true } else { false }
        guard isCode || purchase.product.type == .autoRenewable else {
            throw PurchaseRefusal(
                .offerNotFound, purchase.product.id, "a product that doesn't renew has offers for codes only")
        }
        do {
            switch claim {
            case .signed(let offer): return try verified(offer, purchase, on: connection)
            case .token(let text): return try verified(token: text, purchase, on: connection)
            case .winBack(let id): return .winBack(id: id)
            case .code(let name): return try verified(code: name, purchase, on: connection)
            }
        } catch let error as OfferError {
            throw PurchaseRefusal(error, of: purchase.product.id)
        }
    }

    /// Consumes a claim that is valid once, in the transaction of the purchase.
    ///
    /// - Throws: `PurchaseRefusal` if another purchase has consumed it; then nothing was written.
    func consumeClaim(
        of purchase: OfferPurchase, for transaction: TransactionID, on connection: any Connection
    ) throws {
        switch purchase.request.claim {
        case nil, .winBack: return
        case .code(let name):
            try OfferCodesTable.redeem(
                name, by: purchase.customer.key, at: purchase.now, for: transaction, on: connection)
        case .signed(let offer):
            try consume(nonce: offer.nonce, signed: offer.timestamp, purchase, on: connection)
        case .token(let text):
            let (_, claims) = try SignedJWT.offer(text)
            try consume(nonce: claims.nonce, signed: claims.token.issuedAt, purchase, on: connection)
        }
    }

    private func consume(
        nonce: String, signed: Instant, _ purchase: OfferPurchase, on connection: any Connection
    ) throws {
        let isFresh = try OfferNoncesTable.use(
            nonce.lowercased(), signed: signed, app: purchase.customer.key.app, environment.id, on: connection)
        guard isFresh else {
            throw PurchaseRefusal(
                .offerSignatureInvalid, purchase.product.id, "the nonce was used before: sign the offer anew")
        }
        // Signatures with older nonces have expired.
        try OfferNoncesTable.prune(
            signedBefore: signingTimes(purchase.now).endOfLife, app: purchase.customer.key.app, environment.id,
            on: connection)
    }

    private func signingTimes(_ now: Instant) -> SigningTimes {
        SigningTimes(environment: now, wallClock: clock.wallClockNow)
    }

    // MARK: - Proofs

    private func verified(
        _ offer: SignedOffer, _ purchase: OfferPurchase, on connection: any Connection
    ) throws -> OfferRequest {
        try offer.signature(
            for: purchase.product.id, of: purchase.customer.bundleID,
            applicationUsername: purchase.request.applicationUsername
        ).verified(offer.signature, at: signingTimes(purchase.now)) { keyID, text, signature in
            guard let key = try offerKey(keyID, app: purchase.customer.key.app, on: connection)?.publicKey,
                let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: text)
        }
    }

    private func verified(
        token text: String, _ purchase: OfferPurchase, on connection: any Connection
    ) throws -> OfferRequest {
        let (token, claims) = try SignedJWT.offer(text)
        let name = claims.offerIdentifier ?? claims.productId
        guard let (key, publicKey) = try offerKey(token.keyID, app: purchase.customer.key.app, on: connection),
            token.isSigned(by: publicKey), claims.iss == key.issuerID
        else { throw OfferError(.signatureInvalid, name, "the seller's key \(token.keyID) didn't sign this token") }
        return try claims.token.request(
            for: purchase.product.id, of: purchase.customer.bundleID, at: signingTimes(purchase.now)
        ) { id in
            let key = purchase.customer.key
            guard let id = TransactionID(id) else { return false }
            // Sellers name a customer without purchases by the app transaction ID.
            if let download = AppTransactionID(id) {
                return download == AppTransactionID(account: key.account, app: key.app)
            }
            return try TransactionsTable.account(of: id, app: key.app, environment.id, on: connection) == key.account
        }
    }

    /// Returns a key of the app that may sign offers: one for offers, or one for the App Store Server API.
    private func offerKey(
        _ id: String, app: Int64, on connection: any Connection
    ) throws -> (key: APIKey, publicKey: P256.Signing.PublicKey)? {
        guard APIKey.isID(id), let key = try APIKeysTable.key(id, on: connection), key.app == app,
            key.revoked == nil, key.kind != .connectAPI
        else { return nil }
        guard let publicKey = try? P256.Signing.PublicKey(x963Representation: key.publicKey) else {
            throw StorageError(.corrupt, "api_keys", "the key \(id) is no point on P-256")
        }
        return (key, publicKey)
    }
}

/// The claims of a token from the seller's server.
private struct OfferTokenClaims: Decodable {
    var iss: String
    var aud: String
    var bid: String
    /// Seconds since 1970.
    var iat: Double
    var nbf: Double?
    var exp: Double?
    var nonce: String
    var productId: String
    var offerIdentifier: String?
    var allowIntroductoryOffer: Bool?
    var transactionId: String?

    var token: OfferToken {
        var token = OfferToken(
            audience: aud, bundleID: App.BundleID(rawValue: bid), issuedAt: Self.instant(iat), nonce: nonce,
            productID: Product.ID(rawValue: productId), offerID: offerIdentifier,
            allowIntroductoryOffer: allowIntroductoryOffer, transactionID: transactionId)
        token.notBefore = nbf.map(Self.instant)
        token.expires = exp.map(Self.instant)
        return token
    }

    /// Converts seconds since 1970, of any size.
    private static func instant(_ seconds: Double) -> Instant {
        max(Instant(milliseconds: 0), min(Instant(milliseconds: Int64(nearest: seconds * 1000)), .endOfTime))
    }
}

extension SignedJWT {
    /// Decodes an offer's token without verifying it.
    ///
    /// - Throws: `OfferError`.
    fileprivate static func offer(_ text: String) throws -> (SignedJWT, OfferTokenClaims) {
        do {
            let token = try SignedJWT(text)
            guard token.hasUniqueClaims else { throw OfferError(.signatureInvalid, "token", "a claim comes twice") }
            return (token, try JSONDecoder().decode(OfferTokenClaims.self, from: Data(token.payload)))
        } catch {
            throw OfferError(.signatureInvalid, "token", "the token is no compact JWS with an offer's claims")
        }
    }
}
