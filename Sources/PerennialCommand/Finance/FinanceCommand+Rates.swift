import ArgumentParser
import Foundation
import Perennial

extension FinanceCommand {
    struct Rates: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "rates", "Import and list exchange rates, by fiscal month.",
            examples: [
                "finance rates import rates.csv --environment staging", "finance rates list --environment staging",
            ],
            subcommands: [Import.self, List.self], defaultSubcommand: List.self)

        struct Import: StoreCommand {
            static let configuration = CommandConfiguration(
                "import", "Import exchange rates from a file.",
                """
                A CSV file has the columns month, from, to and rate; a JSON file an array of objects with these fields, \
                the rate as a string. A rate is the value of one unit, with up to nine digits after the point.
                """,
                examples: ["finance rates import rates.csv --environment staging"])

            @Argument(help: ArgumentHelp("The CSV or JSON file.", valueName: "file"), completion: .file())
            var file: String

            @OptionGroup var store: StoreOptions

            func report(from client: StoreClient) async throws -> Report {
                let rates = try RateFile.read(file)
                let answer: StoreAnswer<RatesMessage> = try await client.post(
                    "control/v1/finance/rates", RatesMessage(rates: rates))
                return answer.report { "Imported \($0.rates.count) rates" }
            }
        }

        struct List: StoreCommand {
            static let configuration = CommandConfiguration(
                "list", "List the exchange rates of a month, or of all months.",
                examples: ["finance rates list --month 2027-01 --environment staging"])

            @Option(help: ArgumentHelp("The fiscal month; all months if omitted.", valueName: "month"))
            var month: FiscalMonth?

            @OptionGroup var store: StoreOptions

            func report(from client: StoreClient) async throws -> Report {
                let answer: StoreAnswer<RatesMessage> = try await client.get(
                    "control/v1/finance/rates\(month.map { "?month=\($0)" } ?? "")")
                return answer.report { answer in
                    guard !answer.rates.isEmpty else { return "There are no exchange rates" }
                    return TerminalTable(
                        ["MONTH", "FROM", "TO", "RATE"], answer.rates.map { [$0.month, $0.from, $0.to, $0.rate] }
                    ).text
                }
            }
        }
    }
}

/// Exchange rates in control/v1.
struct RatesMessage: Codable {
    struct Rate: Codable, Equatable {
        var month: String
        var from: String
        var to: String
        var rate: String
    }

    var rates: [Rate]
}

/// A file of exchange rates, in CSV or JSON.
enum RateFile {
    private static let columns = ["month", "from", "to", "rate"]

    /// - Throws: ``CommandError`` with the line and what was expected.
    static func read(_ path: String) throws -> [RatesMessage.Rate] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandError("\(path) can't be read")
        }
        return try parse(String(decoding: data, as: UTF8.self), path: path)
    }

    static func parse(_ text: String, path: String) throws -> [RatesMessage.Rate] {
        if text.drop(while: \.isWhitespace).first == "[" {
            do {
                return try JSONDecoder().decode([RatesMessage.Rate].self, from: Data(text.utf8))
            } catch {
                throw CommandError(
                    "\(path): an array of objects with the texts month, from, to and rate was expected")
            }
        }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        guard let header = lines.first?.map({ $0.lowercased() }), Set(columns).isSubset(of: header) else {
            throw CommandError("\(path):1: the columns \(columns.joined(separator: ",")) were expected")
        }
        return try lines.enumerated().dropFirst().filter { $0.element != [""] }.map { number, fields in
            let row = Dictionary(zip(header, fields)) { first, _ in first }
            guard let month = row["month"], FiscalMonth(month) != nil else {
                throw CommandError("\(path):\(number + 1): a fiscal month such as 2027-01 was expected")
            }
            guard let rate = row["rate"], DecimalRate(rate) != nil, let from = row["from"], let to = row["to"] else {
                throw CommandError(
                    "\(path):\(number + 1): two currencies and a rate such as 0.00817 were expected")
            }
            return RatesMessage.Rate(month: month, from: from, to: to, rate: rate)
        }
    }
}
