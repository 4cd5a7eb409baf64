import ArgumentParser
import Perennial

extension OffersCommand {
    struct Create: StoreCommand {
        static let configuration = CommandConfiguration(
            "create", "Create an offer of a product.",
            """
            A price is that of the app's default storefront; the others have the equal price points of their currencies. \
            A free trial has no price. An offer for codes of a product that doesn't renew is one price for one purchase.
            """,
            examples: [
                "offers create com.example.photomag.magazine.weekly introductory --mode free-trial --period P3D",
                "offers create com.example.photomag.magazine.monthly promotional half --mode pay-as-you-go --periods 3 --price 1.99",
                "offers create com.example.photomag.magazine.monthly win-back back --mode pay-up-front --period P3M --price 2.99 --paid-months 6",
            ])

        @Argument(help: "The product's ID.")
        var product: String

        @Argument(help: "The kind of offer.")
        var kind: OfferKind

        @Argument(help: "The offer's ID; an introductory offer has none.")
        var offer: String?

        @Option(help: "A name for the seller's lists; the ID if omitted.")
        var name: String?

        @Option(help: "How a subscription's offer is paid.")
        var mode: OfferMode?

        @Option(help: ArgumentHelp("The duration, such as P1W; the subscription's if omitted.", valueName: "duration"))
        var period: String?

        @Option(help: "The number of periods for pay-as-you-go.")
        var periods: Int?

        @Option(
            name: .customLong("eligible"), parsing: .singleValue,
            help: ArgumentHelp(
                "Customers of an offer for codes: new, existing, expired; or nonSpender, activeSpender, churnedSpender. May be repeated, all if omitted.",
                valueName: "group"))
        var eligibility: [String] = []

        @Flag(help: "An offer for codes follows the introductory one instead of replacing it.")
        var stackable = false

        @OptionGroup var terms: OfferOptions
        @OptionGroup var expected: RevisionOption
        @OptionGroup var app: AppOption
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: product) }

        func validate() throws {
            guard (kind == .introductory) == (offer == nil) else {
                throw ValidationError(
                    kind == .introductory
                        ? "An introductory offer has no ID." : "Name the offer: it needs an ID after its kind.")
            }
        }

        func report(from client: StoreClient) async throws -> Report {
            var body = OfferOptions.Body(terms)
            (body.kind, body.offerId, body.name) = (kind.name, offer, name)
            (body.paymentMode, body.period, body.periodCount) = (mode?.mode.rawValue, period, periods)
            body.eligibility = eligibility.isEmpty ? nil : eligibility
            body.stackable = stackable ? true : nil
            body.revision = expected.revision
            let answer: StoreAnswer<Answer> = try await client.post(
                try await app.catalogProduct(client, product, "/offers"), body)
            return answer.report(\.table)
        }
    }

    struct Edit: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "edit", "Change an offer.",
            """
            Of an introductory offer the end can be changed, of a promotional one the prices, of a win-back offer that has begun \
            the priority only. An offer for codes is ended with --end-codes for good.
            """,
            examples: [
                "offers edit com.example.photomag.magazine.monthly introductory all --ends 2094-01-31",
                "offers edit com.example.photomag.magazine.monthly code radio --end-codes",
            ])

        @OptionGroup var offer: OfferArguments

        @Flag(name: .customLong("end-codes"), help: "End an offer for codes for good.")
        var endsCodes = false

        @OptionGroup var terms: OfferOptions
        @OptionGroup var expected: RevisionOption
        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var app: AppOption
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: offer.product, offer: offer.id) }
        var isDestructive: Bool { endsCodes }
        var question: String { "End the \(offer) for good?" }

        func report(from client: StoreClient) async throws -> Report {
            var body = OfferOptions.Body(terms)
            body.active = endsCodes ? false : nil
            body.revision = expected.revision
            let answer: StoreAnswer<Answer> = try await client.post(
                try await app.catalogProduct(client, offer.product, offer.path), body)
            return answer.report(\.table)
        }
    }
}

/// An offer of a product of the catalog.
struct OfferArguments: ParsableArguments, CustomStringConvertible {
    @Argument(help: "The product's ID.")
    var product: String

    @Argument(help: "The kind of offer.")
    var kind: OfferKind

