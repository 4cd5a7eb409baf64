import AppStoreFormats
import Perennial

/// Writes an app's products as a `.storekit` file.
///
/// Keys of an earlier file that the catalog doesn't know stay where they are.
struct StoreKitWriter {
    let app: App
    let groups: [SubscriptionGroup]

    private var storefront: Storefront { app.defaultStorefront }

    /// - Parameter template: The file to update; `nil` for a new one.
    func file(updating template: StoreKitFile?) -> StoreKitFile {
        var file = template ?? StoreKitFile(version: .init(4, 0))
        if file.identifier == nil { file.identifier = Self.identifier(of: app.bundleID.rawValue) }
        write(&file.settings)
        file.products = app.products.filter { [.consumable, .nonConsumable].contains($0.type) }.map { product in
            item(product, from: file.products.first { $0.productID == product.id.rawValue })
        }
        file.nonRenewingSubscriptions = app.products.filter { $0.type == .nonRenewing }.map { product in
            item(product, from: file.nonRenewingSubscriptions.first { $0.productID == product.id.rawValue })
        }
        file.subscriptionGroups = groupsOfProducts.map { group in
            self.group(group, from: file.subscriptionGroups.first { ($0.id ?? $0.name) == group.id })
        }
        return file
    }

    /// The groups of the catalog, and those that only products name.
    private var groupsOfProducts: [SubscriptionGroup] {
        var groups = groups
        for id in app.products.compactMap(\.subscription?.groupID) where !groups.contains(where: { $0.id == id }) {
            groups.append(SubscriptionGroup(id: id, referenceName: id))
        }
        return groups
    }

    private func write(_ settings: inout StoreKitFile.Settings?) {
        var written = settings ?? StoreKitFile.Settings(fields: .init())
        if let number = Self.number(app.appleID) { written.applicationInternalID = number }
        written.storefront = storefront.rawValue
        written.locale = app.defaultLocale
        let sandbox = app.billing?.sandbox
        if case .rate(let rate)? = sandbox?.timeRate {
            written.timeRate = rate.sessionNumber
        } else {
            written.timeRate = 0
        }
        written.isBillingGracePeriodEnabled = (sandbox?.gracePeriodDays ?? 0) > 0
        written.areRenewalBillingIssuesEnabled = sandbox?.renewalsFail == true
        written.areBillingIssuesEnabled = nil
        settings = written
    }

    private func item(_ product: Product, from known: StoreKitFile.Product?) -> StoreKitFile.Product {
        var item = known ?? StoreKitFile.Product(fields: .init())
        item.productID = product.id.rawValue
        item.type =
            switch product.type {
            case .consumable: "Consumable"
            case .nonConsumable: "NonConsumable"
            default: "NonRenewingSubscription"
            }
        item.referenceName = product.referenceName
        item.familyShareable = product.isFamilyShareable
        item.displayPrice = price(product)
        item.internalID = Self.number(product.appleID) ?? item.internalID
        item.localizations = Self.localizations(product.localizations)
        return item
    }

    private func group(
        _ group: SubscriptionGroup, from known: StoreKitFile.SubscriptionGroup?
    ) -> StoreKitFile.SubscriptionGroup {
        var written = known ?? StoreKitFile.SubscriptionGroup(fields: .init())
        written.id = group.id
        written.name = group.referenceName
        let approved = group.versions.last { $0.state == .approved } ?? group.versions.last
        written.localizations = Self.localizations(
            (approved?.localizations ?? []).map {
                Product.Localization(
                    locale: $0.locale.replacing("-", with: "_"), displayName: $0.name, description: "")
            })
        let subscriptions = written.subscriptions
        written.subscriptions = app.products.filter { $0.subscription?.groupID == group.id }.map { product in
            subscription(product, from: subscriptions.first { $0.productID == product.id.rawValue })
        }
        return written
    }

    private func subscription(_ product: Product, from known: StoreKitFile.Subscription?) -> StoreKitFile.Subscription {
        var written = known ?? StoreKitFile.Subscription(fields: .init())
        guard let terms = product.subscription else { return written }
        written.productID = product.id.rawValue
        written.type = "RecurringSubscription"
        written.referenceName = product.referenceName
        written.familyShareable = product.isFamilyShareable
        written.displayPrice = price(product)
        written.internalID = Self.number(product.appleID) ?? written.internalID
        written.localizations = Self.localizations(product.localizations)
        written.subscriptionGroupID = terms.groupID
        written.groupNumber = terms.level
        written.recurringSubscriptionPeriod = terms.period.iso8601
        let knownOffer = written.introductoryOffer
        if let introductory = terms.introductoryOffer {
            written.introductoryOffer = offer(introductory, from: knownOffer)
        } else {
            written.fields["introductoryOffer"] = .null
        }
        // The plural form of version 5.0 comes first where a file has it.
        if !written.introductoryOffers.isEmpty {
            written.introductoryOffers = terms.introductoryOffer.map { [offer($0, from: knownOffer)] } ?? []
        }
        written.promotionalOffers = terms.promotionalOffers.map { promotional in
            offer(promotional, from: written.promotionalOffers.first { $0.offerID == promotional.id }, id: true)
        }
        written.codeOffers = terms.codeOffers.map { code in
            var offer = offer(code, from: written.codeOffers.first { $0.referenceName == code.id })
            offer.referenceName = code.id
            offer.eligibility = code.eligibility.map(\.rawValue).sorted()
            offer.isStackable = code.isStackable
            return offer
        }
        written.winBackOffers = terms.winBackOffers.map { winBack in
            offer(winBack, from: written.winBackOffers.first { $0.offerID == winBack.id }, id: true)
        }
        return written
    }

