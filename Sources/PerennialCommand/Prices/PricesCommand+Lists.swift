import ArgumentParser
import Perennial

extension PricesCommand {
    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "Show a product's prices in the catalog with the proceeds: in force and to come.",
            "Storefronts that follow the base price are counted in one line; --all lists each.",
            examples: [
                "prices list com.example.photomag.magazine.monthly",
                "prices list com.example.photomag.magazine.monthly --storefront DEU",
            ])

        @Argument(help: "The product's ID.")
        var product: String

        @Option(help: ArgumentHelp("Only this storefront.", valueName: "code"))
        var storefront: String?

        @Flag(help: "List each storefront.")
        var all = false

        @OptionGroup var app: AppOption
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: product) }

        func report(from client: StoreClient) async throws -> Report {
            let query = storefront.map { "?storefront=\($0.percentEncoded)" } ?? ""
            let answer: StoreAnswer<Answer> = try await client.get(
                try await app.path(client, "/catalog/products/\(product.percentEncoded)/prices\(query)"))
            return answer.report { $0.text(isDetailed: all || storefront != nil) }
        }

        private struct Answer: Decodable {
            struct Price: Decodable {
                var storefront: String
                var price: Int64
                var currency: String
                var proceeds: Int64
                var proceedsAfterOneYear: Int64
                var from: String?
                var until: String?
                var manual: Bool
                var preserve: Bool

                var row: [String] {
                    let currency = Currency(rawValue: currency)
                    let amounts = [price, proceeds, proceedsAfterOneYear].map {
                        Money(milliunits: $0, currency).description
                    }
                    let notes = [manual ? nil : "follows", preserve ? "subscribers keep theirs" : nil]
                    return [storefront] + amounts + [from ?? "", notes.compactMap { $0 }.joined(separator: ", ")]
                }
            }

            var baseStorefront: String
            var equalized: Bool
            var prices: [Price]

            func text(isDetailed: Bool) -> String {
                guard !prices.isEmpty else { return "No price: see prices set" }
                let shown = prices.filter { isDetailed || $0.manual }
                let table = TerminalTable(
                    ["STOREFRONT", "PRICE", "PROCEEDS", "AFTER ONE YEAR", "FROM", ""], shown.map(\.row)
                ).text
                let others = Swift.Set(prices.map(\.storefront)).subtracting(shown.map(\.storefront)).count
                guard others > 0 else { return table }
                let rule = equalized ? "the price equal to that of" : "the number of the price in"
                return "\(table)\n\(others) other storefronts pay \(rule) \(baseStorefront)"
            }
        }
    }

    struct Preview: StoreCommand {
        static let configuration = CommandConfiguration(
            "preview", "Show whom a change of price would touch, without making it.",
            "Counts the environment's subscribers by storefront: who pays less, who is told, who must agree, who keeps the price.",
            examples: [
                "prices preview com.example.photomag.magazine.monthly 14.99 --environment Production",
                "prices preview com.example.photomag.magazine.monthly 6.99 --storefront DEU --at 2094-01-01",
            ])

        @OptionGroup var price: PriceArguments

        @Option(help: ArgumentHelp("The date of the change; now if omitted.", valueName: "date"))
        var at: PriceDate?

        @OptionGroup var effect: PriceEffectOptions
        @OptionGroup var app: AppOption
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: price.product) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.post(
                try await app.path(client, "/catalog/products/\(price.product.percentEncoded)/prices/preview"),
                PriceOrderRequest(price, effect, at: at?.instant), timeout: StoreClient.advanceTimeout)
            return answer.report(\.text)
        }

        private struct Answer: Decodable {
            struct Subscribers: Decodable {
                var lowered: Int
                var announced: Int
                var asked: Int
                var preserved: Int
                var unchanged: Int

                var columns: [String] { [lowered, announced, asked, preserved, unchanged].map(String.init) }
                var count: Int { lowered + announced + asked + preserved + unchanged }
            }

            struct Territory: Decodable {
                var storefront: String
                var currency: String
                var previousPrice: Int64?
                var price: Int64
                var proceeds: Int64
                var subscribers: Subscribers

                var row: [String] {
                    let currency = Currency(rawValue: currency)
                    func money(_ milliunits: Int64) -> String { Money(milliunits: milliunits, currency).description }
                    return [storefront, previousPrice.map(money) ?? "none", money(price), money(proceeds)]
                        + subscribers.columns
                }
            }

            var at: String
            var subscribers: Subscribers
            var storefronts: [Territory]

            var text: String {
                guard !storefronts.isEmpty else { return "The change touches no storefront" }
                // Those with subscribers, and of the others the first.
                let rows = storefronts.filter { $0.subscribers.count > 0 }
                let shown = rows.isEmpty ? Array(storefronts.prefix(1)) : rows
                let table = TerminalTable(
                    ["STOREFRONT", "NOW", "NEW", "PROCEEDS", "PAY LESS", "TOLD", "ASKED", "KEEP", "AS BEFORE"],
                    shown.map(\.row) + [["all", "", "", ""] + subscribers.columns]
                ).text
                let others = storefronts.count - shown.count
                return "On \(at):\n\(table)" + (others > 0 ? "\n\(others) other storefronts have no subscribers" : "")
            }
        }
    }

    struct History: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "history", "List a product's prices in an environment: now, later and before.",
            examples: ["prices history list com.example.photomag.magazine.monthly"], subcommands: [List.self])

        struct List: StoreCommand {
            static let configuration = CommandConfiguration(
                "list", "List a product's prices in an environment: now, later and before.",
                examples: ["prices history list com.example.photomag.magazine.monthly"])

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
                    return TerminalTable(["WHEN", "STOREFRONT", "PRICE", "PROCEEDS", "AFTER ONE YEAR"], rows).text
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
    }

    struct Points: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "points", "List the prices that the App Store offers, with the proceeds.",
            examples: ["prices points list", "prices points list --storefront DEU"], subcommands: [List.self],
            defaultSubcommand: List.self)

        struct List: StoreCommand {
            static let configuration = CommandConfiguration(
                "list", "List the prices that the App Store offers in a storefront, with the proceeds.",
                examples: ["prices points list", "prices points list --storefront DEU"])

            @OptionGroup var app: AppOption

            @Option(
                help: ArgumentHelp("Three letters of a country; the app's default if omitted.", valueName: "code"))
            var storefront: String?

            @OptionGroup var store: StoreOptions

            var names: StoreNames { StoreNames(app: app.bundleID) }

            func report(from client: StoreClient) async throws -> Report {
                let query = storefront.map { "?storefront=\($0.percentEncoded)" } ?? ""
                let answer: StoreAnswer<Answer> = try await client.get(
                    try await app.path(client, "/price-points\(query)"))
                return answer.report { answer in
                    let currency = Currency(rawValue: answer.currency)
                    return TerminalTable(
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
    }
}
