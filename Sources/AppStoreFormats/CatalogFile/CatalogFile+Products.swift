import Perennial

extension CatalogFile.Product {
    static let keys = [
        "id", "appleId", "type", "referenceName", "state", "clearedForSale", "familyShareable", "price", "currency",
        "priced", "prices", "baseStorefront", "equalizesPrices", "schedule", "ownPricesOnly", "availability",
        "localizations",
        "subscription", "codeOffers", "content", "reviewNote", "taxCategory", "rejectionReason", "listing",
    ]
    static let types = ["consumable", "non-consumable", "auto-renewable", "free", "non-renewing"]
    static let states = [
        "ready-to-submit", "waiting-for-review", "in-review", "developer-action-needed", "rejected",
        "removed-from-sale", "approved",
    ]

    init(_ node: YAMLNode) throws {
        let fields = try YAMLFields(node, known: Self.keys)
        let id = try fields.required("id").identifier()
        position = fields.position
        self.id = id
        appleID = try fields["appleId"]?.integer(1...Int64.max)
        type = try fields["type"]?.word(of: Self.types)
        referenceName = try fields["referenceName"]?.text()
        state = try fields["state"]?.word(of: Self.states)
        isClearedForSale = try fields["clearedForSale"]?.bool()
        isFamilyShareable = try fields["familyShareable"]?.bool()
        price = try fields.price()
        isPriced = try fields["priced"]?.bool()
        prices = try fields["prices"]?.prices() ?? [:]
        baseStorefront = try fields["baseStorefront"]?.storefront()
        equalizesPrices = try fields["equalizesPrices"]?.bool()
        requiresOwnPrices = try fields["ownPricesOnly"]?.bool()
        schedule = try fields["schedule"]?.list().map(CatalogFile.ScheduledPrice.init) ?? []
        availability = try fields["availability"].map(CatalogFile.Availability.init)
        localizations = try fields["localizations"]?.localizations()
        subscription = try fields["subscription"].map(CatalogFile.Subscription.init)
        codeOffers = try fields["codeOffers"]?.list().map(CatalogFile.OneTimeOffer.init)
        contents = try fields["content"].map { try $0.list().map { try .init($0, product: id) } } ?? []
        reviewNote = try fields["reviewNote"]?.text()
        taxCategory = try fields["taxCategory"]?.text()
        rejectionReason = try fields["rejectionReason"]?.text()
        listing = fields["listing"]?.tree
    }
}

extension CatalogFile.Availability {
    static let keys = ["storefronts", "includesNew"]

    /// A list of storefronts, or the keys.
    init(_ node: YAMLNode) throws {
        guard case .keys = node.value else {
            self.init(storefronts: try node.list().map { try $0.storefront() })
            return
        }
        let fields = try YAMLFields(node, known: Self.keys)
        self.init(
            storefronts: try fields["storefronts"]?.list().map { try $0.storefront() } ?? [],
            includesNew: try fields["includesNew"]?.bool() ?? false)
    }
}

extension CatalogFile.Group {
    static let keys = ["id", "referenceName", "localizations", "versions"]

    init(_ node: YAMLNode) throws {
        let fields = try YAMLFields(node, known: Self.keys)
        position = fields.position
        id = try fields.required("id").text()
        referenceName = try fields["referenceName"]?.text()
        localizations = try fields["localizations"].map { try $0.groupLocalizations() } ?? []
        versions = fields["versions"]?.tree
    }
}

extension CatalogFile.GroupLocalization {
    static let keys = ["name", "customAppName"]
}

extension CatalogFile.ScheduledPrice {
    static let keys = ["at", "price", "currency", "storefront", "preserved", "consent"]

    init(_ node: YAMLNode) throws {
        let fields = try YAMLFields(node, known: Self.keys)
        position = fields.position
        at = try fields.required("at").time()
        guard let price = try fields.price() else {
            throw CatalogFileError(.missingKey, at: position, expected: "a price", found: "none")
        }
        self.price = price
        storefront = try fields["storefront"]?.storefront()
        isPreserved = try fields["preserved"]?.bool() ?? false
        needsConsent = try fields["consent"]?.bool()
    }
}

extension CatalogFile.Localization {
    static let keys = ["name", "description"]
}

extension CatalogFile.Subscription {
    static let keys = [
        "group", "level", "period", "hasPeriod", "introductoryOffer", "introductoryOffers", "promotionalOffers",
        "codeOffers", "winBackOffers",
    ]

    init(_ node: YAMLNode) throws {
        let fields = try YAMLFields(node, known: Self.keys)
        position = fields.position
        group = try fields["group"]?.text()
        level = try fields["level"].map { Int(try $0.integer(ListingLimits.subscriptionLevels)) }
        period = try fields["period"]?.period()
        hasPeriod = try fields["hasPeriod"]?.bool()
        introductoryOffer = try fields["introductoryOffer"].map { try .init($0, kind: .introductory) }
        introductoryOffers = try fields["introductoryOffers"]?.list().map { try .init($0, kind: .introductory) }
        promotionalOffers = try fields["promotionalOffers"]?.list().map { try .init($0, kind: .named) }
        codeOffers = try fields["codeOffers"]?.list().map { try .init($0, kind: .code) }
        winBackOffers = try fields["winBackOffers"]?.list().map { try .init($0, kind: .winBack) }
    }
}

extension CatalogFile.Offer {
    enum Kind {
        case introductory, named, code, winBack

        var keys: [String] {
            let common = ["paymentMode", "period", "periods", "price", "currency", "prices", "availability"]
            switch self {
            case .introductory, .named: return ["id", "referenceName"] + common
            case .winBack: return ["id", "referenceName"] + common + ["eligible"]
            case .code: return ["id", "referenceName"] + common + ["eligibility", "stackable"]
            }
        }
    }

