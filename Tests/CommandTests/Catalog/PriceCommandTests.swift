import Perennial
import PerennialStore
import TestSupport
import Testing

@testable import PerennialCommand

/// Prices of the catalog and of one environment, from the command line.
struct PriceCommandTests {
    private static let germany = Storefront(rawValue: "DEU")

    @Test func `a price is previewed, set and listed with its proceeds`() async throws {
        try await RunningStore.run { store in
            try await store.shop.buy("monthly", as: "ann")
            let preview = try await store.run("prices", "preview", "monthly", "14.99").words
            let row = try #require(preview.split(separator: "\n").first { $0.hasPrefix("all") })
            #expect(row.split(separator: " ") == ["all", "0", "0", "1", "0", "0"])
            #expect(try await store.run("prices", "list", "monthly").words.contains("USD 4.99"))

            #expect(try await store.run("prices", "set", "monthly", "5.99").words == "monthly costs 5.99")
            let listed = try await store.run("prices", "list", "monthly").words
            #expect(listed.contains("USD 5.99") && !listed.contains("USD 4.99"))
            #expect(listed.hasSuffix("other storefronts pay the number of the price in USA"))
            let facts = try await store.shop.journal().map(\.entry.kind)
            #expect(facts.contains(.subscription(.priceIncreaseAccepted)), "subscribers are told before the answer")
            let japan = try await store.run("prices", "list", "monthly", "--storefront", "JPN").words
            #expect(japan.contains("JPY 6") && japan.contains("follows"))
            let history = try await store.run("prices", "history", "list", "monthly").words
            #expect(history.contains("changed 2026-01-01") && history.contains("USD 5.99"))
        }
    }

    @Test func `a price for a date is scheduled and cancelled`() async throws {
        try await RunningStore.run { store in
            let scheduled = try await store.run(
                "prices", "schedule", "monthly", "6.49", "--at", "2094-01-01", "--storefront", "DEU", "--preserve")
            #expect(scheduled.words == "monthly costs 6.49 in DEU from 2094-01-01T00:00:00Z on")
            let listed = try await store.run("prices", "list", "monthly", "--storefront", "DEU").words
            #expect(listed.contains("EUR 6.49") && listed.contains("subscribers keep theirs"))
            #expect(
                try await store.run("prices", "cancel", "monthly", "--at", "2094-01-01", "--storefront", "DEU").words
                    == "monthly keeps its price on 2094-01-01T00:00:00Z")
            await #expect {
                try await store.run("prices", "cancel", "monthly", "--at", "2094-01-01", "--storefront", "DEU")
            } throws: {
                "\($0)".contains("No price is scheduled")
            }
        }
    }

    @Test func `a price of one environment stays there`() async throws {
        try await RunningStore.run { store in
            let words = ["prices", "set", "film.roll", "2.49", "--storefront", "DEU"]
            _ = try await RunningStore.run(words + ["--only-here"] + store.access)
            let product = try await store.shop.store.products.prices(
                of: Product.ID(rawValue: "film.roll"), bundleID: TestCatalog.bundleID
            ).product
            #expect(product.price(in: Self.germany)?.decimal == "2.49")
            let listed = try await store.run("prices", "list", "film.roll", "--storefront", "DEU").words
            #expect(listed.contains("EUR 0.99"), "the catalog has its own")
            await #expect(throws: (any Error).self) {
                try await RunningStore.run(words + ["--only-here", "--equalize"] + store.access)
            }
        }
    }

    @Test func `the equal price is set in all storefronts`() async throws {
        try await RunningStore.run { store in
            _ = try await store.run("prices", "set", "monthly", "5.99", "--equalize")
            let listed = try await store.run("prices", "list", "monthly", "--all").words
            #expect(listed.contains("JPY 599") && listed.contains("EUR 5.99"))
            #expect(try await store.run("prices", "points", "list", "--storefront", "JPN").words.contains("JPY 599"))
        }
    }
}
