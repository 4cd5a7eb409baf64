import AppStoreFormats
import Perennial

/// Imports a `.storekit` file as an app with its products.
package enum CatalogImport {
    /// Returns the app of a single file.
    /// - Parameters:
    ///   - file: The decoded file.
    ///   - path: Its name for warnings and errors.
    /// - Throws: ``CatalogError`` for products that break a rule of the store.
    package static func app(
        from file: StoreKitFile, path: String, bundleID: App.BundleID, name: String
    ) throws -> (app: App, warnings: [CatalogWarning]) {
        var builder = builder(from: file, path: path, bundleID: bundleID, name: name)
        try builder.finish()
        return (builder.app, builder.warnings)
    }

    /// Returns the builder with the file's contents, into which a catalog can be merged.
    /// - Parameter storefront: The storefront of a file that has none; by default the United States.
    static func builder(
        from file: StoreKitFile, path: String, bundleID: App.BundleID, name: String, storefront: Storefront? = nil,
        appliesWinBackEligibility: Bool = false
    ) -> AppBuilder {
        var reader = StoreKitReader(file: path, storefront: storefront ?? .usa)
        reader.appliesWinBackEligibility = appliesWinBackEligibility
        return reader.builder(of: file, bundleID: bundleID, name: name)
    }
}

/// Reads one `.storekit` file and collects warnings about all that can't be applied.
struct StoreKitReader {
    let file: String
    var storefront: Storefront
    /// True if the file decides who is eligible for win-back offers.
    var appliesWinBackEligibility = false
    var warnings: [CatalogWarning] = []
    var unpriced: Set<Product.ID> = []
    var places: [Product.ID: CatalogPlace] = [:]

    init(file: String, storefront: Storefront) {
        self.file = file
        self.storefront = storefront
    }

    var currency: Currency { storefront.currency ?? .usd }

    mutating func warn(_ code: CatalogWarning.Code, _ path: String, _ message: String) {
        warnings.append(CatalogWarning(code, at: CatalogPlace(file: file, spot: .path(path)), message))
    }

    mutating func builder(of file: StoreKitFile, bundleID: App.BundleID, name: String) -> AppBuilder {
        for warning in file.warnings {
            let code: CatalogWarning.Code =
                switch warning.code {
                case .newerVersion: .newerFileVersion
                case .typeAssumed: .typeAssumed
                case .unknownKey: .unknownKey
                }
            warn(code, warning.path, warning.message)
        }
        let locale = readSettings(of: file)
        let billing = billing(of: file)
        var app = App(
            bundleID: bundleID, appleID: AppleID.parse(file.settings?.applicationInternalID) ?? 0, name: name,
            defaultStorefront: storefront, defaultLocale: locale, billing: billing)
        for (index, product) in file.products.enumerated() {
            app.products.append(read(product, path: "products[\(index)]"))
        }
        for (index, product) in file.nonRenewingSubscriptions.enumerated() {
            app.products.append(read(product, path: "nonRenewingSubscriptions[\(index)]"))
        }
        let groups = file.subscriptionGroups.enumerated().map { index, group in
            read(group, path: "subscriptionGroups[\(index)]", into: &app)
        }
        return AppBuilder(
            app: app, groups: groups, warnings: warnings, unpriced: unpriced, places: places,
            place: CatalogPlace(file: self.file, spot: .file))
    }

    private mutating func read(_ product: StoreKitFile.Product, path: String) -> Product {
        let type: ProductType =
            switch product.type {
            case "Consumable": .consumable
            case "NonConsumable": .nonConsumable
            default: .nonRenewing
            }
        let id = Product.ID(rawValue: product.productID)
        places[id] = CatalogPlace(file: file, spot: .path(path))
        return Product(
            id: id, appleID: AppleID.parse(product.internalID) ?? 0, type: type,
            referenceName: product.referenceName ?? "", isFamilyShareable: product.familyShareable ?? false,
            localizations: localizations(product.localizations, path: path),
            basePrice: price(product.displayPrice, of: id))
    }

    private mutating func read(
        _ group: StoreKitFile.SubscriptionGroup, path: String, into app: inout App
    ) -> SubscriptionGroup {
        // Hand-written files may lack IDs. The name or the position then identifies the group.
        let id = group.id ?? group.name ?? path
        for (index, subscription) in group.subscriptions.enumerated() {
            app.products.append(read(subscription, groupID: id, path: "\(path).subscriptions[\(index)]"))
        }
        return SubscriptionGroup(
            id: id, referenceName: group.name ?? id,
            localizations: localizations(group.localizations, path: path))
    }

    private mutating func read(_ product: StoreKitFile.Subscription, groupID: String, path: String) -> Product {
        let id = Product.ID(rawValue: product.productID)
        places[id] = CatalogPlace(file: file, spot: .path(path))
        if let own = product.subscriptionGroupID, own != groupID {
            warn(
                .groupMismatch, "\(path).subscriptionGroupID",
                "is '\(own)' inside of group '\(groupID)': the group's ID applies")
        }
        if let image = product.promotionalImageID, !image.isEmpty {
            warn(
                .imageNotApplied, "\(path).promotionalImageID",
                "this store shows no promotional images: kept, not applied")
        }
        readBillingPlans(of: product, path: path)
        return Product(
            id: id, appleID: AppleID.parse(product.internalID) ?? 0, type: .autoRenewable,
            referenceName: product.referenceName ?? "", isFamilyShareable: product.familyShareable ?? false,
            localizations: localizations(product.localizations, path: path),
            basePrice: price(product.displayPrice, of: id),
            subscription: Product.Subscription(
                groupID: groupID, level: level(of: product, path: path),
                period: product.recurringSubscriptionPeriod.flatMap { Period(iso8601: $0) } ?? .month,
                introductoryOffer: introductoryOffer(of: product, path: path),
                promotionalOffers: offers(product.promotionalOffers, .promotional, path: "\(path).adHocOffers"),
                codeOffers: offers(product.codeOffers, .code, path: "\(path).codeOffers"),
                winBackOffers: offers(product.winBackOffers, .winBack, path: "\(path).winbackOffers")))
    }

    private mutating func level(of product: StoreKitFile.Subscription, path: String) -> Int {
        if let level = product.groupNumber, level >= 1 { return level }
        warn(
            .levelAssumed, "\(path).groupNumber",
            (product.groupNumber.map { "\($0) is " } ?? "") + "no level of service: 1, the highest, is assumed"
        )
        return 1
    }

    /// `""` means no price, as in 8 of the files compared.
    private mutating func price(_ text: String?, of id: Product.ID) -> Money {
        guard let text, let money = Money(decimal: text, currency) else {
            unpriced.insert(id)
            return .zero(currency)
        }
        return money
    }

    private mutating func localizations(
        _ localizations: [StoreKitFile.Localization], path: String
    ) -> [Product.Localization] {
        localizations.enumerated().compactMap { index, localization in
            guard let locale = localization.locale.flatMap(CatalogFile.locale) else {
                warn(.localeUnknown, "\(path).localizations[\(index)]", "names in no language: kept, not applied")
                return nil
            }
            return Product.Localization(
                locale: locale, displayName: localization.displayName ?? "", description: localization.description ?? ""
            )
        }
    }
}
