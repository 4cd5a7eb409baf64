import Perennial

/// A closed month in control/v1.
struct ClosedMonthAnswer: Decodable {
    struct Line: Decodable {
        var region: String
        var currency: String
        var units: Int64
        var earned: Int64
        var inputTax: Int64
        var lateAdjustments: Int64
        var manualAdjustments: Int64
        var withholdingTax: Int64
        var totalOwed: Int64
        var exchangeRate: String
        var proceeds: Int64
    }

    var month: String
    var firstDay: String
    var lastDay: String
    var lines: [Line]
    var bankCurrency: String
    var carried: Int64
    var total: Int64
    var threshold: Int64
    var payout: PayoutAnswer?
    var balance: Int64

    /// Formats an amount in the bank's currency.
    func bank(_ milliunits: Int64) -> String {
        Money(milliunits: milliunits, Currency(rawValue: bankCurrency)).description
    }

    var table: String {
        let rows = lines.map { line in
            func text(_ milliunits: Int64) -> String {
                Money(milliunits: milliunits, Currency(rawValue: line.currency)).decimal
            }
            return [
                "\(line.region) (\(line.currency))", "\(line.units)", text(line.earned), text(line.inputTax),
                text(line.lateAdjustments + line.manualAdjustments), text(line.withholdingTax), text(line.totalOwed),
                line.exchangeRate, bank(line.proceeds),
            ]
        }
        let headings = [
            "REGION", "UNITS", "EARNED", "INPUT TAX", "ADJUSTMENTS", "WITHHOLDING", "OWED", "RATE", "PROCEEDS",
        ]
        let summary = [
            ("Month", "\(month), \(firstDay) to \(lastDay)"), ("Carried", bank(carried)), ("Total", bank(total)),
            ("Threshold", bank(threshold)),
            ("Paid", payout.map { "\($0.money) on \($0.date), reference \($0.reference)" } ?? "nothing"),
            ("Balance", bank(balance)),
        ]
        let list = TerminalTable(summary.map { (name: $0.0, value: Optional($0.1)) }).text
        return rows.isEmpty ? list : "\(TerminalTable(headings, rows).text)\n\n\(list)"
    }
}

/// A payout in control/v1.
struct PayoutAnswer: Decodable {
    var month: String
    var date: String
    var amount: Int64
    var currency: String
    var reference: String

    var money: String { Money(milliunits: amount, Currency(rawValue: currency)).description }

    static func table(_ payouts: [PayoutAnswer]) -> String {
        TerminalTable(
            ["MONTH", "DATE", "AMOUNT", "REFERENCE"], payouts.map { [$0.month, $0.date, $0.money, $0.reference] }
        ).text
    }
}

/// The money that is owed, in control/v1.
struct OwedAnswer: Decodable {
    struct Line: Decodable {
        var region: String
        var currency: String
        var units: Int64
        var amount: Int64
    }

    var closed: String?
    var open: [Line]
    var balance: Int64
    var balanceCurrency: String?
    var scheduled: [PayoutAnswer]

    var text: String {
        var parts: [String] = []
        if open.isEmpty {
            parts.append("No sales are open")
        } else {
            parts.append(
                TerminalTable(
                    ["REGION", "UNITS", "OWED BEFORE TAXES"],
                    open.map { line in
                        let money = Money(milliunits: line.amount, Currency(rawValue: line.currency))
                        return ["\(line.region) (\(line.currency))", "\(line.units)", money.description]
                    }
                ).text)
        }
        let carried = balanceCurrency.map { Money(milliunits: balance, Currency(rawValue: $0)).description }
        parts.append(TerminalTable([("Closed up to", closed ?? "no month yet"), ("Carried forward", carried)]).text)
        if !scheduled.isEmpty { parts.append(PayoutAnswer.table(scheduled)) }
        return parts.joined(separator: "\n\n")
    }
}
