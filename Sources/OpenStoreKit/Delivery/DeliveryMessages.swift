import Foundation
import Perennial

/// A product in the seller's master list, in the seller's order.
public struct DeliveryProduct: Codable, Hashable, Sendable {
    public var productId: String
    /// As in ``SKProduct/ProductType``.
    public var type: String
    public var contentVersion: String?
    /// In bytes; `nil` where the product has no content.
    public var contentSize: Int64?
}

/// The seller's master list.
public struct DeliveryProductList: Sendable {
    /// Where a list comes from.
    public enum Source: Sendable, Hashable {
        /// The seller's server sent it now.
        case server
        /// The seller's server said that the list on the device is current.
        case revalidated
        /// The server could not be reached: the list is the one the device has.
        case device
    }

    public var products: [DeliveryProduct]
    public var source: Source
}

/// A file that a customer may have.
public struct GrantedContent: Codable, Hashable, Sendable {
    public var contentId: String
    public var productId: String
    public var transactionId: String
    /// Its address on the seller's server.
    public var path: String
    /// In bytes.
    public var size: Int64
    /// In hexadecimal.
    public var sha256: String
    public var version: String?
    public var filename: String?

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
    public var productId: String
    public var transactionId: String
    public var starts: Date
    public var expires: Date
    /// Whether it ran when the server answered; `nil` where the server didn't say.
    public var isActive: Bool?
}

/// A purchase that the seller's server didn't accept.
public struct RefusedPurchase: Codable, Hashable, Sendable {
    public var productId: String
    public var transactionId: String
    /// `termUnknown`, `overlaps`, `revoked`, `customerNeeded`; the set may grow.
    public var code: String
    public var message: String
}

/// What a receipt, or a customer's terms, opened.
public struct DeliveryGrant: Sendable {
    /// `Production` or `Sandbox`: where the store knew the receipt. `nil` for grants by terms.
    public var environment: String?
    /// The token that opens ``content``.
    public var token: String
    public var expires: Date
    public var content: [GrantedContent]
    public var nonRenewing: [NonRenewingTerm]
    public var refused: [RefusedPurchase]

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

    /// - Throws: ``DeliveryError`` with `malformedAnswer` where a time is none.
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
