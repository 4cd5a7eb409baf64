import Foundation
import Perennial

/// What a receipt or a customer may have, and the token that opens it.
package struct Grant: Sendable, Hashable {
    /// Where the receipt came from.
    package var environment: StoreEnvironment.Kind
    package var token: String
    package var expires: Instant
    package var contents: [GrantedContent]
    /// The customer's non-renewing subscriptions, ended ones too.
    package var terms: [NonRenewingTerm]
    package var refused: [RefusedPurchase]
    /// When this was decided.
    package var decided: Instant
}

/// A content that a grant opens.
package struct GrantedContent: Sendable, Hashable {
    package var content: Content
    package var entitlement: Entitlement
    package var facts: ContentFacts
    /// Of the purchase that opens it.
    var environment: StoreEnvironment.Kind
    /// The purchase that opens it, where that is in the receipt.
    var purchase: VerifiedPurchase?
}

/// What is kept of a grant's contents, as JSON.
struct GrantedItem: Codable {
    let content: String
    let product: String
    let transaction: Int64
    let environment: String
    /// The purchase that the transaction repeats, and when, in milliseconds since 1970; nothing where it repeats none.
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

    /// The purchase by itself: what may be taken back, with what it repeats.
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
