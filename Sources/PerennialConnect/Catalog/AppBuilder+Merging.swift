import AppStoreFormats
import Perennial

extension AppBuilder {
    /// Creates a builder for an app with only a bundle ID.
    init(bundleID: App.BundleID, place: CatalogPlace) {
        self.init(app: App(bundleID: bundleID, appleID: 0, name: bundleID.rawValue), place: place)
    }

    /// Merges the fields of a YAML catalog. Fields that it doesn't have stay.
    /// - Throws: ``CatalogError`` for new products that are incomplete.
    mutating func merge(with entry: CatalogFile.App, file: String) throws {
        place = CatalogPlace(file: file, spot: entry.position.spot)
        app.appleID = entry.appleID ?? app.appleID
        app.name = entry.name ?? app.name
        try Self.check(at: place) { try ListingLimits.check(directionOf: app.name, "name") }
        app.version = entry.version ?? app.version
        app.isNewsstand = entry.isNewsstand ?? app.isNewsstand
        mergeStorefront(with: entry)
        mergeMoney(with: entry)
        mergePrice(with: entry)
        mergeReporting(with: entry)
        mergeNonRenewing(with: entry.nonRenewing)
        mergeBilling(with: entry.billing)
        notifications = entry.notifications ?? notifications
        app.availability = entry.availability?.availability ?? app.availability
        if let listing = entry.listing { app.listing = try decoded(listing, "listing", at: place) }
        for group in entry.groups { try merge(with: group, file: file) }
        for product in entry.products {
            try merge(with: product, file: file)
            for content in product.contents { add(content, file: file) }
        }
        for content in entry.contents { add(content, file: file) }
    }

    private mutating func mergeReporting(with entry: CatalogFile.App) {
        let info = app.reporting ?? ReportingInfo()
        let merged = ReportingInfo(
            sku: entry.sku ?? info.sku, developer: entry.developer ?? info.developer,
            category: entry.category ?? info.category, platforms: entry.platforms ?? info.platforms)
        app.reporting = merged == ReportingInfo() ? nil : merged
    }

    private mutating func mergeNonRenewing(with entry: CatalogFile.NonRenewing?) {
        guard let entry else { return }
        for (key, text) in entry.terms {
            guard let period = Period(iso8601: text) else { continue }
            if let pattern = TermRules.Pattern(rawValue: key) {
                app.nonRenewing.terms.patterns[pattern] = period
            } else {
                app.nonRenewing.terms.configured[Product.ID(rawValue: key)] = period
            }
        }
        if let rule = entry.rule { app.nonRenewing.terms.readsProductIDs = rule != "off" }
        if let overlap = entry.overlap.flatMap(NonRenewingPolicy.Overlap.init) { app.nonRenewing.overlap = overlap }
    }

    private mutating func mergeBilling(with entry: CatalogFile.Billing?) {
        guard let entry else { return }
        var billing = app.billing ?? AppBilling()
        if let side = entry.production { billing.production = BillingSettings(side).merging(billing.production) }
        if let side = entry.sandbox { billing.sandbox = BillingSettings(side).merging(billing.sandbox) }
        app.billing = billing
    }

    private mutating func mergeStorefront(with entry: CatalogFile.App) {
        if let code = entry.defaultStorefront {
            app.defaultStorefront = Storefront(rawValue: code)
            if entry.defaultLocale == nil, let locale = app.defaultStorefront.info?.locale {
                app.defaultLocale = locale
            }
        }
        app.defaultLocale = entry.defaultLocale ?? app.defaultLocale
    }

    private mutating func mergeMoney(with entry: CatalogFile.App) {
        sharedSecret = entry.sharedSecret?.value ?? sharedSecret
        var terms = saleTerms ?? .standard
        terms.commissionBasisPoints = entry.commissionBasisPoints ?? terms.commissionBasisPoints
        terms.taxBasisPoints = entry.taxBasisPoints ?? terms.taxBasisPoints
        terms.isSmallBusiness = entry.isSmallBusiness ?? terms.isSmallBusiness
        for (code, tax) in entry.taxes {
            terms.storefrontTaxes[Storefront(rawValue: code)] = SalesTax(
                basisPoints: tax.basisPoints, isIncluded: tax.isIncluded)
        }
        if terms != .standard { saleTerms = terms }
    }

    private mutating func add(_ entry: CatalogFile.Content, file: String) {
        let content = Content(
            id: Content.ID(rawValue: entry.id), unlockedBy: entry.products.map { Product.ID(rawValue: $0) },
            version: entry.version ?? "1.0", file: entry.file, filename: entry.filename,
            published: entry.published.flatMap { Instant(rfc3339: $0) },
            includedIn: entry.subscriptions.map { Product.ID(rawValue: $0) },
            requires: entry.requires.map { Content.ID(rawValue: $0) })
        contents.append(content)
        contentPlaces[content.id] = CatalogPlace(file: file, spot: entry.position.spot)
    }
}

extension BillingSettings {
    fileprivate init(_ side: CatalogFile.Billing.Side) {
        self.init(
            timeRate: side.timeRate.flatMap(RenewalRate.init(rawValue:)), maximumRenewals: side.maximumRenewals,
            gracePeriodDays: side.gracePeriodDays,
            gracePeriodScope: side.gracePeriodScope.flatMap(BillingPolicy.GraceScope.init(rawValue:)),
            renewalsFail: side.renewalsFail)
    }
}

extension CatalogFile.Position {
    var spot: CatalogPlace.Spot { .position(line: line, column: column) }
}
