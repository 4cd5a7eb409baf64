import AppStoreFormats
import Foundation
import OpenStoreKit
import Perennial

/// Signed transactions of a customer, as a store sends them.
enum SignedPurchases {
    static let start = Instant(seconds: 1_767_225_600)

    /// Signs transactions: every tenth a non-consumable, the others consumables.
    static func make(_ count: Int, ownable: Int, _ identities: SigningIdentities) throws -> [VaultChanges.Transaction] {
        let signer = JWSSigner(identities: identities)
        return try (0..<count).map { number in
            let isOwnable = number % max(1, count / max(1, ownable)) == 0
            let signed = try signer.sign(payload: payload(number, isOwnable: isOwnable).encoded())
            return VaultChanges.Transaction(signed: signed, isFinished: true, isVerified: true)
        }
    }

    private static func payload(_ number: Int, isOwnable: Bool) -> TransactionPayload {
        let date = (start + Int64(number) * 1000).date
        var payload = TransactionPayload(
            transactionId: "\(2_000_000_000_000_001 + number)",
            originalTransactionId: "\(2_000_000_000_000_001 + number)",
            bundleId: BenchmarkCatalog.bundleID.rawValue,
            productId: isOwnable
                ? "com.example.bench.item\(number)" : BenchmarkCatalog.consumable.rawValue,
            type: isOwnable ? .nonConsumable : .consumable, purchaseDate: date, originalPurchaseDate: date,
            signedDate: date, environment: .sandbox)
        payload.appAccountToken = UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16))
        payload.transactionReason = .purchase
        payload.storefront = "USA"
        payload.storefrontId = "143441"
        payload.price = 1990
        payload.currency = "USD"
        payload.appTransactionId = "700000000000000001"
        return payload
    }
}