    @Argument(help: ArgumentHelp("The offer's ID; of introductory ones a storefront, or all.", valueName: "offer"))
    var id: String

    /// The path of the offer below that of its product in control/v1.
    var path: String { "/offers/\(kind.name)/\(id.percentEncoded)" }

    var description: String { "\(kind.rawValue) offer \(id) of \(product)" }
}

/// The terms of an offer that a command sets.
struct OfferOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The price in the app's default storefront, such as 1.99.", valueName: "amount"))
    var price: PriceAmount?

    @Option(
        name: .customLong("price-in"), parsing: .singleValue,
        help: ArgumentHelp("The price in a storefront; may be repeated.", valueName: "code=amount"))
    var prices: [StorefrontPrice] = []

    @Option(
        name: .customLong("storefront"), parsing: .singleValue,
        help: ArgumentHelp("A storefront of the offer; may be repeated, all if omitted.", valueName: "code"))
    var storefronts: [String] = []

    @Option(help: ArgumentHelp("The first day, by the clock of the environment.", valueName: "day"))
    var starts: String?

    @Option(help: ArgumentHelp("The day on which the offer has ended.", valueName: "day"))
    var ends: String?

    @Option(name: .customLong("paid-months"), help: "Win-back: the fewest months that the customer has paid.")
    var paidMonths: Int?

    @Option(name: .customLong("months-since-end"), help: "Win-back: the fewest months since the subscription ended.")
    var monthsSinceEnd: Int?

    @Option(name: .customLong("maximum-months-since-end"), help: "Win-back: the most months since then.")
    var maximumMonthsSinceEnd: Int?

    @Option(name: .customLong("months-between-offers"), help: "Win-back: the fewest months since the last one.")
    var monthsBetweenOffers: Int?

    @Flag(name: .customLong("high-priority"), inversion: .prefixedNo, help: "Win-back: shown before others.")
    var isHigh: Bool?

    struct Body: Encodable {
        struct WinBack: Encodable {
            var paidMonths: Int?
            var monthsSinceEnd: Int?
            var maximumMonthsSinceEnd: Int?
            var monthsBetweenOffers: Int?
            var priority: String?
        }

        var kind: String?
        var offerId: String?
        var name: String?
        var paymentMode: String?
        var period: String?
        var periodCount: Int?
        var price: Int64?
        var prices: [String: Int64]?
        var storefronts: [String]?
        var starts: String?
        var ends: String?
        var eligibility: [String]?
        var stackable: Bool?
        var active: Bool?
        var winBack: WinBack?
        /// The revision of the product.
        var revision: Int64?

        init(_ options: OfferOptions) {
            price = options.price?.milliunits
            prices =
                options.prices.isEmpty
                ? nil : Dictionary(options.prices.map { ($0.storefront, $0.amount.milliunits) }) { $1 }
            storefronts = options.storefronts.isEmpty ? nil : options.storefronts
            (starts, ends) = (options.starts, options.ends)
            let rules = [
                options.paidMonths, options.monthsSinceEnd, options.maximumMonthsSinceEnd, options.monthsBetweenOffers,
            ]
            guard options.isHigh != nil || rules.contains(where: { $0 != nil }) else { return }
            winBack = WinBack(
                paidMonths: options.paidMonths, monthsSinceEnd: options.monthsSinceEnd,
                maximumMonthsSinceEnd: options.maximumMonthsSinceEnd, monthsBetweenOffers: options.monthsBetweenOffers,
                priority: options.isHigh.map { $0 ? "HIGH" : "NORMAL" })
        }
    }
}

/// A price in a storefront, such as `DEU=1.99`.
struct StorefrontPrice: ExpressibleByArgument {
    let storefront: String
    let amount: PriceAmount

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let amount = PriceAmount(argument: String(parts[1])) else { return nil }
        (storefront, self.amount) = (String(parts[0]), amount)
    }
}

/// The payment modes of offers, as the command line spells them.
enum OfferMode: String, NamedArgument {
    case freeTrial = "free-trial"
    case payAsYouGo = "pay-as-you-go"
    case payUpFront = "pay-up-front"

    var mode: Offer.PaymentMode {
        switch self {
        case .freeTrial: .freeTrial
        case .payAsYouGo: .payAsYouGo
        case .payUpFront: .payUpFront
        }
    }
}
