import Foundation
import Perennial

// The messages of store/v1, as `docs/reference/store.md` lists them.

struct DeviceRegistration: Codable, Sendable {
    var account: String
    var password: String?
    var deviceId: String
    var bundleId: String
    var applicationVersion: String
    var deviceFamily: String
}

struct StoreSession: Codable, Sendable {
    struct Storefront: Codable, Sendable, Equatable {
        var countryCode: String
        var identifier: String
        var currency: String
    }

    var token: String
    var account: String
    var storefront: Storefront
    var canMakePayments: Bool
}

struct ProductsQuery: Codable, Sendable {
    var productIds: [String]
    var language: String
}

struct ProductsAnswer: Codable, Sendable {
    struct Offer: Codable, Sendable {
        var offerId: String?
        var paymentMode: String
        var period: String
        var periodCount: Int?
        var price: Int64
        var displayPrice: String?
    }

    struct Subscription: Codable, Sendable {
        var groupId: String
        var groupDisplayName: String?
        var level: Int?
        var period: String
        var introductoryOffer: Offer?
        var isEligibleForIntroductoryOffer: Bool?
        var promotionalOffers: [Offer]?
        var winBackOffers: [Offer]?
    }

    struct Product: Codable, Sendable {
        var productId: String
        var type: String
        var displayName: String
        var description: String
        var locale: String?
        var price: Int64
        var currency: String
        var displayPrice: String
        var isFamilyShareable: Bool?
        var contentVersion: String?
        var subscription: Subscription?
    }

    var products: [Product]
    var invalidProductIds: [String]
}

struct PurchaseOrder: Codable, Sendable {
    /// A promotional offer with the seller's signature.
    struct PromotionalOffer: Codable, Sendable {
        var identifier: String
        var keyIdentifier: String
        /// UUID in lower case, as in the signature.
        var nonce: String
        var signature: String
        /// Signing time in milliseconds since 1970.
        var timestamp: Int64

        init(_ discount: PaymentOrder.Discount) {
            identifier = discount.identifier
            keyIdentifier = discount.keyIdentifier
            nonce = discount.nonce.uuidString.lowercased()
            signature = discount.signature
            timestamp = discount.timestamp
        }
    }

    var productId: String
    var quantity: Int
    var applicationUsername: String?
    var offer: PromotionalOffer?
    var idempotencyKey: String
    var simulatesAskToBuy: Bool
    var includeReceipt = true
    var appAccountToken: UUID?
    /// True for the signed form of the transaction in the answer.
    var includeSigned = true

    init(_ order: PaymentOrder, key: String) {
        productId = order.productIdentifier
        quantity = order.quantity
        applicationUsername = order.applicationUsername
        offer = order.discount.map(PromotionalOffer.init)
        idempotencyKey = key
        simulatesAskToBuy = order.simulatesAskToBuy
    }
}

struct CodeOrder: Codable, Sendable {
    var code: String
    var idempotencyKey: String
}

/// The outcome of a purchase: a transaction, or one of the states `deferred`, `declined` and `lapsed`.
struct PurchaseAnswer: Codable, Sendable {
    var transaction: StoreTransaction?
    var state: String?
}

/// A transaction in the messages of the store.
struct StoreTransaction: Codable, Sendable, Equatable {
    var transactionId: String
    var originalTransactionId: String
    var productId: String
    var type: String
    var quantity: Int
    var purchaseDate: String
    var originalPurchaseDate: String
    var expiresDate: String?
    var revocationDate: String?
    var applicationUsername: String?
    var appAccountToken: String?
    var price: Int64?
    var currency: String?
    var state: String
    var isFinished: Bool?
    var transactionReceipt: Data?
    /// The transaction as the store signs it, a JWS; `nil` in journals of earlier versions.
    var signedTransaction: String?
    /// The subscription's renewal information, a JWS; `nil` for other products.
    var signedRenewalInfo: String?
    /// Original of a restored transaction.
    var original: Original?

    /// A boxed transaction inside another one.
    final class Original: Codable, Sendable, Equatable {
        let transaction: StoreTransaction

        init(_ transaction: StoreTransaction) {
            self.transaction = transaction
        }

        init(from decoder: any Decoder) throws {
            self.transaction = try StoreTransaction(from: decoder)
        }

        func encode(to encoder: any Encoder) throws {
            try transaction.encode(to: encoder)
        }

        static func == (one: Original, other: Original) -> Bool { one.transaction == other.transaction }
    }

    var purchased: Instant? { Instant(rfc3339: purchaseDate) }

    /// True for the same purchase, up to a second of its date: not every text of a date has fractions. One of another product or date had
    /// the same ID in a store that was emptied.
    func isPurchase(of other: StoreTransaction) -> Bool {
        guard transactionId == other.transactionId, productId == other.productId else { return false }
        guard let mine = purchased, let theirs = other.purchased else { return true }
        return (mine - theirs).magnitude < 1000
    }
}

struct TransactionsAnswer: Codable, Sendable {
    var transactions: [StoreTransaction]
    var hasMore: Bool?
    /// Revision for the next request, in answers with revoked transactions.
    var revision: String?
}

struct RestoreQuery: Codable, Sendable {
    var applicationUsername: String?
}

struct AppReceiptAnswer: Codable, Sendable {
    var appReceipt: Data
}

struct TransactionReceiptAnswer: Codable, Sendable {
    var transactionReceipt: Data
}

/// An error of the store/v1 and delivery/v1 protocols.
struct ErrorAnswer: Codable, Sendable {
    struct Content: Codable, Sendable {
        var code: String
        var message: String
        var field: String?
        var skError: Int?
        /// Status of verifyReceipt, in delivery/v1.
        var status: Int?
    }

    var error: Content
}
