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
    /// When that purchase was taken back: a cut period of a subscription still opens what it opened before.
    var cancelled: Instant?
}

/// What is kept of a grant's contents, as JSON.
struct GrantedItem: Codable {
    let content: String
    let product: String
    let transaction: Int64
    let environment: String
    /// Milliseconds since 1970.
    let cancelled: Int64?

    init(_ granted: GrantedContent) {
        content = granted.content.id.rawValue
        product = granted.entitlement.productID.rawValue
        transaction = granted.entitlement.transactionID.rawValue
        environment = granted.environment.rawValue
        cancelled = granted.cancelled?.milliseconds
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
