import Foundation
import Perennial

/// The contents and terms of a receipt or customer, with the token that opens the contents.
package struct Grant: Sendable, Hashable {
    /// Environment of the receipt.
    package var environment: StoreEnvironment.Kind
    package var token: String
    package var expires: Instant
    package var contents: [GrantedContent]
    /// The customer's non-renewing subscriptions, also ended ones.
    package var terms: [NonRenewingTerm]
    package var refused: [RefusedPurchase]
    /// Time of the decision, by the store's clock.
    package var decided: Instant
}

/// A content that a grant opens.
package struct GrantedContent: Sendable, Hashable {
    package var content: Content
    package var entitlement: Entitlement
    package var metadata: FileMetadata
    /// Environment of the purchase that opens the content.
    var environment: StoreEnvironment.Kind
    /// Purchase that opens the content, if it is in the receipt.
    var purchase: VerifiedPurchase?
}

/// A content of a stored grant, as JSON.
struct GrantedItem: Codable {
    let content: String
    let product: String
    let transaction: Int64
    let environment: String
    /// Purchase that the transaction repeats, and its time in milliseconds since 1970; `nil` without one.
    let repeated: Int64?
    let bought: Int64?

    init(_ granted: GrantedContent) {
        content = granted.content.id.rawValue
        product = granted.entitlement.productID.rawValue
        transaction = granted.entitlement.transactionID.rawValue
        environment = granted.environment.rawValue
        repeated = granted.purchase?.repeated?.rawValue
        bought = repeated == nil ? nil : granted.purchase?.purchaseDate.milliseconds
    }

    /// The purchase, to look up its refund and that of the purchase it repeats.
    var purchase: VerifiedPurchase {
        VerifiedPurchase(
            productID: Product.ID(rawValue: product), transactionID: TransactionID(rawValue: transaction),
            originalTransactionID: repeated.map(TransactionID.init(rawValue:)),
            purchaseDate: Instant(milliseconds: bought ?? 0))
    }

    var entitlement: Entitlement {
        Entitlement(
            contentID: Content.ID(rawValue: content), productID: Product.ID(rawValue: product),
            transactionID: TransactionID(rawValue: transaction))
    }

    static func text(of items: [GrantedItem]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(items), as: UTF8.self)
    }

    static func items(in text: String) throws -> [GrantedItem] {
        try JSONDecoder().decode([GrantedItem].self, from: Data(text.utf8))
    }
}