    private func offer(_ offer: Offer, from known: StoreKitFile.Offer?, id: Bool = false) -> StoreKitFile.Offer {
        var written = known ?? StoreKitFile.Offer(fields: .init())
        if id {
            written.offerID = offer.id
            written.referenceName = offer.referenceName
        }
        written.paymentMode = offer.paymentMode == .freeTrial ? "free" : offer.paymentMode.rawValue
        written.subscriptionPeriod = offer.period.iso8601
        written.numberOfPeriods = offer.periodCount
        written.displayPrice =
            offer.paymentMode == .freeTrial ? nil : (offer.prices[storefront] ?? offer.basePrice).decimal
        if written.internalID == nil {
            written.internalID = Self.identifier(
                of: "\(app.bundleID) \(offer.id ?? "") \(offer.period) \(offer.paymentMode)")
        }
        return written
    }

    /// The price in the file's storefront; empty for none.
    private func price(_ product: Product) -> String {
        guard product.isPriced else { return "" }
        return (product.price(in: storefront) ?? product.basePrice).decimal
    }

    private static func localizations(_ localizations: [Product.Localization]) -> [StoreKitFile.Localization] {
        localizations.map { text in
            var written = StoreKitFile.Localization(fields: .init())
            written.locale = text.locale
            written.displayName = text.displayName
            written.description = text.description
            return written
        }
    }

    /// The Apple ID, if a reader takes it for one.
    private static func number(_ appleID: Int64) -> String? { AppleID.parse("\(appleID)") == nil ? nil : "\(appleID)" }

    /// Eight hexadecimal digits, as Xcode gives them.
    private static func identifier(of text: String) -> String {
        let number = UInt32(truncatingIfNeeded: AppleID.hash(of: text))
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

extension Catalog {
    /// Returns an app as a `.storekit` file, and the fields that such a file can't say.
    /// - Parameter template: The text of the file to update, whose other keys stay; `nil` for a new file.
    /// - Throws: ``CatalogError`` for a template that can't be read.
    package func storeKitFile(
        of bundleID: App.BundleID, updating template: [UInt8]? = nil, path: String
    ) throws -> (text: String, losses: [CatalogDifference]) {
        guard let app = apps.first(where: { $0.bundleID == bundleID }) else { return ("", []) }
        let place = CatalogPlace(file: path, spot: .file)
        let known = try template.map { try StoreKitFile(parsing: $0, at: place) }
        let file = StoreKitWriter(app: app, groups: groups[bundleID] ?? []).file(updating: known)
        let (before, after) = (try CatalogTree(app, in: self), try CatalogTree(reading: file, of: app, path: path))
        return (file.text, before.differences(to: after, bundleID))
    }
}

extension CatalogTree {
    /// Creates the trees of an app as a `.storekit` file says them.
    fileprivate init(
        reading file: StoreKitFile, of app: App, path: String, tolerating tolerated: Set<ProductProblem.Code> = []
    ) throws {
        var builder = CatalogImport.builder(from: file, path: path, bundleID: app.bundleID, name: app.name)
        builder.toleratedProblems = tolerated
        try builder.finish()
        var read = Catalog()
        read.add(builder)
        try self.init(builder.app, in: read)
    }

    /// Returns the trees as they are after an export as a `.storekit` file, with what such a file can say.
    func asStoreKitFile(appleID: Int64, _ bundleID: App.BundleID) throws -> CatalogTree {
        let name = "the catalog of \(bundleID)"
        let catalog = try Catalog(document: file(appleID: appleID).yaml.utf8, name: name)
        guard let app = catalog.apps.first else { return CatalogTree() }
        let written = StoreKitWriter(app: app, groups: catalog.groups[bundleID] ?? []).file(updating: nil)
        // It is only compared with, and never imported.
        return try CatalogTree(
            reading: written, of: app, path: name, tolerating: Set(ProductProblem.Code.allCases))
    }

    /// Returns the differences to another version of the catalog.
    func differences(to other: CatalogTree, _ bundleID: App.BundleID) -> [CatalogDifference] {
        var differences = CatalogDifference.between(app, other.app, CatalogSubject(.app, bundleID.rawValue))
        for id in Set(groups.keys).union(other.groups.keys).sorted() {
            differences += CatalogDifference.between(groups[id], other.groups[id], CatalogSubject(.group, id))
        }
        for id in other.productIDs + productIDs.filter({ other.products[$0] == nil }) {
            differences += CatalogDifference.between(products[id], other.products[id], CatalogSubject(.product, id))
        }
        return differences
    }
}
