import Perennial
import PerennialConnect

extension Catalog {
    /// A product for each app's first try: one that renews where there is one, since most can be tried with it.
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
