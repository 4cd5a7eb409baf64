import AppStoreFormats
import Foundation
import Perennial

/// A signed transaction in the vault, with the facts that answers are computed from.
package struct VaultTransaction: Sendable, Identifiable, Equatable {
    package enum Kind: UInt8, Sendable {
        /// A kind of a later version of the store.
        case other = 0
        case consumable = 1
        case nonConsumable = 2
        case autoRenewable = 3
        case nonRenewing = 4
    }

    /// Facts that few answers need, in an object, so that a copy of many transactions is cheap.
    private final class Details: Sendable, Equatable {
        let productID: String
        let groupID: String?
        let originalPurchaseDate: Instant
        let signedDate: Instant
        let quantity: Int
        let appAccountToken: UUID?
        let signed: SignedText

        init(
            productID: String, groupID: String?, originalPurchaseDate: Instant, signedDate: Instant, quantity: Int,
            appAccountToken: UUID?, signed: SignedText
        ) {
            self.productID = productID
            self.groupID = groupID
            self.originalPurchaseDate = originalPurchaseDate
            self.signedDate = signedDate
            self.quantity = quantity
            self.appAccountToken = appAccountToken
            self.signed = signed
        }

        /// The other facts come from the signed text.
        static func == (one: Details, other: Details) -> Bool {
            one === other || one.signed == other.signed
        }
    }

    package let id: UInt64
    package let originalID: UInt64
    package let purchaseDate: Instant
    package let expirationDate: Instant?
    package let revocationDate: Instant?
    package let kind: Kind
    /// True if the customer upgraded to another product of the group.
    package let isUpgraded: Bool
    /// True if a family member bought it.
    package let isFamilyShared: Bool
    /// True if the app has finished it, on this device or another one.
    package internal(set) var isFinished: Bool
    /// True if the signature and its chain were verified before it was stored.
    package internal(set) var isVerified: Bool
    private let details: Details

    package var productID: String { details.productID }
    /// Subscription group of an auto-renewable subscription.
    package var groupID: String? { details.groupID }
    package var originalPurchaseDate: Instant { details.originalPurchaseDate }
    package var signedDate: Instant { details.signedDate }
    package var quantity: Int { details.quantity }
    package var appAccountToken: UUID? { details.appAccountToken }
    /// The signed text.
    var signed: SignedText { details.signed }

    /// Reads a signed transaction, without checking its signature.
    ///
    /// - Returns: `nil` if the payload isn't a transaction.
    init?(_ change: VaultChanges.Transaction) {
        guard let decoded = change.decoded ?? DecodedTransaction(change.signed) else { return nil }
        self.init(
            decoded.payload, signed: decoded.signed, isFinished: change.isFinished, isVerified: change.isVerified)
    }

    private init?(_ payload: TransactionPayload, signed: SignedText, isFinished: Bool, isVerified: Bool) {
        guard let id = UInt64(payload.transactionId, radix: 10),
            let originalID = UInt64(payload.originalTransactionId, radix: 10)
        else { return nil }
        self.init(
            id: id, originalID: originalID, productID: payload.productId, kind: Kind(payload.type),
            groupID: payload.subscriptionGroupIdentifier, purchaseDate: Instant(payload.purchaseDate),
            originalPurchaseDate: Instant(payload.originalPurchaseDate), signedDate: Instant(payload.signedDate),
            expirationDate: payload.expiresDate.map { Instant($0) },
            revocationDate: payload.revocationDate.map { Instant($0) }, quantity: Int(payload.quantity),
            isUpgraded: payload.isUpgraded ?? false, isFamilyShared: payload.inAppOwnershipType == .familyShared,
            appAccountToken: payload.appAccountToken, isFinished: isFinished, isVerified: isVerified, signed: signed)
    }

    /// Makes a transaction from its stored facts.
    init(
        id: UInt64, originalID: UInt64, productID: String, kind: Kind, groupID: String?, purchaseDate: Instant,
        originalPurchaseDate: Instant, signedDate: Instant, expirationDate: Instant?, revocationDate: Instant?,
        quantity: Int, isUpgraded: Bool, isFamilyShared: Bool, appAccountToken: UUID?, isFinished: Bool,
        isVerified: Bool, signed: SignedText
    ) {
        self.id = id
        self.originalID = originalID
        self.kind = kind
        self.purchaseDate = purchaseDate
        self.expirationDate = expirationDate
        self.revocationDate = revocationDate
        self.isUpgraded = isUpgraded
        self.isFamilyShared = isFamilyShared
        self.isFinished = isFinished
        self.isVerified = isVerified
        details = Details(
            productID: productID, groupID: groupID, originalPurchaseDate: originalPurchaseDate, signedDate: signedDate,
            quantity: quantity, appAccountToken: appAccountToken, signed: signed)
    }

    /// The signed transaction (JWS in compact form), byte by byte as the store signed it.
    package var jws: String { signed.text }

    /// The payload, which is JSON.
    package var payload: Data { signed.payload }

    /// Decodes the payload.
    ///
    /// - Throws: `DecodingError`.
    package func decoded() throws -> TransactionPayload {
        try TransactionPayload.decode(Array(signed.payload))
    }

    /// True if this was signed before a known form of the same transaction, as far as that one's date is proven.
    func isReplay(of known: VaultTransaction) -> Bool {
        signedDate < known.signedDate && (known.isVerified || !isVerified)
    }

    /// True if both say the same, also if they were signed at different times.
    func hasSameFacts(as other: VaultTransaction) -> Bool {
        guard signed.payload != other.signed.payload else { return true }
        guard var mine = try? decoded(), let theirs = try? other.decoded() else { return false }
        mine.signedDate = theirs.signedDate
        return mine == theirs
    }
}

/// A signed transaction, decoded once for all that is computed from it.
struct DecodedTransaction: Sendable {
    let signed: SignedText
    let payload: TransactionPayload

    init(signed: SignedText, payload: TransactionPayload) {
        self.signed = signed
        self.payload = payload
    }

    /// Decodes a JWS, without checking its signature. Returns `nil` if the payload isn't a transaction.
    init?(_ jws: String) {
        guard let signed = SignedText(jws) else { return nil }
        self.init(signed)
    }

    init?(_ signed: SignedText) {
        guard let payload = try? TransactionPayload.decode(Array(signed.payload)) else { return nil }
        self.signed = signed
        self.payload = payload
    }
}

extension VaultTransaction.Kind {
    init(_ type: TransactionPayload.ProductType) {
        switch type {
        case .consumable: self = .consumable
        case .nonConsumable: self = .nonConsumable
        case .autoRenewableSubscription: self = .autoRenewable
        case .nonRenewingSubscription: self = .nonRenewing
        default: self = .other
        }
    }
}