    init(_ node: YAMLNode, kind: Kind) throws {
        let fields = try YAMLFields(node, known: kind.keys)
        position = fields.position
        id = kind == .introductory ? try fields["id"]?.text() : try fields.required("id").text()
        referenceName = try fields["referenceName"]?.text()
        paymentMode = try fields.required("paymentMode").word(of: ["freeTrial", "payAsYouGo", "payUpFront"])
        period = try fields.required("period").period()
        periodCount = try fields["periods"].map { Int(try $0.integer(1...365)) } ?? 1
        price = try fields.price()
        prices = try fields["prices"]?.prices() ?? [:]
        eligibility =
            try fields["eligibility"]?.list().map { try $0.word(of: ["new", "existing", "expired"]) } ?? []
        isStackable = try fields["stackable"]?.bool() ?? false
        eligible = try fields["eligible"].map(CatalogFile.WinBackEligibility.init)
        availability = try fields["availability"].map(CatalogFile.OfferAvailability.init)
        if paymentMode != "freeTrial", price == nil {
            throw CatalogFileError(
                .missingKey, at: position, expected: "a price, or paymentMode: freeTrial", found: "none")
        }
    }
}

extension CatalogFile.OneTimeOffer {
    static let keys = ["id", "referenceName", "price", "currency", "prices", "eligibility", "availability"]
    static let groups = OneTimeOffer.Eligibility.allCases.map(\.rawValue)

    init(_ node: YAMLNode) throws {
        let fields = try YAMLFields(node, known: Self.keys)
        position = fields.position
        id = try fields.required("id").text()
        referenceName = try fields["referenceName"]?.text()
        guard let price = try fields.price() else {
            throw CatalogFileError(.missingKey, at: position, expected: "a price, 0 for a gift", found: "none")
        }
        self.price = price
        prices = try fields["prices"]?.prices() ?? [:]
        eligibility = try fields["eligibility"]?.list().map { try $0.word(of: Self.groups) } ?? []
        availability = try fields["availability"].map(CatalogFile.OfferAvailability.init)
    }
}

extension CatalogFile.OfferAvailability {
    static let keys = ["storefronts", "starts", "ends", "active"]

    init(_ node: YAMLNode) throws {
        let fields = try YAMLFields(node, known: Self.keys)
        storefronts = try fields["storefronts"]?.list().map { try $0.storefront() }
        starts = try fields["starts"]?.time()
        ends = try fields["ends"]?.time()
        isActive = try fields["active"]?.bool() ?? true
    }
}

extension CatalogFile.WinBackEligibility {
    static let keys = ["monthsPaid", "monthsSinceEnd", "monthsSinceEndAtMost", "monthsBetweenOffers"]
    /// The months that conditions accept, up to a hundred years.
    private static let months: ClosedRange<Int64> = 0...1_200

    init(_ node: YAMLNode) throws {
        let fields = try YAMLFields(node, known: Self.keys)
        func months(_ key: String) throws -> Int? { try fields[key].map { Int(try $0.integer(Self.months)) } }
        paid = try months("monthsPaid")
        sinceEnd = try months("monthsSinceEnd")
        sinceEndAtMost = try months("monthsSinceEndAtMost")
        betweenOffers = try months("monthsBetweenOffers")
    }
}

extension YAMLFields {
    /// `price` with `currency`, if that is written beside it.
    func price() throws -> CatalogFile.Price? {
        let currency = try self["currency"]?.currency()
        guard var price = try self["price"]?.price() else {
            guard let node = self["currency"] else { return nil }
            throw CatalogFileError(
                .missingKey, at: node.position, expected: "a price beside the currency", found: "none")
        }
        price.currency = price.currency ?? currency
        return price
    }
}

extension YAMLNode {
    fileprivate func identifier() throws -> String {
        let text = try text()
        guard ProductValidation.isWellFormed(identifier: text) else {
            throw malformed("a product ID: \(ProductValidation.identifierRule)")
        }
        return text
    }

    func prices() throws -> [String: CatalogFile.Price] {
        var prices: [String: CatalogFile.Price] = [:]
        for entry in try entries() {
            guard Storefront(rawValue: entry.key).info != nil else {
                throw CatalogFileError(
                    .malformedValue, at: entry.position, expected: "a storefront of the App Store such as USA or DEU",
                    found: "'\(entry.key.prefix(60))'")
            }
            prices[entry.key] = try entry.node.price()
        }
        return prices
    }

    private func locales() throws -> [(locale: String, node: YAMLNode)] {
        try entries().map { entry in
            let locale = try Self.checkedLocale(entry.key) {
                CatalogFileError(
                    .malformedValue, at: entry.position, expected: "a locale such as en_US or de",
                    found: "'\(entry.key.prefix(60))'")
            }
            return (locale, entry.node)
        }
    }

    fileprivate func groupLocalizations() throws -> [CatalogFile.GroupLocalization] {
        try locales().map { entry in
            let fields = try YAMLFields(entry.node, known: CatalogFile.GroupLocalization.keys)
            return CatalogFile.GroupLocalization(
                locale: entry.locale, name: try fields.required("name").text(),
                customAppName: try fields["customAppName"]?.text())
        }
    }

    fileprivate func localizations() throws -> [CatalogFile.Localization] {
        try locales().map { entry in
            let fields = try YAMLFields(entry.node, known: CatalogFile.Localization.keys)
            return CatalogFile.Localization(
                locale: entry.locale, name: try fields.required("name").text(),
                description: try fields["description"]?.text() ?? "")
        }
    }
}
