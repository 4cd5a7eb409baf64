import AppStoreFormats
import Perennial

/// An app while its files are read: what they said so far, and what is still missing.
struct AppDraft {
    var app: App
    var groups: [SubscriptionGroup] = []
    var contents: [Content] = []
    var contentPlaces: [Content.ID: CatalogPlace] = [:]
    var sharedSecret: String?
    var saleTerms: SaleTerms?
    var notifications: CatalogFile.Notifications?
    var warnings: [CatalogWarning] = []
    /// Products for which no file said a price.
    var unpriced: Set<Product.ID> = []
    /// Where each product was said last.
    var places: [Product.ID: CatalogPlace] = [:]
    var place: CatalogPlace

    /// The finished app.
    /// - Throws: ``CatalogError`` for products and contents that break a rule.
    mutating func finish() throws {
        if app.appleID == 0 { app.appleID = StoreNumber.derived(from: app.bundleID.rawValue) }
        StoreNumber.number(&app.products, of: app.bundleID)
        for index in app.products.indices {
            var product = app.products[index]
            closeWhereUnpriced(&product)
            nameWhereNameless(&product)
            app.products[index] = product
        }
        checkTerms()
        try validate()
    }

    private func place(of id: Product.ID) -> CatalogPlace { places[id] ?? place }

    private mutating func closeWhereUnpriced(_ product: inout Product) {
        guard unpriced.contains(product.id), product.type != .free else { return }
        product.isClearedForSale = false
        warnings.append(
            CatalogWarning(
                .priceMissing, at: place(of: product.id), "\(product.id) has no price: kept, but not sold",
                remedy: "products: [{id: \(product.id), price: 0.99}]"))
    }

    private mutating func nameWhereNameless(_ product: inout Product) {
        let name = product.referenceName.isEmpty ? product.id.rawValue : product.referenceName
        let locale = product.localizations.first?.locale ?? app.defaultLocale
        guard product.localizations.isEmpty || product.localizations.contains(where: \.displayName.isEmpty) else {
            return
        }
        if product.localizations.isEmpty {
            product.localizations = [Product.Localization(locale: locale, displayName: name, description: "")]
        }
        for index in product.localizations.indices where product.localizations[index].displayName.isEmpty {
            product.localizations[index].displayName = name
        }
        warnings.append(
            CatalogWarning(
                .nameMissing, at: place(of: product.id), "\(product.id) has no display name: shown as '\(name)'",
                remedy: "products: [{id: \(product.id), localizations: {\(locale): {name: Name, description: Text}}}]"))
    }

    private mutating func checkTerms() {
        for product in app.products where product.type == .nonRenewing {
            guard app.nonRenewing.terms.term(of: product.id) == nil else { continue }
            warnings.append(
                CatalogWarning(
                    .termUnknown, at: place(of: product.id),
                    "the product ID \(product.id) doesn't say how long the subscription lasts: sold, but not granted",
                    remedy: "nonRenewing: {terms: {\(product.id): P1M}}"))
        }
        let sold = Set(app.products.filter { $0.type == .nonRenewing }.map(\.id))
        for id in app.nonRenewing.terms.configured.keys.sorted() where !sold.contains(id) {
            warnings.append(
                CatalogWarning(
                    .termWithoutProduct, at: place,
                    "a term is given for \(id), which is no non-renewing subscription here"))
        }
    }

    private mutating func validate() throws {
        for problem in ProductValidation.problems(in: app) {
            switch problem.severity {
            case .error: throw CatalogError(.invalidProduct, at: place(of: problem.product), problem.description)
            case .warning:
                warnings.append(CatalogWarning(.productRule, at: place(of: problem.product), problem.description))
            }
        }
        if let problem = contents.problems(in: app).first {
            throw CatalogError(
                .invalidContent, at: contentPlaces[problem.content] ?? place,
                "content \(problem.content): \(problem.reason)")
        }
    }
}
