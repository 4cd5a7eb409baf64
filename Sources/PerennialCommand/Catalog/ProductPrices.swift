import ArgumentParser
import Foundation
import Perennial

extension ProductsCommand {
    struct Prices: StoreCommand {
        static let configuration = CommandConfiguration(
            "prices", "Show a product's prices with the proceeds: now, later and before.",
            examples: ["products prices com.example.photomag.magazine.monthly"])

        @Argument(help: "The product's ID.")
        var product: String

        @OptionGroup var app: AppOption
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: product) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.get(
                try await app.path(client, "/products/\(product.percentEncoded)/prices"))
            return answer.report { answer in
                let rows =
                    answer.prices.map { $0.row } + answer.schedule.map { $0.row("later") }
                    + answer.changes.map { $0.row("changed") }
                return TextTable(["WHEN", "STOREFRONT", "PRICE", "PROCEEDS", "AFTER ONE YEAR"], rows).text
            }
        }

        private struct Answer: Decodable {
            struct Price: Decodable {
                var storefront: String?
                var price: Int64
                var currency: String
                var proceeds: Int64
                var proceedsAfterOneYear: Int64

                var row: [String] {
                    let currency = Currency(rawValue: currency)
                    return ["now", storefront ?? "all"]
                        + [price, proceeds, proceedsAfterOneYear].map {
                            Money(milliunits: $0, currency).description
                        }
                }
            }

            struct Dated: Decodable {
                var at: String
                var storefront: String?
                var price: Int64
                var currency: String
                var preserve: Bool

                func row(_ word: String) -> [String] {
                    [
                        "\(word) \(at)", storefront ?? "all",
                        Money(milliunits: price, Currency(rawValue: currency)).description,
                        preserve ? "subscribers keep theirs" : "", "",
                    ]
                }
            }

            var prices: [Price]
            var schedule: [Dated]
            var changes: [Dated]
        }
    }

    struct PricePoints: StoreCommand {
        static let configuration = CommandConfiguration(
            "price-points", "List the prices that the App Store offers in a storefront, with the proceeds.",
            examples: ["products price-points", "products price-points --storefront DEU"])

        @OptionGroup var app: AppOption

        @Option(
            help: ArgumentHelp("Three letters of a country; the app's default if omitted.", valueName: "code"))
        var storefront: String?

        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID) }

        func report(from client: StoreClient) async throws -> Report {
            let query = storefront.map { "?storefront=\($0.percentEncoded)" } ?? ""
            let answer: StoreAnswer<Answer> = try await client.get(try await app.path(client, "/price-points\(query)"))
            return answer.report { answer in
                let currency = Currency(rawValue: answer.currency)
                return TextTable(
                    ["POINT", "PRICE", "PROCEEDS", "AFTER ONE YEAR", ""],
                    answer.points.map { point in
                        [String(point.number)]
                            + [point.price, point.proceeds, point.proceedsAfterOneYear].map {
                                Money(milliunits: $0, currency).description
                            } + [point.onRequest ? "on request" : ""]
                    }
                ).text
            }
        }

        private struct Answer: Decodable {
            struct Point: Decodable {
                var number: Int
                var price: Int64
                var proceeds: Int64
                var proceedsAfterOneYear: Int64
                var onRequest: Bool
            }

            var currency: String
            var points: [Point]
        }
    }

    struct CancelPrice: StoreCommand {
        static let configuration = CommandConfiguration(
            "cancel-price", "Cancel a price that waits for its date.",
            "A catalog's schedule changes in the catalog.",
            examples: ["products cancel-price com.example.photomag.magazine.monthly --at 2094-01-01"])

        @Argument(help: "The product's ID.")
        var product: String

        @OptionGroup var app: AppOption

        @Option(help: ArgumentHelp("The date of the price.", valueName: "date"))
        var at: PriceDate

        @Option(help: ArgumentHelp("The storefront of the price, if it has one.", valueName: "code"))
        var storefront: String?

        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: product) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<ChangedProduct> = try await client.post(
                try await app.path(client, "/products/\(product.percentEncoded)/price/cancel"),
                Body(at: at.instant.rfc3339(), storefront: storefront))
            return answer.report { "\($0.productId) keeps its price on \(at.instant.rfc3339())" }
        }

        private struct Body: Encodable {
            var at: String
            var storefront: String?
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
