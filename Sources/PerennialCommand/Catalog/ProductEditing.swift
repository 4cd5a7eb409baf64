import ArgumentParser
import Perennial

extension ProductsCommand {
    struct Create: StoreCommand {
        static let configuration = CommandConfiguration(
            "create", "Create a product of the catalog.",
            """
            It is sold in Sandbox once it has a price, and in Production once it is approved: see prices set and products submit. \
            Other storefronts pay the equal price. Free subscriptions are for Newsstand apps only and have no price.
            """,
            examples: [
                "products create com.example.photomag.coins --type consumable --name Coins --price 0.99",
                "products create com.example.photomag.map --type non-consumable --name Map --price EUR=4.99",
                "products create com.example.photomag.weekly --type auto-renewable --name Weekly --group Magazine --period P1W",
            ])

        @Argument(help: "The product's ID, which is never used again.")
        var product: String

        @Option(help: "The product's type.")
        var type: ProductKind

        @Option(help: "The reference name, which only the seller sees.")
        var name: String

        @Option(help: ArgumentHelp("The ID or the name of a subscription's group.", valueName: "group"))
        var group: String?

        @Option(
            help: ArgumentHelp(
                "The price, such as 4.99, or with its currency, USD=4.99.", valueName: "amount"))
        var price: CurrencyAmount?

        @Option(
            name: .customLong("base-storefront"),
            help: ArgumentHelp(
                "The storefront of the price, which the others follow; the app's default one if omitted.",
                valueName: "code"))
        var baseStorefront: String?

        @OptionGroup var properties: ProductOptions
        @OptionGroup var app: AppOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID, group: group) }

        func validate() throws {
            if baseStorefront != nil, price == nil {
                throw ValidationError("--base-storefront is the storefront of a --price.")
            }
        }

        func report(from client: StoreClient) async throws -> Report {
            var body = ProductOptions.Body(properties)
            (body.productId, body.type, body.name, body.group) = (product, type.type.rawValue, name, group)
            (body.price, body.currency) = (price?.amount.milliunits, price?.currency)
            body.baseStorefront = baseStorefront
            let answer: StoreAnswer<CatalogItem> = try await client.at(.production).post(
                try await app.path(client, "/catalog/products"), body)
            return answer.report(\.sentence)
        }
    }

    struct Edit: StoreCommand {
        static let configuration = CommandConfiguration(
            "edit", "Change a product of the catalog; options that are left out change nothing.",
            """
            Texts of an approved product are kept as a draft until they are submitted and approved. \
            Without storefronts a product is removed from sale.
            """,
            examples: [
                "products edit com.example.photomag.coins --name Coins --display-name de-DE=Münzen",
                "products edit com.example.photomag.coins --storefront USA --storefront DEU",
                "products edit com.example.photomag.coins --no-storefronts",
            ])

        @Argument(help: "The product's ID.")
        var product: String

        @Option(help: "The reference name, which only the seller sees.")
        var name: String?

        @Option(
            name: .customLong("remove-locale"), parsing: .singleValue,
            help: ArgumentHelp("A language whose texts are removed; may be repeated.", valueName: "locale"))
        var removedLocales: [String] = []

        @Flag(name: .customLong("no-storefronts"), help: "Remove the product from sale.")
        var noStorefronts = false

        @Flag(
            name: .customLong("cleared-for-sale"), inversion: .prefixedNo, help: "Whether the product may be sold.")
        var isCleared: Bool?

        @OptionGroup var expected: RevisionOption
        @OptionGroup var properties: ProductOptions
        @OptionGroup var app: AppOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: product) }

        func report(from client: StoreClient) async throws -> Report {
            var body = ProductOptions.Body(properties)
            (body.name, body.clearedForSale, body.revision) = (name, isCleared, expected.revision)
            if !removedLocales.isEmpty { body.removedLocales = removedLocales }
            if noStorefronts { body.storefronts = [] }
            let answer: StoreAnswer<CatalogItem> = try await client.at(.production).post(
                try await app.catalogProduct(client, product), body)
            return answer.report(\.sentence)
        }
    }
}

