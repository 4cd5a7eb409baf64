import Perennial
import PerennialStorage

extension Products {
    /// The number of subscriptions in one read.
    private static let previewPageSize = 1000

    /// Returns true if an app has more subscriptions in this environment than a number, which takes no longer the more it has.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`.
    package func hasSubscriptions(moreThan number: Int, of bundleID: App.BundleID) async throws -> Bool {
        try await database.read { [self] connection in
            let app = try self.app(bundleID, on: connection).app.appleID
            let count = try SubscriptionsTable.count(limit: number + 1, app: app, environment.id, on: connection)
            return count > number
        }
    }

    /// Returns the effect that a change of the catalog's prices would have in this environment: on storefronts, and on the
    /// subscribers there. Nothing is changed.
    ///
    /// Each subscription is read, since its row doesn't say what it renews with, and at which price.
    ///
    /// - Parameter onRead: Called with the number of subscriptions that were read since the last call.
    /// - Throws: ``StoreError`` `.appNotFound`; `PurchaseRefusal` `.productNotAvailable`; ``CatalogEditError`` for an order
    ///   that would be refused.
    package func preview(
        _ order: PriceOrder, of productID: Product.ID, bundleID: App.BundleID,
        onRead: @Sendable (Int) -> Void = { _ in }
    ) async throws -> (preview: PricePreview, terms: SaleTerms) {
        let (entry, sold, now) = try await database.read { [self] connection in
            let (entry, now) = (try self.app(bundleID, on: connection), try clock.now(on: connection))
            guard let product = entry.product(productID, at: now) else {
                throw PurchaseRefusal(.productNotAvailable, productID, "this app has no product with that ID")
            }
            return (entry, product, now)
        }
        let app = entry.app
        guard sold.type != .free else {
            throw CatalogEditError(.invalid, at: .attribute("price"), "A free subscription has no price.")
        }
        var product = sold
        // The prices in force include what has started.
        product.priceSchedule = product.priceSchedule.filter { $0.at > now }
        var preview = try PricePreview(product, order, default: app.defaultStorefront, now: now)
        guard product.type == .autoRenewable else { return (preview, app.saleTerms) }
        var last: TransactionID? = TransactionID(rawValue: 0)
        while let after = last {
            try Task.checkCancellation()
            let page = try await database.read { [environment] connection in
                try SubscriptionsTable.page(
                    after: after, limit: Self.previewPageSize, app: app.appleID, environment.id, on: connection)
            }
            for subscription in page.subscriptions { preview.count(subscription) }
            onRead(page.count)
            last = page.count < Self.previewPageSize ? nil : page.last
        }
        return (preview, app.saleTerms)
    }
}
