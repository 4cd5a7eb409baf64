import Foundation
import Perennial

/// A day's sales, its report, and the way back from a figure of the report to the sales.
struct Explaining: Step {
    static let title = "A day ends, its report is read, and a figure of it is explained"

    private static let environment = "Books"
    private static let day = "2026-09-30"
    private static let opening = "2026-09-30T16:00:00Z"
    private static let roll = "\(DemoFolder.bundleID).film.roll"
    private static let filter = "\(DemoFolder.bundleID).filter.silver"

    private struct Made: Decodable {}
    private struct Bought: Decodable { var transactionId: String }
    private struct Report: Decodable {
        var columns: [String]
        var rows: [[String]]

        /// The cells of the rows by their columns.
        var cells: [[String: String]] {
            rows.map { Dictionary(zip(columns, $0)) { first, _ in first } }
        }
    }

    private struct Environment: Encodable {
        var name: String
        var kind = "Production"
        var clock = "manual"
        var now: String
    }

    private struct Account: Encodable {
        var account: String
        var storefront: String
    }

    private struct Download: Encodable {
        var bundleId = DemoFolder.bundleID
        var account: String
        var device: String
        var deviceFamily = "iPhone"
    }

    private struct Purchase: Encodable {
        var bundleId = DemoFolder.bundleID
        var account: String
        var productId: String
        var quantity = 1
        var device = "iPhone"
    }

    private struct Refund: Encodable {}
    private struct Advance: Encodable { var by: String }

    let demo: DemoEnvironment

    func run(_ printer: Printer) async throws -> (outcome: Void, proof: String) {
        let endpoint = StoreEndpoint(url: demo.store.url, token: demo.store.controlToken)
        return try await StoreClient.withClient(of: endpoint) { client in
            try await sell(client.at(.production), printer)
            let books = client.at(try required("a name", EnvironmentName(argument: Self.environment)))
            let proceeds = try await report(books, printer)
            let entries = try await explain(proceeds, books, printer)
            return ((), "The report says \(proceeds), and its \(entries) sales and refunds make exactly that.")
        }
    }

    /// Sells for a day in an environment of its own, whose clock is moved to the next day.
    private func sell(_ production: StoreClient, _ printer: Printer) async throws {
        let _: StoreAnswer<Made> = try await production.post(
            "control/v1/environments", Environment(name: Self.environment, now: Self.opening))
        printer.sent("operator", "environments create \(Self.environment), where it is the morning of \(Self.day)")
        let books = production.at(try required("a name", EnvironmentName(argument: Self.environment)))
        for person in [Person.greta, .nia] {
            let _: StoreAnswer<Made> = try await books.post(
                "control/v1/accounts", Account(account: person.account, storefront: person.storefront))
            let _: StoreAnswer<Made> = try await books.post(
                "control/v1/downloads", Download(account: person.account, device: UUID().uuidString))
        }
        _ = try await buy(Self.roll, 3, as: .nia, books)
        let roll = try await buy(Self.roll, 1, as: .greta, books)
        _ = try await buy(Self.filter, 1, as: .greta, books)
        let _: StoreAnswer<Made> = try await books.post("control/v1/transactions/\(roll)/refund", Refund())
        printer.came("2 downloads of the app; Nia buys 3 rolls of film, Greta a roll and a filter")
        printer.more("Greta's roll is refunded, and the clock is moved to the next day")
        let _: StoreAnswer<Made> = try await books.post(
            "control/v1/clock/advance", Advance(by: "P1D"), timeout: StoreClient.advanceTimeout)
    }

    private func buy(
        _ product: String, _ quantity: Int, as person: Person, _ client: StoreClient
    ) async throws -> String {
        let answer: StoreAnswer<Bought> = try await client.post(
            "control/v1/purchases", Purchase(account: person.account, productId: product, quantity: quantity))
        return answer.value.transactionId
    }

    /// Reads the day's report of Sales and Trends, and adds up the proceeds of Germany.
    private func report(_ client: StoreClient, _ printer: Printer) async throws -> Money {
        printer.sent("seller", "perennial report sales --date \(Self.day)")
        let report: StoreAnswer<Report> = try await client.get("control/v1/reports/sales?date=\(Self.day)")
        var sum: Int64 = 0
        for row in report.value.cells {
            let (sku, units) = (row["SKU"] ?? "", row["Units"] ?? "")
            let (each, currency) = (row["Developer Proceeds"] ?? "", row["Currency of Proceeds"] ?? "")
            let country = row["Country Code"] ?? ""
            printer.came(
                "\(Printer.padded(sku, to: 36)) \(Printer.padded(units, to: 3)) at \(each) \(currency), \(country)")
            guard country == "DE", let count = Int64(units) else { continue }
            let money = Money(decimal: each.hasPrefix(".") ? "0\(each)" : each, .eur)
            sum += count * (try required("proceeds in \(row)", money)).milliunits
        }
        let countries = Set(report.value.cells.compactMap { $0["Country Code"] })
        try expect("the countries of the report", countries, is: ["DE", "US"])
        try expect("proceeds in Germany", sum > 0, came: "\(sum)")
        return Money(milliunits: sum, .eur)
    }

    /// Explains the proceeds of Germany.
    ///
    /// - Returns: The number of journal entries that make them.
    private func explain(_ proceeds: Money, _ client: StoreClient, _ printer: Printer) async throws -> Int {
        printer.sent("seller", "perennial explain sales --date \(Self.day) --country DE --column proceeds")
        let answer: StoreAnswer<ExplanationAnswer> = try await client.get(
            "control/v1/explain/sales?bundleId=\(DemoFolder.bundleID)&date=\(Self.day)&country=DE&column=proceeds")
        let explained = answer.value
        try expect("that the journal agrees with the report", explained.agrees, came: explained.recomputed.text)
        try expect("the explained figure", explained.reported.amounts.map(\.text), is: [proceeds.description])
        for entry in explained.entries where entry.amount?.amount != 0 {
            let product = entry.productId.map { String($0.split(separator: ".").suffix(2).joined(separator: ".")) }
            let rules = entry.rules.map(\.name).joined(separator: ", ").lowercased()
            printer.came(
                "\(Printer.padded("\(product ?? "the app") \(entry.kind)", to: 26)) \(entry.amount?.text ?? "-"), by \(rules)"
            )
        }
        let sum = explained.entries.reduce(0) { $0 + ($1.amount?.amount ?? 0) }
        try expect("the sum of the entries", sum, is: proceeds.milliunits)
        return explained.entries.count { $0.amount?.amount ?? 0 != 0 }
    }
}
