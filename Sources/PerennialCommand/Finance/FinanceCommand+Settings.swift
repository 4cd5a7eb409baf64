import ArgumentParser
import Foundation
import Perennial

extension FinanceCommand {
    /// `perennial finance settings`: the bank, the payment threshold and the taxes.
    struct Settings: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "settings", "Show and set the bank, the payment threshold and the taxes.",
            examples: [
                "finance settings show --environment staging",
                "finance settings set --threshold 150 --withholding JP=20.42 --environment staging",
            ],
            subcommands: [Show.self, Set.self], defaultSubcommand: Show.self)

        static let path = "control/v1/finance/settings"

        struct Show: StoreCommand {
            static let configuration = CommandConfiguration(
                "show", "Show the bank, the payment threshold and the taxes.",
                examples: ["finance settings show --environment staging"])

            @OptionGroup var store: StoreOptions

            func report(from client: StoreClient) async throws -> Report {
                let answer: StoreAnswer<FinanceSettingsMessage> = try await client.get(Settings.path)
                return answer.report(\.table)
            }
        }

        struct Set: StoreCommand {
            static let configuration = CommandConfiguration(
                "set", "Set the bank, the payment threshold and the taxes.", "What is left out stays as it is.",
                examples: [
                    "finance settings set --bank-currency EUR --bank-name Example --account-ending 1234 "
                        + "--environment staging",
                    "finance settings set --threshold 150 --withholding JP=20.42 --environment staging",
                ])

            @Option(help: ArgumentHelp("The currency of the bank account.", valueName: "code"))
            var bankCurrency: String?

            @Option(help: ArgumentHelp("The bank's name, for reports.", valueName: "name"))
            var bankName: String?

            @Option(help: ArgumentHelp("The last four digits of the account, for reports.", valueName: "digits"))
            var accountEnding: String?

            @Option(help: ArgumentHelp("The least amount that is paid.", valueName: "amount"))
            var threshold: PriceAmount?

            @Option(help: ArgumentHelp("The threshold's currency; the bank's if omitted.", valueName: "code"))
            var thresholdCurrency: String?

            @Option(
                help: ArgumentHelp(
                    "A region's tax on proceeds in percent, such as JP=20.42.", valueName: "region=percent"))
            var withholding: [RegionTax] = []

            @Option(
                help: ArgumentHelp(
                    "A region's tax on the commission in percent, such as CA=5.", valueName: "region=percent"))
            var inputTax: [RegionTax] = []

            @OptionGroup var store: StoreOptions

            func report(from client: StoreClient) async throws -> Report {
                var answer: StoreAnswer<FinanceSettingsMessage> = try await client.get(Settings.path)
                var settings = answer.value
                settings.bankCurrency = bankCurrency ?? settings.bankCurrency
                settings.bankName = bankName ?? settings.bankName
                settings.accountEnding = accountEnding ?? settings.accountEnding
                if let threshold {
                    settings.threshold = threshold.milliunits
                    settings.thresholdCurrency = thresholdCurrency ?? settings.bankCurrency
                } else {
                    settings.thresholdCurrency = thresholdCurrency ?? settings.thresholdCurrency
                }
                settings.withholding.change(withholding)
                settings.inputTax.change(inputTax)
                answer = try await client.put(Settings.path, settings)
                return answer.report(\.table)
            }
        }
    }
}

/// A tax of a region on the command line: `JP=20.42`, in percent.
struct RegionTax: ExpressibleByArgument {
    let region: String
    let basisPoints: Int64

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1)
        // Thousandths of a percent are tenths of a basis point.
        guard parts.count == 2, let percent = PriceAmount(argument: String(parts[1])), percent.milliunits % 10 == 0
        else { return nil }
        region = String(parts[0])
        basisPoints = percent.milliunits / 10
    }
}

/// The settings of finance in control/v1.
struct FinanceSettingsMessage: Codable {
    struct Tax: Codable {
        var region: String
        var basisPoints: Int64
    }

    var bankCurrency: String
    var bankName: String?
    var accountEnding: String?
    var threshold: Int64
    var thresholdCurrency: String
    var withholding: [Tax]
    var inputTax: [Tax]

    var table: String {
        TerminalTable([
            ("Bank currency", bankCurrency), ("Bank", bankName), ("Account", accountEnding.map { "ends with \($0)" }),
            ("Threshold", Money(milliunits: threshold, Currency(rawValue: thresholdCurrency)).description),
            ("Withholding", withholding.text), ("Input tax", inputTax.text),
        ]).text
    }
}

extension [FinanceSettingsMessage.Tax] {
    /// Replaces the taxes of regions. A tax of 0 is none.
    fileprivate mutating func change(_ taxes: [RegionTax]) {
        for tax in taxes {
            removeAll { $0.region == tax.region }
            if tax.basisPoints > 0 { append(.init(region: tax.region, basisPoints: tax.basisPoints)) }
        }
    }

    fileprivate var text: String {
        guard !isEmpty else { return "none" }
        return map { tax in
            // Two digits after the point.
            let fraction = String(tax.basisPoints % 100 + 100).dropFirst()
            return "\(tax.region) \(tax.basisPoints / 100).\(fraction) %"
        }.joined(separator: ", ")
    }
}
