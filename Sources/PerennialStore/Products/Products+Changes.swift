import Perennial
import PerennialStorage

/// A new price of a product.
package struct PriceChange: Hashable, Sendable {
    package var productID: Product.ID
    /// The price of one period in the storefront's currency; in the base price's currency without a storefront.
    package var milliunits: Int64
    /// `nil` for every storefront that uses the base price's currency or has no price of its own.
    package var storefront: Storefront?
    /// True if subscribers must agree to an increase; `nil` to decide by ``PriceIncreaseRule``.
    package var needsConsent: Bool?
    /// True if subscribers keep their price.
    package var preservesSubscribers: Bool

    package init(
        _ productID: Product.ID, milliunits: Int64, storefront: Storefront? = nil, needsConsent: Bool? = nil,
        preservesSubscribers: Bool = false
    ) {
        self.productID = productID
        self.milliunits = milliunits
        self.storefront = storefront
        self.needsConsent = needsConsent
        self.preservesSubscribers = preservesSubscribers
    }
}

extension PriceChange {
    /// The price in the currency of its storefront, or of the base price.
    func money(of product: Product) -> Money {
        Money(milliunits: milliunits, storefront?.currency ?? product.basePrice.currency)
    }

    /// The price as one that takes effect at an instant.
    func price(of product: Product, at: Instant) -> ScheduledPrice {
        ScheduledPrice(
            at: at, money(of: product), storefront: storefront, needsConsent: needsConsent,
            preservesSubscribers: preservesSubscribers)
    }
}

extension Products {
    /// A limit of this store on prices, in milliunits.
    package static let maximumPrice = PriceList.maximumPrice

    /// Changes a product's price in this environment. New customers pay it from now on; subscribers from their next
    /// renewal, after they agreed if they must. It lasts until the catalog's price changes.
    ///
    /// - Returns: The product with its new price.
    /// - Throws: ``StoreError`` `.appNotFound`, `.malformed`, `.storefrontUnknown`; `PurchaseRefusal`
    ///   `.productNotAvailable`.
    package func changePrice(_ change: PriceChange, bundleID: App.BundleID) async throws -> Product {
        try check(change)
        let product = try await database.write { [self] connection in
            let now = try clock.now(on: connection)
            return try self.change(change.productID, bundleID, on: connection) { app, settings, override, product in
                // Not before the last change, whose node's clock may be ahead: the later one counts.
                let at = max(now, override.ownPrices.last?.price.at ?? now)
                let (price, before) = (change.price(of: product, at: at), override.applied(to: product, at: now))
                try record([price], of: before, app, on: connection)
                override.setPrice(price, of: product)
                settings.migrate(before, to: [price], isScheduled: false)
            }
        }
        try await applyPriceChanges()
        return product
    }

    func check(_ change: PriceChange) throws {
        guard (0...Self.maximumPrice).contains(change.milliunits) else {
            throw StoreError(.malformed, "price", "a price is 0 or more, in thousandths of the currency's unit")
        }
        if let storefront = change.storefront, storefront.currency == nil {
            throw StoreError(.storefrontUnknown, storefront.rawValue, "a storefront is a three-letter code such as USA")
        }
    }

    /// Removes a product from sale in this environment, or offers it again. Its subscriptions end with their current period
    /// (expiration intent 4), unless it is for sale again by then.
    ///
    /// - Returns: The product with its new availability.
    /// - Throws: ``StoreError`` `.appNotFound`; `PurchaseRefusal` `.productNotAvailable`.
    package func setClearedForSale(
        _ isCleared: Bool, _ productID: Product.ID, bundleID: App.BundleID
    ) async throws -> Product {
        try await database.write { [self] connection in
            try change(productID, bundleID, on: connection) { _, _, override, product in
                override.setClearedForSale(isCleared, of: product)
            }
        }
    }

    /// - Parameter body: Changes the environment's settings of the app. Its last argument is the product in the catalog.
    func change(
        _ productID: Product.ID, _ bundleID: App.BundleID, on connection: any Connection,
        _ body: (Int64, inout EnvironmentSettings, inout ProductChange, Product) throws -> Void
    ) throws -> Product {
        guard let entry = try catalog.cache.entry(bundleID, on: connection) else {
            throw StoreError(.appNotFound, bundleID.rawValue, "this store has no app with that bundle ID")
        }
        guard let product = entry.products[productID] else {
            throw PurchaseRefusal(.productNotAvailable, productID, "this app has no product with that ID")
        }
        let app = entry.app.appleID
        return try catalog.change([product], app: app, on: connection) { product, override, settings in
            try body(app, &settings, &override, product)
        }[0]
    }
}
