import ArgumentParser
import Foundation
import Perennial

/// `perennial finance`: exchange rates, monthly closings and payouts.
struct FinanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "finance", "Close fiscal months, and show payouts and what is owed.",
        """
        A closing fixes a fiscal month: what was earned in each region, taxes, adjustments, the exchange to the bank's \
        currency and the payout. What comes later is an adjustment of the next month. Fiscal month 2027-01 is October 2026.
        """,
        examples: [
            "finance owed show --environment staging", "finance close 2027-01 --environment staging",
            "finance payouts list --environment staging",
        ],
        subcommands: [
            Rates.self, Settings.self, Close.self, Months.self, Payouts.self, Owed.self, Adjust.self,
        ])

    struct Close: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "close", "Close a fiscal month that is over.",
            """
            Closed months can't be opened again. Closing one again shows it. Months are closed in their order, and each \
            currency with sales needs an exchange rate to the bank's.
            """,
            examples: ["finance close 2027-01 --environment staging"])

        @Argument(help: ArgumentHelp("The fiscal month, such as 2027-01.", valueName: "month"))
        var month: FiscalMonth

        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: StoreOptions

        var question: String { "Close \(month)? A closed month can't be opened again." }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<ClosedMonthAnswer> = try await client.post(
                "control/v1/finance/months/\(month)/close", [String: String](), timeout: StoreClient.advanceTimeout)
            return answer.report(\.table)
        }
    }

    struct Months: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "months", "List the closed months.",
            examples: ["finance months list --environment staging"], subcommands: [List.self],
            defaultSubcommand: List.self)

        struct List: StoreCommand {
            static let configuration = CommandConfiguration(
                "list", "List the closed months.",
                examples: ["finance months list --environment staging"])

            @OptionGroup var store: StoreOptions

            func report(from client: StoreClient) async throws -> Report {
                let answer: StoreAnswer<Answer> = try await client.get("control/v1/finance/months")
                return answer.report { answer in
                    guard !answer.months.isEmpty else { return "No month is closed" }
                    return TerminalTable(
                        ["MONTH", "FIRST DAY", "LAST DAY", "CARRIED", "TOTAL", "PAID", "BALANCE"],
                        answer.months.map { month in
                            [
                                month.month, month.firstDay, month.lastDay, month.bank(month.carried),
                                month.bank(month.total), month.payout.map { $0.money } ?? "-",
                                month.bank(month.balance),
                            ]
                        }
                    ).text
                }
            }

            private struct Answer: Decodable { var months: [ClosedMonthAnswer] }
        }
    }

    struct Payouts: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "payouts", "List the payouts.",
            examples: ["finance payouts list --environment staging"], subcommands: [List.self],
            defaultSubcommand: List.self)

        struct List: StoreCommand {
            static let configuration = CommandConfiguration(
                "list", "List the payouts, with their days and references.",
                examples: ["finance payouts list --environment staging"])

            @OptionGroup var store: StoreOptions

            func report(from client: StoreClient) async throws -> Report {
                let answer: StoreAnswer<Answer> = try await client.get("control/v1/finance/payouts")
                return answer.report { answer in
                    answer.payouts.isEmpty ? "There are no payouts" : PayoutAnswer.table(answer.payouts)
                }
            }

            private struct Answer: Decodable { var payouts: [PayoutAnswer] }
        }
    }

    struct Owed: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "owed", "Show what is owed now.",
            examples: ["finance owed show --environment staging"], subcommands: [Show.self],
            defaultSubcommand: Show.self)

        struct Show: StoreCommand {
            static let configuration = CommandConfiguration(
                "show", "Show what is owed now: open months, the balance carried forward, and scheduled payouts.",
                examples: ["finance owed show --environment staging"])

            @OptionGroup var store: StoreOptions

            func report(from client: StoreClient) async throws -> Report {
                let answer: StoreAnswer<OwedAnswer> = try await client.get("control/v1/finance/owed")
                return answer.report(\.text)
            }
        }
    }

    struct Adjust: StoreCommand {
        static let configuration = CommandConfiguration(
            "adjust", "Adjust what is owed in a region; the next closing includes it.",
            examples: [
                "finance adjust JP --amount 1500 --currency JPY --reason Refund --environment staging",
                "finance adjust US --amount -12.50 --currency USD --reason Correction --environment staging",
            ])

        @Argument(help: ArgumentHelp("The region's code, such as JP.", valueName: "region"))
        var region: String

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("Such as 12.50; negative if the seller owes it.", valueName: "amount"))
        var amount: SignedAmount

        @Option(help: ArgumentHelp("The currency's code.", valueName: "code"))
        var currency: String

        @Option(help: ArgumentHelp("Why it is owed.", valueName: "text"))
        var reason: String

        @Option(help: ArgumentHelp("Makes repeating harmless: at most 128 characters.", valueName: "key"))
        var idempotencyKey: String?

        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.post(
                "control/v1/finance/adjustments",
                Body(
                    region: region, currency: currency, amount: amount.milliunits, note: reason,
                    idempotencyKey: idempotencyKey))
            return answer.report { adjusted in
                let money = Money(milliunits: adjusted.amount, Currency(rawValue: adjusted.currency))
                return "Adjusted by \(money) in \(adjusted.region): \(adjusted.note)"
            }
        }

        private struct Body: Encodable {
            var region: String
            var currency: String
            var amount: Int64
            var note: String
            var idempotencyKey: String?
        }

        private struct Answer: Decodable {
            var region: String
            var currency: String
            var amount: Int64
            var note: String
        }
    }
}

/// An amount with a sign, such as -12.50.
struct SignedAmount: ExpressibleByArgument {
    let milliunits: Int64

    init?(argument: String) {
        let isNegative = argument.hasPrefix("-")
        guard let amount = PriceAmount(argument: isNegative ? String(argument.dropFirst()) : argument) else {
            return nil
        }
        milliunits = isNegative ? -amount.milliunits : amount.milliunits
    }
}

extension FiscalMonth: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
