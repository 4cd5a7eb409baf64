import Perennial
import PerennialStorage

/// The prices of a product: now, later and before.
package struct ProductPrices: Sendable {
    package var product: Product
    /// The app's terms, which give the proceeds of each price.
    package var terms: SaleTerms
    /// The prices that take effect later, in order.
    package var pending: [ScheduledPrice]
    /// The price changes that have taken effect, newest first.
    package var changes: [PerformedPriceChange]
}

extension Products {
    /// A limit of this store on the prices that wait in a product's schedule.
    package static let maximumScheduledPrices = 1000
    /// A limit of this store on the price changes in one answer.
    package static let maximumListedChanges = 1000

    /// Schedules a price change of this environment. It replaces one of the same storefront and instant.
    ///
    /// At that instant new customers pay the price, and subscribers from their next renewal, by the rules of
    /// ``changePrice(_:bundleID:)``. For an instant that has passed, the price changes at once.
    ///
    /// - Returns: The product as it is sold now.
    /// - Throws: ``StoreError`` `.appNotFound`, `.malformed`, `.storefrontUnknown`; `PurchaseRefusal`
    ///   `.productNotAvailable`.
    package func schedulePrice(
        _ change: PriceChange, at instant: Instant, bundleID: App.BundleID
    ) async throws -> Product {
        try check(change)
        let at = instant.wholeSeconds
        guard try await now() < at else { return try await changePrice(change, bundleID: bundleID) }
        _ = try await database.write { [self] connection in
            try self.change(change.productID, bundleID, on: connection) { _, _, override, product in
                override.schedule(change.price(of: product, at: at))
                guard override.scheduled.count <= Self.maximumScheduledPrices else {
                    throw StoreError(
                        .malformed, "at", "at most \(Self.maximumScheduledPrices) prices wait in a product's schedule")
                }
            }
        }
        return try await prices(of: change.productID, bundleID: bundleID).product
    }

    /// Cancels a scheduled price that isn't the catalog's.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`, `.priceNotScheduled`; `PurchaseRefusal` `.productNotAvailable`.
    package func cancelScheduledPrice(
        of productID: Product.ID, at instant: Instant, in storefront: Storefront?, bundleID: App.BundleID
    ) async throws -> Product {
        try await database.write { [self] connection in
            try change(productID, bundleID, on: connection) { _, _, override, _ in
                guard override.cancelScheduled(at: instant.wholeSeconds, in: storefront) else {
                    throw StoreError(
                        .priceNotScheduled, productID.rawValue,
                        "no price is scheduled for that instant; a catalog's schedule changes in it")
                }
            }
        }
    }

    /// Returns a product's prices: now, later and before.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`; `PurchaseRefusal` `.productNotAvailable`.
    package func prices(of productID: Product.ID, bundleID: App.BundleID) async throws -> ProductPrices {
        try await database.read { [self] connection in
            let entry = try app(bundleID, on: connection)
            guard let product = entry.product(productID, at: try clock.now(on: connection)) else {
                throw PurchaseRefusal(.productNotAvailable, productID, "this app has no product with that ID")
            }
            return ProductPrices(
                product: product, terms: entry.app.saleTerms, pending: entry.pendingPrices[productID]?.prices ?? [],
                changes: try PriceChangesTable.newest(
                    Self.maximumListedChanges, of: productID, app: entry.app.appleID, environment.id, on: connection))
        }
    }

    /// Applies the scheduled prices up to an instant, in order, and notifies subscribers. Each takes effect once, on
    /// any number of nodes.
    ///
    /// - Parameters:
    ///   - before: Called with the instant of each change before it takes effect.
    ///   - atInstant: Called in the transaction in which it does.
    ///   - lease: The lease under which an environment with a real clock is worked on.
    /// - Throws: ``LeaseLost`` if another node has taken over.
    package func performScheduledPrices(
        until target: Instant, under lease: WorkLease? = nil, before: (_ due: Instant) async throws -> Void = { _ in },
        atInstant: @escaping @Sendable (_ due: Instant, _ connection: any Connection) throws -> Void = { _, _ in }
    ) async throws {
        // Each round is later than the one before, so that work that fails can't hold up the loop.
        var last: Instant?
        while let due = try await database.read({ [catalog] in try catalog.nextPrice(on: $0) }), due <= target,
            last.map({ $0 < due }) ?? true
        {
            try Task.checkCancellation()
            try await before(due)
            try await database.write { [self] connection in
                try lease?.check(on: connection)
                try atInstant(due, connection)
                // All are read before the first is changed: then the cached catalog serves them.
                let catalog = Dictionary(
                    uniqueKeysWithValues: try catalog.cache.all(on: connection).map { ($0.app.appleID, $0) })
                for sold in try self.catalog.all(on: connection) where sold.nextPrice.map({ $0 <= due }) ?? false {
                    guard let entry = catalog[sold.app.appleID] else { continue }
                    let ready = sold.pendingPrices.filter { $0.value.prices[0].at <= due }.keys
                    let products = ready.compactMap { entry.products[$0] }.sorted { $0.appleID < $1.appleID }
                    try performPrices(of: products, app: entry.app.appleID, at: due, on: connection)
                }
            }
            // Under this lease: the one on price changes may be another node's.
            try await applyPriceChanges(under: lease)
            last = due
        }
    }

    /// Applies the scheduled prices of an app up to an instant.
    ///
    /// - Parameter products: Those with prices that are due, as in the catalog, without the environment's changes.
    private func performPrices(
        of products: [Product], app: Int64, at due: Instant, on connection: any Connection
    ) throws {
        // A manual clock performs each price when it passes it. An earlier one was added to the catalog afterwards, and
        // takes effect now.
        let earliest = environment.clock == .manual ? try clock.now(on: connection).wholeSeconds : nil
        _ = try catalog.change(products, app: app, on: connection) { product, change, settings in
            let before = change.applied(to: product)
            let prices = change.perform(until: due, of: product).map { price in
                var price = price
                price.at = max(price.at, earliest ?? price.at)
                return price
            }
            guard !prices.isEmpty else { return }
            try record(prices, of: before, app, on: connection)
            settings.migrate(before, to: prices)
        }
    }

    /// Records price changes, which are in order.
    ///
    /// - Parameter product: The product as it was sold before.
    func record(
        _ prices: [ScheduledPrice], of product: Product, _ app: Int64, on connection: any Connection
    ) throws {
        var list = product.priceList
        let changes = prices.map { price in
            let previous = price.storefront.flatMap { list.price(in: $0) } ?? list.base
            list.set(price.price, in: price.storefront)
            return PerformedPriceChange(
                at: price.at, storefront: price.storefront, previous: previous, price: price.price,
                preservesSubscribers: price.preservesSubscribers)
        }
        try PriceChangesTable.insert(changes, of: product.id, app: app, environment.id, on: connection)
    }
}

extension Store {
    /// Applies the scheduled prices that are due. Renewals before each are charged first, so that they are charged at the
    /// old price also after a time without a running node.
    ///
    /// - Throws: ``LeaseLost`` if another node has taken over.
    package func performScheduledPrices(under lease: WorkLease? = nil) async throws {
        try await products.performScheduledPrices(until: try await now(), under: lease) { [renewals] due in
            _ = try await renewals.processDue(until: due + -1, lease.map { .work($0) } ?? .none)
        }
    }
}
