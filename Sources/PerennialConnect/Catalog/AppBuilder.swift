import AppStoreFormats
import Perennial

/// Builds an app from its files, which are merged one after the other.
struct AppBuilder {
    var app: App
    var groups: [SubscriptionGroup] = []
    var contents: [Content] = []
    var contentPlaces: [Content.ID: CatalogPlace] = [:]
    var sharedSecret: String?
    var saleTerms: SaleTerms?
    var notifications: CatalogFile.Notifications?
    var warnings: [CatalogWarning] = []
    /// The seller's side of the products that have one in a file.
    var listings: [Product.ID: ProductListing] = [:]
    /// Products without names on purpose, as an export writes them.
    var unnamed: Set<Product.ID> = []
    /// The products without an Apple ID in any file. Theirs are derived from their IDs.
    var withoutAppleID: Set<Product.ID> = []
    /// Products without a price in any file.
    var unpriced: Set<Product.ID> = []
    /// The last place that defines each product.
    var places: [Product.ID: CatalogPlace] = [:]
    var place: CatalogPlace
    /// True if the products come from a `.storekit` file alone.
    var isStoreKitFile = false
    /// Rules whose violation is a warning and no error.
    var toleratedProblems: Set<ProductProblem.Code> = []

    /// Completes and validates the app.
    /// - Throws: ``CatalogError`` for products and contents that break a rule.
    mutating func finish() throws {
        if app.appleID == 0 { app.appleID = AppleID.hash(of: app.bundleID.rawValue) }
        withoutAppleID = Set(app.products.filter { $0.appleID == 0 }.map(\.id))
        AppleID.number(&app.products, of: app.bundleID)
        for index in app.products.indices {
            var product = app.products[index]
            markIfUnpriced(&product)
            addMissingName(&product)
            app.products[index] = product
        }
        checkTerms()
        try validate()
    }

    private func place(of id: Product.ID) -> CatalogPlace { places[id] ?? place }

    private mutating func markIfUnpriced(_ product: inout Product) {
        guard unpriced.contains(product.id) else { return }
        product.isPriced = false
        warnings.append(
            CatalogWarning(
                .priceMissing, at: place(of: product.id),
                "\(product.id) has no price: sold at 0 in Sandbox and test environments, not sold in Production",
                remedy: "products: [{id: \(product.id), price: <PRICE such as 0.99>}]"))
    }

    private mutating func addMissingName(_ product: inout Product) {
        guard !unnamed.contains(product.id) else { return }
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
        let (terms, sold) = (app.nonRenewing.terms, app.products.filter { $0.type == .nonRenewing }.map(\.id))
        for id in sold where terms.term(of: id) == nil {
            let reason =
                terms.readsProductIDs
                ? "the product ID \(id) doesn't say how long the subscription lasts"
                : "nothing says how long \(id) lasts, and product IDs don't count here (rule: off)"
            // A placeholder instead of a duration, which is refused if pasted unchanged.
            warnings.append(
                CatalogWarning(
                    .termUnknown, at: place(of: id), "\(reason): sold, but not granted",
                    remedy: "nonRenewing: {terms: {\(id): <TERM such as P1M>}}"))
        }
        let unused =
            terms.configured.keys.filter { !sold.contains($0) }.map(\.rawValue)
            + terms.patterns.keys.filter { pattern in !sold.contains(where: pattern.matches) }.map(\.rawValue)
        for key in unused.sorted() {
            warnings.append(
                CatalogWarning(
                    .termWithoutProduct, at: place,
                    "a term is given for \(key), which is no non-renewing subscription here"))
        }
    }

    private mutating func validate() throws {
        for problem in ProductValidation.problems(in: app) {
            switch problem.severity {
            case .error where !toleratedProblems.contains(problem.code):
                throw CatalogError(.invalidProduct, at: place(of: problem.product), problem.description)
            case .error, .warning:
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
