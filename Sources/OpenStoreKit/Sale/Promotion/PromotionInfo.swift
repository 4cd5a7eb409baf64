extension Product {
    /// Order and visibility of a promoted product for this customer on this device.
    ///
    /// Source: Apple, StoreKit documentation, "Product.PromotionInfo".
    public struct PromotionInfo: Equatable {
        /// Visibility of a promoted product.
        public enum Visibility: Int, Equatable, Hashable {
            /// The seller's choice for all customers.
            case appStoreConnectDefault
            /// Visible.
            case visible
            /// Hidden.
            case hidden
        }

        /// Product identifier.
        public let productID: Product.ID
        /// Visibility, which ``update()`` stores.
        public var visibility: Visibility

        /// The products whose order or visibility is set on this device, in their order.
        ///
        /// - Throws: ``StoreKitError``.
        public static var currentOrder: [PromotionInfo] {
            get async throws { try PromotionSettings.current().promotions }
        }

        /// Stores the visibility.
        ///
        /// - Throws: ``StoreKitError``, or ``Product/PurchaseError/productUnavailable``.
        public func update() async throws {
            try await Self.updateProductVisibility(visibility, for: productID)
        }

        /// Stores the order and visibility of the given products, which come first.
        ///
        /// - Throws: ``StoreKitError``, or ``Product/PurchaseError/productUnavailable`` if one of them is not for sale.
        public static func updateAll(_ promotions: some Collection<PromotionInfo>) async throws {
            let settings = try PromotionSettings.current()
            try await settings.check(promotions.map(\.productID))
            try settings.change { content in
                content.setOrder(promotions.map(\.productID))
                for promotion in promotions {
                    content.visibilities[promotion.productID] = promotion.visibility.rawValue
                }
            }
        }

        /// Stores the order of the given products, which come first; an empty one restores the seller's order.
        ///
        /// - Throws: ``StoreKitError``, or ``Product/PurchaseError/productUnavailable`` if one of them is not for sale.
        public static func updateProductOrder(byID order: some Collection<Product.ID>) async throws {
            let settings = try PromotionSettings.current()
            try await settings.check(Array(order))
            try settings.setOrder(Array(order))
        }

        /// Stores the visibility of a product.
        ///
        /// - Throws: ``StoreKitError``, or ``Product/PurchaseError/productUnavailable`` if it is not for sale.
        public static func updateProductVisibility(
            _ visibility: Visibility, for productID: Product.ID
        ) async throws {
            let settings = try PromotionSettings.current()
            try await settings.check([productID])
            try settings.setVisibility(visibility, of: productID)
        }
    }
}
