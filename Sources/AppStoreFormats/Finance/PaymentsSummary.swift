import Perennial

/// The payments summary of a closed fiscal month, `financial_report.csv`.
package struct PaymentsSummary: Hashable, Sendable {
    package var closing: MonthClosing
    package var bankName: String?
    package var accountEnding: String?

    package static let fileName = "financial_report.csv"
    /// The fields of the title's line for a month that is paid, and for one that isn't.
    private static let titleFields = (paid: 13, unpaid: 10)

    package init(_ closing: MonthClosing, bankName: String?, accountEnding: String?) {
        self.closing = closing
        self.bankName = bankName
        self.accountEnding = accountEnding
    }

    /// The columns; that of the balance is there if one was carried from the month before.
    package static func columns(hasBalance: Bool) -> [String] {
        ["Region (Currency)", "Units Sold", "Earned", "Pre-Tax Subtotal"] + (hasBalance ? ["Balance"] : [])
            + [
                "Input Tax", "Adjustments", "Withholding Tax", "Total Owed", "Exchange Rate", "Proceeds",
                "Bank Account Currency",
            ]
    }

    private var hasBalance: Bool { closing.carried.milliunits != 0 }

    /// The file: a title, the columns, a row for each region, the total, and the bank. The regions of a month below the
    /// threshold are listed after the bank.
    package var text: String {
        let isPaid = closing.payout != nil
        let regions = closing.lines.map(fields)
        var lines: [[String]] = [
            [title] + Array(repeating: "", count: (isPaid ? Self.titleFields.paid : Self.titleFields.unpaid) - 1), [],
            Self.columns(hasBalance: hasBalance),
        ]
        if isPaid { lines += regions }
        lines += [[], total, [bank]]
        if !isPaid { lines += regions }
        return lines.map { $0.map(Self.quoted).joined(separator: ",") }.joined(separator: "\n") + "\n"
    }

    private var title: String {
        let (year, month) = closing.month.calendarMonth
        return "iTunes Connect - Payments and Financial Reports (\(Self.monthNames[month - 1]), \(year))"
    }

    private func fields(_ line: MonthClosing.Line) -> [String] {
        let region = line.key.region.info?.name ?? line.key.region.rawValue
        return ["\(region) (\(line.key.currency))", "\(line.units)", line.earned.decimal, line.earned.decimal]
            + (hasBalance ? ["0"] : [])
            + [
                line.inputTax.decimal, line.adjustments.decimal, line.withholding.decimal, line.owed.decimal,
                line.rate.description, line.proceeds.decimal, closing.bankCurrency.rawValue,
            ]
    }

    /// The sum in the bank's currency, with the balance that was carried; amounts in other currencies have no sum.
    private var total: [String] {
        let units = closing.lines.reduce(Int64.zero) { $0.clampedAdding($1.units) }
        return ["Total", "\(units)", "", ""] + (hasBalance ? [closing.carriedProceeds.decimal] : [])
            + ["", "", "", "", "", closing.total.decimal, closing.bankCurrency.rawValue]
    }

    private var bank: String {
        let account = [bankName ?? "Bank account", accountEnding.map { "- \($0)" }].compactMap { $0 }
        guard let payout = closing.payout else {
            return "Below the payment threshold of \(closing.threshold): carried forward"
        }
        return "Paid to \(account.joined(separator: " ")) on \(payout.day), reference \(payout.reference)"
    }

    private static func quoted(_ field: String) -> String {
        guard field.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return field }
        return "\"\(field.replacing("\"", with: "\"\""))\""
    }

    static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
