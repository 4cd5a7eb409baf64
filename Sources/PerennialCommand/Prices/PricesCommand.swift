import ArgumentParser
import Foundation
import Perennial

/// `perennial prices`: the prices of products, now and later.
struct PricesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "prices", "List prices, change them now or later, and see whom a change touches.",
        """
        Prices are the catalog's, the same in all environments, and take effect by each environment's clock. --only-here changes \
        those of one environment instead.
        """,
        examples: [
            "prices list com.example.photomag.magazine.monthly",
            "prices preview com.example.photomag.magazine.monthly 6.99 --equalize",
            "prices set com.example.photomag.magazine.monthly 6.99",
            "prices schedule com.example.photomag.magazine.monthly 7.99 --at 2094-01-01 --preserve",
            "prices cancel com.example.photomag.magazine.monthly --at 2094-01-01",
        ],
        subcommands: [
            List.self, Set.self, Schedule.self, Cancel.self, Preview.self, History.self, Points.self,
        ])

    struct Set: PriceChangeCommand {
        static let configuration = CommandConfiguration(
            "set", "Change a product's price.",
            """
            New customers pay it from now on, subscribers from their next renewal; some increases need their consent. A product \
            without a price costs the equal price in all storefronts then.
            """,
            examples: [
                "prices set com.example.photomag.magazine.monthly 6.99",
                "prices set com.example.photomag.magazine.monthly 6.99 --storefront DEU --consent",
                "prices set com.example.photomag.magazine.monthly 5.99 --only-here",
            ])

        @OptionGroup var price: PriceArguments
        @OptionGroup var expected: RevisionOption
        @OptionGroup var effect: PriceEffectOptions

        @Flag(help: "Change the price in this environment only; it holds until the catalog's price changes.")
        var onlyHere = false

        @OptionGroup var app: AppOption
        @OptionGroup var store: StoreOptions

        var date: PriceDate? { nil }
    }

    struct Schedule: PriceChangeCommand {
        static let configuration = CommandConfiguration(
            "schedule", "Change a product's price on a date.",
            "The date is one of the environment's clock. In each environment the price applies when its clock reaches it.",
            examples: [
                "prices schedule com.example.photomag.magazine.monthly 7.99 --at 2094-01-01 --preserve",
                "prices schedule com.example.photomag.magazine.monthly 8.99 --at 2094-01-01 --storefront DEU",
            ])

        @OptionGroup var price: PriceArguments

        @Option(help: ArgumentHelp("Such as 2027-01-01 (0:00 UTC) or 2027-01-01T08:00:00Z.", valueName: "date"))
        var at: PriceDate

        @OptionGroup var effect: PriceEffectOptions

        @Flag(help: "Change the price in this environment only; it holds until the catalog's price changes.")
        var onlyHere = false

        @OptionGroup var expected: RevisionOption
        @OptionGroup var app: AppOption
        @OptionGroup var store: StoreOptions

        var date: PriceDate? { at }
    }

    struct Cancel: StoreCommand {
        static let configuration = CommandConfiguration(
            "cancel", "Cancel a price that waits for its date.",
            examples: [
                "prices cancel com.example.photomag.magazine.monthly --at 2094-01-01",
                "prices cancel com.example.photomag.magazine.monthly --at 2094-01-01 --storefront DEU",
            ])

        @Argument(help: "The product's ID.")
        var product: String

        @Option(help: ArgumentHelp("The date of the price.", valueName: "date"))
        var at: PriceDate

        @Option(help: ArgumentHelp("The storefront of the price, if it has one.", valueName: "code"))
        var storefront: String?

        @Flag(help: "Cancel the prices of all storefronts on that date.")
        var all = false

        @Flag(help: "Cancel a price of this environment only.")
        var onlyHere = false

        @OptionGroup var expected: RevisionOption
        @OptionGroup var app: AppOption
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: product) }

        func validate() throws {
            if all, storefront != nil || onlyHere {
                throw ValidationError("--all is for all prices of the catalog on a date, without --storefront.")
            }
            try expected.refuse(onlyHere: onlyHere)
        }

        func report(from client: StoreClient) async throws -> Report {
            let body = Body(
                at: at.instant.rfc3339(), storefront: storefront, all: all ? true : nil, revision: expected.revision)
            let path =
                onlyHere
                ? "/products/\(product.percentEncoded)/price/cancel"
                : "/catalog/products/\(product.percentEncoded)/prices/cancel"
            let answer: StoreAnswer<Answer> = try await client.post(try await app.path(client, path), body)
            return answer.report { "\($0.productId) keeps its price on \(at.instant.rfc3339())" }
        }

        private struct Body: Encodable {
            var at: String
            var storefront: String?
            var all: Bool?
            var revision: Int64?
        }

        private struct Answer: Decodable { var productId: String }
    }
}

