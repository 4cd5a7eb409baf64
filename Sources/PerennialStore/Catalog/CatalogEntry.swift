import Perennial
import PerennialStorage

extension CatalogCache {
    /// An app with its products.
    package struct Entry: Sendable {
        /// The app. Its products are as in the catalog, ordered by Apple ID; ``soldApp`` has the environment's.
        package private(set) var app: App
        /// The revision of the catalog in which the app, a product or settings changed last.
        private(set) var revision: Int64
        package private(set) var sharedSecret: String
        /// The products as in the catalog.
        private(set) var catalogProducts: [Product.ID: Product]
        /// The app's settings for server notifications, by environment. Absent if it wants none.
        package private(set) var notifications: [StoreEnvironment.ID: NotificationSettings]
        /// The environment's settings for billing and renewal rate.
        package var billing = BillingSettings()
        /// Differences of the environment from the catalog; `nil` for the catalog itself.
        var changes: EnvironmentChanges?
        /// The instant of the first scheduled price that hasn't taken effect in the environment.
        package var nextPrice: Instant?
        /// The products with a price schedule.
        private(set) var scheduled: Set<Product.ID> = []

        /// - Parameter app: Its products are ordered by Apple ID.
        init(
            app: App, revision: Int64, sharedSecret: String, notifications: [StoreEnvironment.ID: NotificationSettings]
        ) {
            self.app = app
            self.revision = revision
            self.sharedSecret = sharedSecret
            self.notifications = notifications
            catalogProducts = Dictionary(app.products.map { ($0.id, $0) }) { first, _ in first }
            for product in app.products where !product.priceSchedule.isEmpty { scheduled.insert(product.id) }
        }

        /// Returns the entry with other products, which are ordered by Apple ID.
        /// - Parameter former: The deleted ones.
        func selling(_ products: [Product], former: [Product]) -> Entry {
            var app = app
            app.products = products
            app.formerProducts = former.isEmpty ? nil : former
            return Entry(app: app, revision: revision, sharedSecret: sharedSecret, notifications: notifications)
        }

        /// Adds a product, or replaces the one with its Apple ID.
        mutating func put(_ product: Product, revision: Int64? = nil) {
            if let revision { self.revision = revision }
            let place = place(of: product.appleID)
            if place < app.products.count, app.products[place].appleID == product.appleID {
                let before = app.products[place].id
                if before != product.id { forget(before) }
                app.products[place] = product
            } else {
                app.products.insert(product, at: place)
            }
            catalogProducts[product.id] = product
            removeFormer(product.appleID)
            if product.priceSchedule.isEmpty { scheduled.remove(product.id) } else { scheduled.insert(product.id) }
        }

        /// Removes the product with an Apple ID from sale.
        ///
        /// - Parameter former: The product as reports name it from now on.
        mutating func remove(_ appleID: Int64, former: Product?, revision: Int64) {
            self.revision = revision
            removeFormer(appleID)
            if let former { app.formerProducts = (app.formerProducts ?? []) + [former] }
            let place = place(of: appleID)
            guard place < app.products.count, app.products[place].appleID == appleID else { return }
            forget(app.products.remove(at: place).id)
        }

        /// Replaces all but the products.
        mutating func replaceApp(_ other: Entry, revision: Int64) {
            let (products, former) = (app.products, app.formerProducts)
            app = other.app
            app.products = products
            app.formerProducts = former
            sharedSecret = other.sharedSecret
            notifications = other.notifications
            self.revision = revision
        }

        private mutating func removeFormer(_ appleID: Int64) {
            guard let former = app.formerProducts?.filter({ $0.appleID != appleID }) else { return }
            app.formerProducts = former.isEmpty ? nil : former
        }

        private mutating func forget(_ id: Product.ID) {
            catalogProducts[id] = nil
            scheduled.remove(id)
        }

        /// Returns the ID of the product with an Apple ID.
        func productID(of appleID: Int64) -> Product.ID? {
            let place = place(of: appleID)
            guard place < app.products.count, app.products[place].appleID == appleID else { return nil }
            return app.products[place].id
        }

        /// Returns the place of an Apple ID among the products, which are ordered by it.
        private func place(of appleID: Int64) -> Int {
            var (low, high) = (0, app.products.count)
            while low < high {
                let middle = low + (high - low) / 2
                if app.products[middle].appleID < appleID { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    /// The apps, by bundle ID and by number.
    package struct Entries: Sendable {
        private(set) var byBundleID: [App.BundleID: Entry] = [:]
        private(set) var byNumber: [Int64: Entry] = [:]

        /// The instant of the first scheduled price that hasn't taken effect.
        private(set) var nextPrice: Instant?

        var sorted: [Entry] { byNumber.values.sorted { $0.app.appleID < $1.app.appleID } }

        mutating func put(_ entry: Entry) {
            byBundleID[entry.app.bundleID] = entry
            byNumber[entry.app.appleID] = entry
            updateNextPrice()
        }

        mutating func remove(_ number: Int64) {
            guard let removed = byNumber.removeValue(forKey: number) else { return }
            byBundleID[removed.app.bundleID] = nil
            updateNextPrice()
        }

        /// Changes an entry in place, without a copy of its products. Nothing happens for an unknown app.
        mutating func change(_ number: Int64, _ body: (inout Entry) -> Void) {
            guard var entry = byNumber.removeValue(forKey: number) else { return }
            byBundleID[entry.app.bundleID] = nil
            body(&entry)
            put(entry)
        }

        private mutating func updateNextPrice() {
            nextPrice = byNumber.values.compactMap(\.nextPrice).min()
        }
    }
}
