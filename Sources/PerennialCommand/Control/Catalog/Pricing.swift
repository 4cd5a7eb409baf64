import ArgumentParser
import Foundation
import Perennial

/// `perennial price PRODUCT AMOUNT`
struct PriceCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        "price", "Change a product's price in an environment.",
        """
        New customers pay it from now on, subscribers from their next renewal, if they needn't agree or do agree to an increase. \
        It holds until the catalog says another price than it does now.
        """,
        examples: [
            "price monthly 6.99 --app com.example.magazine",
            "price monthly 6.99 --app com.example.magazine --storefront DEU --consent",
        ])

    @Argument(help: "The product's ID.")
    var product: String

    @Argument(help: ArgumentHelp("Such as 6.99, in the storefront's currency.", valueName: "amount"))
    var amount: PriceAmount

    @Option(help: ArgumentHelp("The app's bundle ID.", valueName: "bundle-id"))
    var app: String

    @Option(
        help: ArgumentHelp(
            "Three letters of a country; without it, wherever the price is in the same currency.", valueName: "code"))
    var storefront: String?

    @Flag(inversion: .prefixedNo, help: "Whether subscribers must agree; the rules decide where left out.")
    var consent: Bool?

    @Flag(help: "Let subscribers keep the price they have.")
    var preserve = false

    @OptionGroup var store: StoreOptions

    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<ChangedProduct> = try await client.post(
            "control/v1/apps/\(app.percentEncoded)/products/\(product.percentEncoded)/price",
            Body(price: amount.milliunits, storefront: storefront, consent: consent, preserve: preserve ? true : nil),
            timeout: StoreClient.advanceTimeout)
        return answer.report { changed in
            let price = storefront.flatMap { changed.prices[$0] } ?? changed.price
            let currency =
                storefront.flatMap { Storefront(rawValue: $0).currency } ?? Currency(rawValue: changed.currency)
            return "\(changed.productId) costs \(Money(milliunits: price, currency))"
                + (storefront.map { " in \($0)" } ?? "")
        }
    }

    private struct Body: Encodable {
        var price: Int64
        var storefront: String?
        var consent: Bool?
        var preserve: Bool?
    }
}

/// What control/v1 says of a product that was changed.
struct ChangedProduct: Decodable {
    var productId: String
    var price: Int64
    var currency: String
    var prices: [String: Int64]
    var clearedForSale: Bool
}

/// An amount as a person writes it, such as 4.99.
struct PriceAmount: ExpressibleByArgument {
    /// A limit far above any price.
    private static let maximumDigits = 9

    let milliunits: Int64

    init?(argument: String) {
        let parts = argument.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = parts.first, (1...Self.maximumDigits).contains(whole.count),
            case let fraction = parts.count == 2 ? parts[1] : "0", (1...3).contains(fraction.count),
            (whole + fraction).utf8.allSatisfy({ (48...57).contains($0) }), let units = Int64(whole),
            let thousandths = Int64(fraction.padding(toLength: 3, withPad: "0", startingAt: 0))
        else { return nil }
        milliunits = units * 1000 + thousandths
    }
}

/// A command that takes a product off sale, or puts it back.
protocol SaleSwitch: StoreCommand {
    static var isCleared: Bool { get }
    var product: String { get }
    var app: String { get }
}

extension SaleSwitch {
    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<ChangedProduct> = try await client.post(
            "control/v1/apps/\(app.percentEncoded)/products/\(product.percentEncoded)/sale",
            ["clearedForSale": Self.isCleared])
        return answer.report { "\($0.productId) is \($0.clearedForSale ? "for" : "off") sale" }
    }
}

/// `perennial take-off-sale PRODUCT`
struct TakeOffSale: SaleSwitch {
    static let configuration = CommandConfiguration(
        "take-off-sale", "Take a product off sale in an environment.",
        "Its subscriptions end with the period they have.",
        examples: ["take-off-sale monthly --app com.example.magazine"])
    static let isCleared = false

    @Argument(help: "The product's ID.")
    var product: String

    @Option(help: ArgumentHelp("The app's bundle ID.", valueName: "bundle-id"))
    var app: String

    @OptionGroup var store: StoreOptions
}

/// `perennial put-on-sale PRODUCT`
struct PutOnSale: SaleSwitch {
    static let configuration = CommandConfiguration(
        "put-on-sale", "Put a product on sale again in an environment.",
        examples: ["put-on-sale monthly --app com.example.magazine"])
    static let isCleared = true

    @Argument(help: "The product's ID.")
    var product: String

    @Option(help: ArgumentHelp("The app's bundle ID.", valueName: "bundle-id"))
    var app: String

    @OptionGroup var store: StoreOptions
}
