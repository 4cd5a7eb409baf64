import Perennial
import PerennialConnect

/// A catalog in words: each app with its products, then the warnings.
struct CatalogReport {
    let catalog: Catalog

    init(_ catalog: Catalog) { self.catalog = catalog }

    var text: String {
        let apps = catalog.apps.map { heading($0) + "\n" + products(of: $0).text }
        let warnings = catalog.warnings.map { "  \($0)" }
        let last =
            warnings.isEmpty
            ? "No warnings." : (["\(count(warnings.count, "warning")):"] + warnings).joined(separator: "\n")
        return (apps + [last]).joined(separator: "\n\n")
    }

    private func heading(_ app: App) -> String {
        let contents = catalog.contents[app.bundleID]?.count ?? 0
        return "\(app.bundleID) “\(app.name)”, number \(app.appleID), storefront \(app.defaultStorefront.rawValue): "
            + count(app.products.count, "product") + (contents == 0 ? "" : ", " + count(contents, "content file"))
    }

    private func products(of app: App) -> TerminalTable {
        TerminalTable(
            ["PRODUCT", "TYPE", "PRICE", "PERIOD", "GROUP", "LEVEL", "OFFERS", "STATE", "NAME"],
            app.products.map { product in
                let subscription = product.subscription
                return [
                    product.id.rawValue, product.type.rawValue, product.basePrice.description,
                    period(of: product, in: app)?.iso8601 ?? "-", subscription?.groupID ?? "-",
                    subscription.map { "\($0.level)" } ?? "-", offers(of: product),
                    state(of: product), product.referenceName,
                ]
            })
    }

    private func state(of product: Product) -> String {
        guard product.isClearedForSale else { return "not for sale" }
        return product.isPriced ? product.state.rawValue : "no price"
    }

    private func period(of product: Product, in app: App) -> Period? {
        product.subscription?.period
            ?? (product.type == .nonRenewing ? app.nonRenewing.terms.term(of: product.id) : nil)
    }

    private func offers(of product: Product) -> String {
        let count = (product.subscription?.offerCount ?? 0) + product.codeOffers.count
        return product.subscription == nil && count == 0 ? "-" : "\(count)"
    }

    private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}

extension Product.Subscription {
    fileprivate var offerCount: Int {
        (introductoryOffer == nil ? 0 : 1) + promotionalOffers.count + codeOffers.count + winBackOffers.count
    }
}
