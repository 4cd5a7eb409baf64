import ArgumentParser
import Foundation
import Perennial

extension ReportCommand {
    struct Financial: FinancialFileCommand {
        static let configuration = CommandConfiguration(
            "financial", "Print the financial report of a closed month.",
            "The rows of a region, of all regions (ZZ), or by day (Z1), as in Apple's file.",
            examples: [
                "report financial --month 2027-01 --environment staging",
                "report financial --month 2027-01 --region US --environment staging",
            ])

        @Option(help: ArgumentHelp("The fiscal month, such as 2027-01.", valueName: "month"))
        var month: FiscalMonth

        @Option(help: ArgumentHelp("The region's code; ZZ if omitted.", valueName: "code"))
        var region = "ZZ"

        @Option(help: ArgumentHelp("The file to write instead of printing.", valueName: "file"), completion: .file())
        var output: String?

        @OptionGroup var store: StoreOptions

        var path: String { "report?month=\(month)&region=\(region.percentEncoded)" }
    }

    struct Payments: FinancialFileCommand {
        static let configuration = CommandConfiguration(
            "payments", "Print the payments summary of a closed month, as CSV.",
            examples: ["report payments --month 2027-01 --environment staging"])

        @Option(help: ArgumentHelp("The fiscal month, such as 2027-01.", valueName: "month"))
        var month: FiscalMonth

        @Option(help: ArgumentHelp("The file to write instead of printing.", valueName: "file"), completion: .file())
        var output: String?

        @OptionGroup var store: StoreOptions

        var path: String { "payments?month=\(month)" }
    }
}

/// A command that prints a file of a closed month.
protocol FinancialFileCommand: StoreCommand {
    var output: String? { get }
    /// The path below control/v1/finance.
    var path: String { get }
}

extension FinancialFileCommand {
    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<FinancialFileAnswer> = try await client.get("control/v1/finance/\(path)")
        let text = answer.value.text
        guard let output else {
            return Report(words: text.hasSuffix("\n") ? String(text.dropLast()) : text, json: answer.json)
        }
        do {
            try Data(text.utf8).write(to: URL(filePath: output))
        } catch {
            throw CommandError("\(output) can't be written: \(error.localizedDescription)")
        }
        return Report(words: "\(answer.value.name) is in \(output)", json: answer.json)
    }
}

/// A file of finance in control/v1.
struct FinancialFileAnswer: Decodable {
    var name: String
    var text: String
}
