/// A generic product whose details the seller's server sets for each purchase.
///
/// The store's catalog has the generic product. Purchases by a request of the Advanced Commerce API aren't sold by this store.
///
/// Source: Apple, StoreKit documentation, "AdvancedCommerceProduct".
public struct AdvancedCommerceProduct: Identifiable, Equatable, Hashable, Sendable {
    /// Type of product identifiers.
    public typealias ID = String
    /// Type of the product's type.
    public typealias ProductType = Product.ProductType
    /// Type of the outcome of a purchase.
    public typealias PurchaseResult = Product.PurchaseResult

    /// Identifier of the generic product.
    public let id: ID
    /// Type of the product.
    public let type: ProductType
    /// True if a purchase may include several seats. False: this store sells single seats.
    public let supportsMultiSeatPurchase: Bool
    private let product: Product

    /// Fetches a product from the store.
    ///
    /// - Throws: ``StoreKitError``, or ``Product/PurchaseError/productUnavailable`` if it is not for sale.
    public init(id: ID) async throws {
        guard let product = try await Product.products(for: [id]).first else {
            throw Product.PurchaseError.productUnavailable
        }
        self.id = id
        self.type = product.type
        self.supportsMultiSeatPurchase = product.supportsMultiSeatPurchase
        self.product = product
    }

    /// The transactions that entitle the customer to the product now.
    public var currentEntitlements: Transaction.Transactions { product.currentEntitlements }

    /// All transactions of the product.
    public var allTransactions: Transaction.Transactions {
        product.origin.reading { Transaction.all(for: id) }
    }

    /// The newest transaction of the product; `nil` without one.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { await product.latestTransaction }
    }

    /// An option of a purchase.
    public struct PurchaseOption: Equatable, Hashable, Sendable, CustomDebugStringConvertible {
        private let option: Product.PurchaseOption

        /// Asks the app whether to continue if the customer's storefront has changed since the product was loaded.
        public static func onStorefrontChange(
            shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
        ) -> AdvancedCommerceProduct.PurchaseOption {
            PurchaseOption(option: .onStorefrontChange(shouldContinuePurchase: shouldContinuePurchase))
        }

        public var debugDescription: String { option.debugDescription }
    }
}

extension AdvancedCommerceProduct: CustomDebugStringConvertible {
    public var debugDescription: String { product.debugDescription }
}

/// A refusal of a request of the Advanced Commerce API; never thrown by this store.
///
/// Source: Apple, StoreKit documentation, "InvalidRequestError".
public struct InvalidRequestError: Error {
    /// Number of the error.
    public let code: Int64
    /// Message for the developer.
    public let message: String

    /// Domain of the bridged error, which names Apple's module.
    public var _domain: String { "StoreKit.InvalidRequestError" }
}
