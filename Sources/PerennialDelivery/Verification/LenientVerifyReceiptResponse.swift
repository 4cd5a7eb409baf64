import Foundation
import Perennial

/// An answer of verifyReceipt to either form of receipt.
///
/// Accepts any spelling of a value. An unreadable entry proves nothing; an unreadable cancellation date is a cancellation.
struct LenientVerifyReceiptResponse: Decodable {
    /// Maximum entries of one list; a limit of ours.
    static let maximumPurchases = 20_000

    let status: Int
    let environment: String?
    let isRetryable: Bool?
    private let receipt: Receipt?
    private let latest: [Entry]

    /// Reads an answer. Returns `nil` for anything but an object with a `status`.
    init?(_ body: [UInt8]) {
        guard body.count <= VerifyReceiptAnswer.maximumBodySize,
            let response = try? JSONDecoder().decode(Self.self, from: Data(body))
        else { return nil }
        self = response
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        guard let status = container.scalar("status")?.number.flatMap(Int.init(exactly:)) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no status"))
        }
        self.status = status
        environment = container.scalar("environment")?.text
        // Older documentation spells it with a hyphen.
        isRetryable = container.scalar("is_retryable", "is-retryable")?.flag
        let receipt = try container.decodeIfPresent(Receipt.self, forKey: AnyKey("receipt"))
        self.receipt = receipt
        let listed =
            try container.list("latest_receipt_info", of: Entry.self)
            + container.list("latest_expired_receipt_info", of: Entry.self)
        // These lists are as of the answer.
        latest = listed.map { $0.reported(receipt?.requested) }
    }

    /// Returns the receipt; `nil` for an answer without a bundle ID.
    func verifiedReceipt(from asked: StoreEnvironment.Kind) -> AuthenticReceipt? {
        guard let receipt, let bundleID = receipt.bundleID, !bundleID.isEmpty else { return nil }
        var purchases: [TransactionID: VerifiedPurchase] = [:]
        for entry in receipt.entries + latest {
            let known = purchases[entry.purchase.transactionID]
            purchases[entry.purchase.transactionID] = known.map { $0.updated(by: entry.purchase) } ?? entry.purchase
        }
        return AuthenticReceipt(
            environment: StoreEnvironment.Kind(rawValue: environment ?? "") ?? asked,
            bundleID: App.BundleID(rawValue: bundleID),
            purchases: purchases.values.sorted(by: VerifiedPurchase.isEarlier), answered: receipt.requested)
    }

    /// An app receipt, or an old receipt, which is one purchase.
    private struct Receipt: Decodable {
        let bundleID: String?
        let entries: [Entry]
        /// Time of the request by the store's clock.
        let requested: Instant?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            bundleID = container.scalar("bundle_id", "bid")?.text
            requested = container.date("request_date")
            // An app receipt is as of its creation. An old receipt has no such date.
            let made = container.date("receipt_creation_date")
            let own = container.contains(AnyKey("product_id")) ? [try Entry(from: decoder)] : []
            entries = own + (try container.list("in_app", of: Entry.self)).map { $0.reported(made) }
        }
    }

    /// A purchase in any of the lists.
    private struct Entry: Decodable {
        private(set) var purchase: VerifiedPurchase

        func reported(_ date: Instant?) -> Entry {
            var entry = self
            entry.purchase.reportedDate = date
            return entry
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            guard let product = container.scalar("product_id")?.text, !product.isEmpty,
                let transaction = container.scalar("transaction_id").flatMap({ TransactionID($0.text) }),
                let purchased = container.date("purchase_date")
            else { throw Self.unreadable }
            let expires = container.date("expires_date")
            if expires == nil, container.hasDate("expires_date") { throw Self.unreadable }
            let isCancelled = container.hasDate("cancellation_date")
            purchase = VerifiedPurchase(
                productID: Product.ID(rawValue: product), transactionID: transaction,
                originalTransactionID: container.scalar("original_transaction_id").flatMap { TransactionID($0.text) },
                purchaseDate: purchased, expiresDate: expires,
                cancellationDate: isCancelled ? container.date("cancellation_date") ?? purchased : nil,
                isUpgraded: container.scalar("is_upgraded")?.flag ?? false,
                quantity: container.scalar("quantity")?.number.flatMap(Int.init(exactly:)) ?? 1)
        }

        private static let unreadable = DecodingError.dataCorrupted(
            .init(codingPath: [], debugDescription: "not a purchase"))
    }
}

extension VerifiedPurchase {
    /// Returns the transaction as of a newer list: a refund that only the older one has was reversed. If neither is known to be
    /// newer, a cancellation in either counts, at the earlier date.
    fileprivate func updated(by newer: VerifiedPurchase) -> VerifiedPurchase {
        var merged = newer
        let isNewer = reportedDate.flatMap { own in newer.reportedDate.map { own < $0 } } ?? false
        if !isNewer {
            merged.cancellationDate = [cancellationDate, newer.cancellationDate].compactMap(\.self).min()
        }
        merged.expiresDate = newer.expiresDate ?? expiresDate
        merged.isUpgraded = isUpgraded || newer.isUpgraded
        return merged
    }
}