/// A command that changes a price of the catalog or of one environment.
protocol PriceChangeCommand: StoreCommand {
    var price: PriceArguments { get }
    var effect: PriceEffectOptions { get }
    /// True to change the price in the command's environment only.
    var onlyHere: Bool { get }
    var expected: RevisionOption { get }
    var app: AppOption { get }
    /// The date of the price; `nil` for now.
    var date: PriceDate? { get }
}

extension PriceChangeCommand {
    var names: StoreNames { StoreNames(app: app.bundleID, product: price.product) }

    func validate() throws {
        if onlyHere, price.equalize { throw ValidationError("--equalize is for prices of the catalog.") }
        try expected.refuse(onlyHere: onlyHere)
    }

    func report(from client: StoreClient) async throws -> Report {
        var body = PriceOrderRequest(price, effect, at: date?.instant)
        body.revision = expected.revision
        return try await PriceChangeRequest(price: price, body: body, onlyHere: onlyHere).report(app, client)
    }
}

/// A product with a new price.
struct PriceArguments: ParsableArguments {
    @Argument(help: "The product's ID.")
    var product: String

    @Argument(help: ArgumentHelp("Such as 6.99, in the storefront's currency.", valueName: "amount"))
    var amount: PriceAmount

    @Option(
        help: ArgumentHelp(
            "Three letters of a country; the base price, which storefronts without their own follow, if omitted.",
            valueName: "code"))
    var storefront: String?

    @Flag(help: "Set the equal price in all other storefronts too.")
    var equalize = false
}

/// The effect of a new price on subscribers.
struct PriceEffectOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Whether subscribers must agree; Apple's rules decide if omitted.")
    var consent: Bool?

    @Flag(help: "Let subscribers keep the price they have.")
    var preserve = false
}

/// A change of prices in control/v1.
struct PriceOrderRequest: Encodable {
    var price: Int64
    var storefront: String?
    var equalize: Bool?
    var consent: Bool?
    var preserve: Bool?
    var at: String?
    var revision: Int64?

    init(_ price: PriceArguments, _ effect: PriceEffectOptions, at: Instant?) {
        self.price = price.amount.milliunits
        storefront = price.storefront
        equalize = price.equalize ? true : nil
        (consent, preserve) = (effect.consent, effect.preserve ? true : nil)
        self.at = at?.rfc3339()
    }
}

extension RevisionOption {
    /// - Throws: `ValidationError` for a price of one environment, which has no revision.
    fileprivate func refuse(onlyHere: Bool) throws {
        if onlyHere, revision != nil { throw ValidationError("--revision is for prices of the catalog.") }
    }
}

/// Sends a change of a price, of the catalog or of one environment.
private struct PriceChangeRequest {
    private struct Answer: Decodable { var productId: String }

    let price: PriceArguments
    let body: PriceOrderRequest
    let onlyHere: Bool

    func report(_ app: AppOption, _ client: StoreClient) async throws -> Report {
        let product = price.product.percentEncoded
        let path = onlyHere ? "/products/\(product)/price" : "/catalog/products/\(product)/prices"
        let answer: StoreAnswer<Answer> = try await client.post(
            try await app.path(client, path), body, timeout: StoreClient.advanceTimeout)
        return answer.report { changed in
            let place = price.storefront.map { " in \($0)" } ?? ""
            let others = price.equalize ? ", and the equal price elsewhere" : ""
            let date = body.at.map { " from \($0) on" } ?? ""
            return "\(changed.productId) costs \(price.amount)\(place)\(others)\(date)"
        }
    }
}

/// A date, whose first moment in UTC counts, or a time.
struct PriceDate: ExpressibleByArgument {
    let instant: Instant

    init?(argument: String) {
        let text = argument.utf8.count == 10 ? "\(argument)T00:00:00Z" : argument
        guard let instant = Instant(rfc3339: text) else { return nil }
        self.instant = instant
    }
}

/// An amount in the currency's unit, such as 4.99.
struct PriceAmount: ExpressibleByArgument, CustomStringConvertible {
    /// The limit on digits before the point, far above any price.
    private static let maximumDigits = 9

    let milliunits: Int64
    let description: String

    init?(argument: String) {
        let parts = argument.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = parts.first, (1...Self.maximumDigits).contains(whole.count),
            case let fraction = parts.count == 2 ? parts[1] : "0", (1...3).contains(fraction.count),
            (whole + fraction).utf8.allSatisfy({ (48...57).contains($0) }), let units = Int64(whole),
            let thousandths = Int64(fraction.padding(toLength: 3, withPad: "0", startingAt: 0))
        else { return nil }
        milliunits = units * 1000 + thousandths
        description = argument
    }
}

/// An amount, with the currency where it is given: 4.99 or USD=4.99.
struct CurrencyAmount: ExpressibleByArgument {
    let currency: String?
    let amount: PriceAmount

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let last = parts.last, let amount = PriceAmount(argument: String(last)) else { return nil }
        self.amount = amount
        guard parts.count == 2 else {
            currency = nil
            return
        }
        let code = parts[0].uppercased()
        guard code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else { return nil }
        currency = code
    }
}
