import AppStoreFormats
import Perennial

extension CatalogNode {
    /// Creates an app of a catalog without its products. Values that a reader assumes are left out.
    init(_ app: App, notifications: CatalogFile.Notifications? = nil, sharedSecret: String? = nil) throws {
        let currency = app.defaultStorefront.currency ?? .usd
        let terms = app.saleTerms
        let taxes = terms.storefrontTaxes.sorted { $0.key.rawValue < $1.key.rawValue }
        self = .fields([
            ("bundleId", .text(app.bundleID.rawValue)), ("appleId", app.appleID == 0 ? nil : .integer(app.appleID)),
            ("name", .text(app.name)), ("version", .text(app.version)), ("newsstand", .flag(app.isNewsstand)),
            ("defaultStorefront", .text(app.defaultStorefront.rawValue)), ("defaultLocale", .text(app.defaultLocale)),
            ("sharedSecret", .text(sharedSecret)), ("price", app.price.map { .price($0.basePrice, in: currency) }),
            ("prices", app.price.flatMap { .prices($0.prices) }),
            (
                "commissionBasisPoints",
                terms.commissionBasisPoints == SaleTerms.standardCommission
                    ? nil : .integer(terms.commissionBasisPoints)
            ),
            ("taxBasisPoints", terms.taxBasisPoints.map { .integer($0) }),
            (
                "taxes",
                taxes.isEmpty ? nil : .keys(taxes.map { Member($0.key.rawValue, CatalogNode($0.value, $0.key)) })
            ),
            ("smallBusiness", .flag(terms.isSmallBusiness)), ("sku", .text(app.reporting?.sku)),
            ("developer", .text(app.reporting?.developer)), ("category", .text(app.reporting?.category)),
            ("platforms", .text(app.reporting?.platforms)), ("nonRenewing", Self.policy(app.nonRenewing)),
            ("billing", app.billing.map { CatalogNode($0) }),
            ("notifications", notifications.flatMap { CatalogNode.receivers($0) }),
            ("availability", app.availability.map { CatalogNode($0) }),
            ("listing", try app.listing.map { try .json($0) }),
        ])
    }

    /// A rate alone, if the storefront's standard says whether prices include it.
    private init(_ tax: SalesTax, _ storefront: Storefront) {
        let rate = CatalogNode.integer(tax.basisPoints)
        self =
            tax.isIncluded == storefront.salesTax.isIncluded
            ? rate : .fields([("basisPoints", rate), ("included", .bool(tax.isIncluded))])
    }

    private static func policy(_ policy: NonRenewingPolicy) -> CatalogNode? {
        guard policy != NonRenewingPolicy() else { return nil }
        let terms =
            policy.terms.configured.map { ($0.key.rawValue, $0.value) }
            + policy.terms.patterns.map { ($0.key.rawValue, $0.value) }
        let sorted = terms.sorted { $0.0 < $1.0 }.map { Member($0.0, .text($0.1.iso8601)) }
        return .fields([
            ("overlap", policy.overlap == .refuse ? nil : .text(policy.overlap.rawValue)),
            ("terms", sorted.isEmpty ? nil : .keys(sorted)),
            ("rule", policy.terms.readsProductIDs ? nil : .text("off")),
        ])
    }

    private init(_ billing: AppBilling) {
        self = .fields([
            ("production", billing.production.map { CatalogNode($0) }),
            ("sandbox", billing.sandbox.map { CatalogNode($0) }),
        ])
    }

    private init(_ billing: BillingSettings) {
        self = .fields([
            ("timeRate", .text(billing.timeRate?.rawValue)),
            ("maximumRenewals", billing.maximumRenewals.map { .integer($0) }),
            ("gracePeriodDays", billing.gracePeriodDays.map { .integer($0) }),
            ("gracePeriodScope", .text(billing.gracePeriodScope?.rawValue)),
            ("renewalsFail", billing.renewalsFail.map { .bool($0) }),
        ])
    }

    private static func receivers(_ notifications: CatalogFile.Notifications) -> CatalogNode? {
        let node = CatalogNode.fields([
            ("production", notifications.production.map { CatalogNode($0) }),
            ("sandbox", notifications.sandbox.map { CatalogNode($0) }),
        ])
        return node.members?.isEmpty == true ? nil : node
    }

    private init(_ receiver: CatalogFile.Notifications.Receiver) {
        let retries = receiver.retries == NotificationTerms.Retries.appStore.rawValue ? nil : receiver.retries
        let timeout =
            receiver.timeoutMilliseconds == NotificationTerms.defaultTimeout ? nil : receiver.timeoutMilliseconds
        self = .fields([
            ("url", .text(receiver.url)), ("version", receiver.version == 1 ? .integer(1) : nil),
            ("retries", .text(retries)), ("timeoutMilliseconds", timeout.map { .integer($0) }),
        ])
    }

    /// Creates a subscription group of a catalog.
    init(_ group: SubscriptionGroup) throws {
        var names: [(String, CatalogNode?)] = []
        if group.hasFileVersions {
            let localizations = group.versions.flatMap(\.localizations).map { localization in
                Member(
                    localization.locale.replacing("-", with: "_"),
                    .fields([
                        ("name", .text(localization.name)), ("customAppName", .text(localization.customAppName)),
                    ]))
            }
            if !localizations.isEmpty { names = [("localizations", .keys(localizations))] }
        } else {
            names = [("versions", .list(try group.versions.compactMap { try .encoded($0) }))]
        }
        self = .fields([("id", .text(group.id)), ("referenceName", .text(group.referenceName))] + names)
    }
}

extension SubscriptionGroup {
    /// Creates a group with the names of a file.
    init(id: String, referenceName: String, names: [CatalogFile.GroupLocalization]) {
        self.init(
            id: id, referenceName: referenceName,
            localizations: names.map {
                Product.Localization(locale: $0.locale, displayName: $0.name, description: "")
            })
        guard !versions.isEmpty else { return }
        for index in names.indices { versions[0].localizations[index].customAppName = names[index].customAppName }
    }

    /// True if the names of one approved version, written as in a file, say everything.
    fileprivate var hasFileVersions: Bool {
        let names = versions.flatMap(\.localizations).map {
            CatalogFile.GroupLocalization(
                locale: $0.locale.replacing("-", with: "_"), name: $0.name, customAppName: $0.customAppName)
        }
        return versions == SubscriptionGroup(id: id, referenceName: referenceName, names: names).versions
    }
}