/// The properties of a product that a command sets.
struct ProductOptions: ParsableArguments {
    @Option(
        name: .customLong("display-name"), parsing: .singleValue,
        help: ArgumentHelp("A name that customers see; may be repeated.", valueName: "locale=text"))
    var displayNames: [LocalizedText] = []

    @Option(
        name: .customLong("description"), parsing: .singleValue,
        help: ArgumentHelp("A description that customers see; may be repeated.", valueName: "locale=text"))
    var descriptions: [LocalizedText] = []

    @Option(name: .customLong("review-note"), help: "A note to the reviewer; an empty one is removed.")
    var reviewNote: String?

    @Option(name: .customLong("tax-category"), help: "The tax category, 1 to 64 characters; an empty one is removed.")
    var taxCategory: String?

    @Flag(name: .customLong("family-sharing"), help: "Share the product with the family; it can't be turned off.")
    var familySharing = false

    @Option(help: "A subscription's level in its group, 1 for the highest service.")
    var level: Int64?

    @Option(help: ArgumentHelp("A subscription's period: P1W, P1M, P2M, P3M, P6M or P1Y.", valueName: "duration"))
    var period: String?

    @Option(
        name: .customLong("storefront"), parsing: .singleValue,
        help: ArgumentHelp("A storefront in which it is sold; may be repeated, all if omitted.", valueName: "code"))
    var storefronts: [String] = []

    @Flag(
        name: .customLong("new-storefronts"), inversion: .prefixedNo,
        help: "Whether it is sold in storefronts that the App Store adds later.")
    var includesNew: Bool?

    struct Body: Encodable {
        var productId: String?
        var type: String?
        var name: String?
        var group: String?
        var reviewNote: String?
        var taxCategory: String?
        var familyShareable: Bool?
        var level: Int64?
        var period: String?
        var clearedForSale: Bool?
        var localizations: [CatalogItem.Text]?
        var removedLocales: [String]?
        var storefronts: [String]?
        var includesNewStorefronts: Bool?
        var revision: Int64?
        var price: Int64?
        var currency: String?
        var baseStorefront: String?

        init(_ options: ProductOptions) {
            (reviewNote, taxCategory) = (options.reviewNote, options.taxCategory)
            familyShareable = options.familySharing ? true : nil
            (level, period) = (options.level, options.period)
            storefronts = options.storefronts.isEmpty ? nil : options.storefronts
            includesNewStorefronts = options.includesNew
            localizations = LocalizedText.joined(options.displayNames, options.descriptions) {
                CatalogItem.Text(locale: $0, name: $1, description: $2)
            }
        }
    }
}

/// A text with its language, such as `de-DE=Münzen`.
struct LocalizedText: ExpressibleByArgument {
    let locale: String
    let text: String

    init?(argument: String) {
        guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else { return nil }
        locale = String(argument[..<sign])
        text = String(argument[argument.index(after: sign)...])
    }

    /// Joins names with further texts of the same languages, in the order in which the languages are named first.
    ///
    /// - Returns: `nil` without any.
    static func joined<Value>(
        _ names: [LocalizedText], _ others: [LocalizedText], _ make: (String, String?, String?) -> Value
    ) -> [Value]? {
        var locales: [String] = []
        for text in names + others where !locales.contains(text.locale) { locales.append(text.locale) }
        guard !locales.isEmpty else { return nil }
        func text(_ locale: String, in texts: [LocalizedText]) -> String? {
            texts.last { $0.locale == locale }?.text
        }
        return locales.map { make($0, text($0, in: names), text($0, in: others)) }
    }
}

/// The types of products, as catalogs and the command line spell them.
enum ProductKind: String, NamedArgument {
    case consumable
    case nonConsumable = "non-consumable"
    case autoRenewable = "auto-renewable"
    case nonRenewing = "non-renewing"
    case free

    var type: ProductType {
        switch self {
        case .consumable: .consumable
        case .nonConsumable: .nonConsumable
        case .autoRenewable: .autoRenewable
        case .nonRenewing: .nonRenewing
        case .free: .free
        }
    }
}
