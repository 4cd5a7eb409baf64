import Perennial
import PerennialConnect

extension Catalog {
    /// A product of each app for a first purchase: an auto-renewable subscription if there is one.
    var exampleProducts: [App.BundleID: Product.ID] {
        Dictionary(
            apps.compactMap { app in
                let sold = app.products.filter(\.isClearedForSale)
                let example = sold.first { $0.type == .autoRenewable } ?? sold.first
                return example.map { (app.bundleID, $0.id) }
            }
        ) { first, _ in first }
    }
}
