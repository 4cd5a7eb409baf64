import AppStoreFormats
import BaseEncoding
import Foundation
import OpenStoreKit
import Perennial

/// Signed data for tests of the vault. The signatures are 64 bytes of any value: the vault is told if they were verified.
enum VaultSamples {
    static let start = Instant(seconds: 1_767_225_600)
    static let owner = "com.example.magazine\u{0}ann@example.com\u{0}device"

    static func vault(
        _ files: any FileStore, owner: String = owner, account: String = "ann@example.com",
        password: String? = "secret",
        now: Instant = start, protection: PurchaseVault.Protection = .files,
        nonRenewingTerms: NonRenewingTermRules? = nil
    ) -> PurchaseVault {
        PurchaseVault(
            owner: owner, account: account, bundleID: "com.example.magazine", environment: "/sandbox",
            password: password,
            files: files, dependencies: .test(now: now), protection: protection, nonRenewingTerms: nonRenewingTerms)
    }

    static func payload(
        _ id: UInt64, _ product: String = "coins", _ type: TransactionPayload.ProductType = .consumable,
        original: UInt64? = nil, at purchased: Instant? = nil
    ) -> TransactionPayload {
        let purchased = purchased ?? start + Int64(id)
        var payload = TransactionPayload(
            transactionId: "\(id)", originalTransactionId: "\(original ?? id)", bundleId: "com.example.magazine",
            productId: product, type: type, purchaseDate: purchased.date, originalPurchaseDate: purchased.date,
            signedDate: purchased.date, environment: .sandbox)
        if type == .autoRenewableSubscription { payload.subscriptionGroupIdentifier = "news" }
        return payload
    }

    static func jws(_ payload: TransactionPayload, signature: UInt8 = 7) -> String {
        jws(payload.encoded(), signature: signature)
    }

    static func jws(_ payload: [UInt8], signature: UInt8 = 7) -> String {
        let header = Base64.encode(Array(#"{"alg":"ES256","x5c":["MII","MII","MII"]}"#.utf8), as: .url)
        let signature = [UInt8](repeating: signature, count: 64)
        return "\(header).\(Base64.encode(payload, as: .url)).\(Base64.encode(signature, as: .url))"
    }

    static func change(
        _ payload: TransactionPayload, isFinished: Bool = false, isVerified: Bool = true
    ) -> VaultChanges.Transaction {
        VaultChanges.Transaction(signed: jws(payload), isFinished: isFinished, isVerified: isVerified)
    }

    /// A subscription's period of a week from its purchase.
    static func period(_ id: UInt64, original: UInt64, week: Int64) -> TransactionPayload {
        var payload = payload(
            id, "weekly", .autoRenewableSubscription, original: original, at: start + week * .days(7))
        payload.expiresDate = (start + (week + 1) * .days(7)).date
        return payload
    }

    static func status(
        _ status: Int?, of payload: TransactionPayload, grace: Instant? = nil, isInRetry: Bool? = nil
    ) throws -> VaultChanges.Subscription {
        var renewal = RenewalInfoPayload(
            originalTransactionId: payload.originalTransactionId, productId: payload.productId,
            autoRenewProductId: payload.productId, autoRenewStatus: .on, signedDate: payload.signedDate,
            environment: .sandbox)
        renewal.gracePeriodExpiresDate = grace?.date
        renewal.isInBillingRetryPeriod = isInRetry
        return VaultChanges.Subscription(
            originalID: UInt64(payload.originalTransactionId) ?? 0, groupID: "news", status: status,
            signedTransaction: jws(payload), signedRenewalInfo: jws(Array(try JSONEncoder().encode(renewal))),
            isVerified: true)
    }
}

extension PurchaseVault {
    /// Applies transactions as the answer of a purchase.
    @discardableResult
    func put(_ payloads: TransactionPayload...) throws -> VaultDelta {
        try apply(VaultChanges(transactions: payloads.map { VaultSamples.change($0) }))
    }
}
