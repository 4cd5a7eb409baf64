import Perennial

/// The apps of a content server, with their products, contents and shared secrets.
package struct DeliveryCatalog: Sendable {
    package struct Entry: Sendable {
        package var app: App
        package var contents: [Content]
        /// Shared secret, which receipts with auto-renewable subscriptions need.
        package var sharedSecret: String?

        package init(app: App, contents: [Content], sharedSecret: String? = nil) {
            self.app = app
            self.contents = contents
            self.sharedSecret = sharedSecret
        }
    }

    package let entries: [App.BundleID: Entry]

    /// Makes a catalog. Of two entries of one app the later counts.
    package init(_ entries: [Entry]) {
        self.entries = Dictionary(entries.map { ($0.app.bundleID, $0) }) { $1 }
    }

    /// - Throws: ``DeliveryError`` with `appNotFound`.
    func entry(_ bundleID: App.BundleID) throws -> Entry {
        guard let entry = entries[bundleID] else {
            throw DeliveryError(.appNotFound, bundleID.rawValue, "this server delivers nothing for that app")
        }
        return entry
    }
}

extension DeliveryCatalog.Entry {
    /// Adds the catalog's product types to purchases.
    func typed(_ purchases: [VerifiedPurchase]) -> [VerifiedPurchase] {
        let types = Dictionary(app.products.map { ($0.id, $0.type) }) { first, _ in first }
        return purchases.map { purchase in
            var typed = purchase
            typed.type = types[purchase.productID] ?? purchase.type
            return typed
        }
    }

    func content(_ id: Content.ID) -> Content? {
        contents.first { $0.id == id }
    }
}
