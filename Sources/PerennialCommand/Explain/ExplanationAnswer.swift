import Perennial

/// An explained figure, as control/v1/explain answers.
struct ExplanationAnswer: Decodable {
    struct Amount: Decodable {
        var amount: Int64
        var currency: String

        var text: String { Money(milliunits: amount, Currency(rawValue: currency)).description }
    }

    struct Figure: Decodable {
        var units: Int64
        var amounts: [Amount]

        var text: String {
            let units = units == 1 ? "1 unit" : "\(units) units"
            return amounts.isEmpty ? units : amounts.map(\.text).joined(separator: ", ") + " (\(units))"
        }
    }

    struct OtherAmount: Decodable {
        var name: String
        var amount: Int64
        var currency: String
    }

    struct Term: Decodable {
        var operation: String
        var name: String
        var value: String

        var words: String {
            let sign =
                switch operation {
                case "minus": "-"
                case "times": "x"
                case "dividedBy": "/"
                default: "+"
                }
            return "  \(sign) \(name): \(value)"
        }
    }

    struct Item: Decodable {
        var position: Int64
        var time: String
        var kind: String
        var transactionId: String?
        var productId: String?
        var units: Int64
        var amount: Amount?
        var postings: [PostingAnswer]
        var rules: [RuleAnswer]

        var cells: [String] {
            [
                "\(position)", time, kind, transactionId ?? "-", productId ?? "-", "\(units)", amount?.text ?? "-",
                postings.words, rules.map(\.name).joined(separator: ", "),
            ]
        }
    }

    var figure: String
    var value: String?
    var terms: [Term]
    var reported: Figure
    var recomputed: Figure
    var agrees: Bool
    var otherAmounts: [OtherAmount]
    var entryCount: Int
    var entries: [Item]
    var next: String?

    private var counted: String { entryCount == 1 ? "1 entry makes it" : "\(entryCount) entries make it" }

    var words: String {
        var lines = ["\(figure): \(value ?? reported.text)"]
        lines += terms.map(\.words)
        if value != nil, entryCount > 0 { lines.append("The entries listed add up to \(reported.text).") }
        lines.append(
            agrees
                ? "The journal agrees: \(counted)."
                : "THE JOURNAL DISAGREES, which makes it \(recomputed.text): \(counted).")
        for other in otherAmounts {
            lines.append("Of it, \(other.name): \(Amount(amount: other.amount, currency: other.currency).text)")
        }
        guard !entries.isEmpty else { return lines.joined(separator: "\n") }
        let headings = [
            "POSITION", "TIME", "ENTRY", "TRANSACTION", "PRODUCT", "UNITS", "AMOUNT", "POSTINGS", "RULES",
        ]
        lines += ["", TerminalTable(headings, entries.map(\.cells)).text]
        lines += entries.flatMap(\.rules).pages
        if let next { lines.append("There are more: --after \(next)") }
        return lines.joined(separator: "\n")
    }
}

/// An explained statistic, as control/v1/explain answers.
struct StatisticAnswer: Decodable {
    var statistic: String
    var definition: String
    var measures: [ExplanationAnswer]

    var words: String {
        (["\(statistic): \(definition)"] + measures.map(\.words)).joined(separator: "\n\n")
    }
}

/// One posting of a journal entry.
struct PostingAnswer: Decodable {
    var account: String
    var amount: Int64
    var currency: String

    var words: String { "\(account) \(Money(milliunits: amount, Currency(rawValue: currency)).decimal)" }
}

extension [PostingAnswer] {
    fileprivate var words: String { isEmpty ? "none" : map(\.words).joined(separator: ", ") }
}

/// A rule with the place of its description.
struct RuleAnswer: Decodable {
    var name: String
    var page: String
}

extension [RuleAnswer] {
    /// A line for each rule, with the place where it is described.
    fileprivate var pages: [String] {
        var known: Set<String> = []
        let lines = filter { known.insert($0.name).inserted }.map { "  \($0.name): \($0.page)" }
        return lines.isEmpty ? [] : ["", "The rules:"] + lines
    }
}

/// An explained transaction, as control/v1/explain answers.
struct TransactionAnswer: Decodable {
    struct Row: Decodable {
        var type: String
        var units: Int64
        var customerPrice: Int64
        var proceeds: Int64
        var currency: String
        var country: String

        var words: String {
            func text(_ amount: Int64) -> String { Money(milliunits: amount, Currency(rawValue: currency)).decimal }
            return
                "\(units) of type \(type) in \(country) at \(currency) \(text(customerPrice)), proceeds \(text(proceeds))"
        }
    }

    struct Item: Decodable {
        var position: Int64
        var time: String
        var kind: String
        var day: String
        var fiscalMonth: String
        var isAdjustment: Bool
        var postings: [PostingAnswer]
        var rows: [Row]
        var rules: [RuleAnswer]

        var lines: [String] {
            var lines = ["\(time): \(kind), journal position \(position)"]
            lines += postings.map { "  \($0.currency) \($0.words)" }
            lines += rows.map { "  in Sales and Trends of \(day): \($0.words)" }
            if !postings.isEmpty {
                lines.append("  in fiscal month \(fiscalMonth)\(isAdjustment ? ", as an adjustment" : "")")
            }
            if !rules.isEmpty { lines.append("  rules: \(rules.map(\.name).joined(separator: ", "))") }
            return lines
        }
    }

    var transactionId: String
    var bundleId: String
    var account: String
    var productId: String
    var entries: [Item]
    var sums: [PostingAnswer]

    var words: String {
        var lines = ["\(transactionId): \(productId) of \(bundleId), bought by \(account)"]
        for entry in entries { lines += [""] + entry.lines }
        if !sums.isEmpty {
            lines += ["", "In all: " + sums.map { "\($0.currency) \($0.words)" }.joined(separator: ", ")]
        }
        return (lines + entries.flatMap(\.rules).pages).joined(separator: "\n")
    }
}
