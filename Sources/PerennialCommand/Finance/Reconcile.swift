import ArgumentParser
import Foundation
import Perennial

/// `perennial reconcile`: proves that sales, roll-ups, payments and what is owed agree.
struct Reconcile: StoreCommand {
    static let configuration = CommandConfiguration(
        "reconcile", "Prove that sales are what was paid and what is owed.",
        """
        Compares three paths: the postings of the journal, entry by entry; the roll-ups; and the closed months with what is \
        open. The exit code is 0 if they agree. Otherwise it is 1, and the first transaction where they don't is named.
        """,
        examples: [
            "reconcile --environment staging", "reconcile --from 2027-01 --to 2027-03 --environment staging",
            "reconcile --from 2026-10-03 --to 2026-10-09 --environment staging",
        ])

    @Option(help: ArgumentHelp("The first day or fiscal month; the beginning if omitted.", valueName: "date"))
    var from: String?

    @Option(help: ArgumentHelp("The last day or fiscal month; the end if omitted.", valueName: "date"))
    var to: String?

    @OptionGroup var store: StoreOptions

    func report(from client: StoreClient) async throws -> Report {
        let query = [("from", from), ("to", to)].compactMap { name, value in
            value.map { "\(name)=\($0.percentEncoded)" }
        }
        let answer: StoreAnswer<Answer> = try await client.get(
            "control/v1/reconciliation?\(query.joined(separator: "&"))", timeout: StoreClient.advanceTimeout)
        return Report(words: answer.value.text, json: answer.json, succeeded: answer.value.agrees)
    }

    struct Answer: Decodable {
        struct Total: Decodable {
            var currency: String
            var sales: Int64
            var rollUps: Int64
            var closed: Int64
            var open: Int64
        }

        struct Payments: Decodable {
            var currency: String
            var proceeds: Int64
            var exchanged: Int64
            var paid: Int64
            var balance: Int64
        }

        struct Difference: Decodable {
            var text: String
            var bundleId: String?
            var transactionId: String?
            var position: Int64?

            var words: String {
                guard let position else { return text }
                let subject = transactionId.map { "Transaction \($0)" } ?? "The entry"
                return "\(subject) at position \(position)\(bundleId.map { " of \($0)" } ?? ""): \(text)"
            }
        }

        var agrees: Bool
        var entries: Int64
        var totals: [Total]
        var payments: [Payments]
        var differences: [Difference]

        var text: String {
            func money(_ milliunits: Int64, _ currency: String) -> String {
                Money(milliunits: milliunits, Currency(rawValue: currency)).decimal
            }
            var parts: [String] = []
            if !totals.isEmpty {
                parts.append(
                    TerminalTable(
                        ["CURRENCY", "SALES", "ROLL-UPS", "IN CLOSED MONTHS", "OWED"],
                        totals.map { total in
                            [total.currency]
                                + [total.sales, total.rollUps, total.closed, total.open].map {
                                    money($0, total.currency)
                                }
                        }
                    ).text)
            }
            if !payments.isEmpty {
                parts.append(
                    TerminalTable(
                        ["BANK CURRENCY", "PROCEEDS", "BALANCE EXCHANGED", "PAID", "CARRIED FORWARD"],
                        payments.map { payment in
                            [payment.currency]
                                + [payment.proceeds, payment.exchanged, payment.paid, payment.balance].map {
                                    money($0, payment.currency)
                                }
                        }
                    ).text)
            }
            parts.append(
                agrees
                    ? "\(entries) journal entries agree with roll-ups, closings and payments"
                    : differences.map(\.words).joined(separator: "\n"))
            return parts.joined(separator: "\n\n")
        }
    }
}
