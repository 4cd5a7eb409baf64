import Foundation
import Perennial

/// A product of the seller's product list.
public struct DeliveryProduct: Codable, Hashable, Sendable {
    /// ID of the product.
    public var productId: String
    /// Product type by its name in store/v1, such as `consumable`.
    public var type: String
    /// Version of the content; `nil` without content.
    public var contentVersion: String?
    /// Size of the content in bytes; `nil` without content.
    public var contentSize: Int64?
}

/// The seller's product list, in the seller's order.
public struct DeliveryProductList: Sendable {
    /// Origin of a product list.
    public enum Source: Sendable, Hashable {
        /// The server sent the list.
        case server
        /// The server confirmed the cached list.
        case revalidated
        /// The server can't be reached; the list is the cached one.
        case device
    }

    /// Products in the seller's order.
    public var products: [DeliveryProduct]
    /// Origin of the list.
    public var source: Source
}

/// A content file of a grant.
public struct GrantedContent: Codable, Hashable, Sendable {
    /// ID of the content.
    public var contentId: String
    /// ID of the product that opens the content.
    public var productId: String
    /// ID of the transaction that opens the content.
    public var transactionId: String
    /// Path on the content server.
    public var path: String
    /// Size in bytes.
    public var size: Int64
    /// SHA-256 in hexadecimal.
    public var sha256: String
    /// Version of the content; `nil` without one.
    public var version: String?
    /// File name for the customer; `nil` without one.
    public var filename: String?

    /// Makes a content, for tests and stored grants.
    public init(
        contentId: String, productId: String, transactionId: String, path: String, size: Int64, sha256: String,
        version: String? = nil, filename: String? = nil
    ) {
        self.contentId = contentId
        self.productId = productId
        self.transactionId = transactionId
        self.path = path
        self.size = size
        self.sha256 = sha256
        self.version = version
        self.filename = filename
    }
}

/// A non-renewing subscription of a customer.
public struct NonRenewingTerm: Hashable, Sendable {
    /// ID of the product.
    public var productId: String
    /// ID of the transaction that was bought.
    public var transactionId: String
    /// Start of the term.
    public var starts: Date
    /// End of the term.
    public var expires: Date
    /// True if the term was running at the time of the answer; `nil` if unknown.
    public var isActive: Bool?
}

/// A non-renewing purchase that the content server refused.
public struct RefusedPurchase: Codable, Hashable, Sendable {
    /// ID of the product.
    public var productId: String
    /// ID of the transaction.
    public var transactionId: String
    /// Reason: `termUnknown`, `overlaps`, `revoked`, `customerNeeded`, `belongsToAnother`, or a later one.
    public var code: String
    /// The reason, for people.
    public var message: String

    /// Makes a refused purchase, for tests and stored grants.
    public init(productId: String, transactionId: String, code: String, message: String) {
        self.productId = productId
        self.transactionId = transactionId
        self.code = code
        self.message = message
    }
}

/// The contents that a receipt or a customer's terms open, with the token for them.
public struct DeliveryGrant: Sendable {
    /// Environment of the receipt, `Production` or `Sandbox`; `nil` for a grant by terms.
    public var environment: String?
    /// Token that opens ``content``.
    public var token: String
    /// End of the grant.
    public var expires: Date
    /// Content files that the grant opens.
    public var content: [GrantedContent]
    /// Non-renewing subscriptions of the customer.
    public var nonRenewing: [NonRenewingTerm]
    /// Non-renewing purchases without a term.
    public var refused: [RefusedPurchase]

    /// Makes a grant, for tests and stored grants.
    public init(
        environment: String? = nil, token: String, expires: Date, content: [GrantedContent],
        nonRenewing: [NonRenewingTerm] = [], refused: [RefusedPurchase] = []
    ) {
        self.environment = environment
        self.token = token
        self.expires = expires
        self.content = content
        self.nonRenewing = nonRenewing
        self.refused = refused
    }
}

// MARK: On the wire

struct DeliveryProductsAnswer: Codable, Sendable {
    var products: [DeliveryProduct]
}

struct CustomerSessionQuery: Codable, Sendable {
    var bundleId: String
    var customer: String
    var password: String
}

struct CustomerSessionAnswer: Codable, Sendable {
    var token: String
}

struct GrantQuery: Codable, Sendable {
    var bundleId: String
    var receipt: Data
    var deviceId: String?
}

struct GrantAnswer: Codable, Sendable {
    struct Term: Codable, Sendable {
        var productId: String
        var transactionId: String
        var starts: String
        var expires: String
        var isActive: Bool?
    }

    var environment: String?
    var grant: String
    var expires: String
    var content: [GrantedContent]?
    var nonRenewing: [Term]?
    var refused: [RefusedPurchase]?

    /// - Throws: ``DeliveryError`` with `malformedAnswer` for a malformed date.
    func value() throws -> DeliveryGrant {
        DeliveryGrant(
            environment: environment, token: grant, expires: try Self.date(expires), content: content ?? [],
            nonRenewing: try (nonRenewing ?? []).map {
                NonRenewingTerm(
                    productId: $0.productId, transactionId: $0.transactionId, starts: try Self.date($0.starts),
                    expires: try Self.date($0.expires), isActive: $0.isActive)
            }, refused: refused ?? [])
    }

    private static func date(_ text: String) throws -> Date {
        guard let instant = Instant(rfc3339: text) else {
            throw DeliveryError(.malformedAnswer, reason: "\(text) is no time")
        }
        return instant.date
    }
}
