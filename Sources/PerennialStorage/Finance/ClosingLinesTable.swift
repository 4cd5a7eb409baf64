import Perennial

/// The lines of closed months: one for each region and currency.
enum ClosingLinesTable {
    /// - Parameter key: The environment and the month.
    static func insert(_ line: MonthClosing.Line, _ key: [SQLValue], on connection: any Connection) throws {
        try connection.send(
            """
            INSERT INTO closing_lines (environment, month, region, currency, units, earned, input_tax, late, manual,
            withholding, rate, proceeds) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            """,
            key + [
                .text(line.key.region.rawValue), .text(line.key.currency.rawValue), .integer(line.units),
                .integer(line.earned.milliunits), .integer(line.inputTax.milliunits), .integer(line.late.milliunits),
                .integer(line.manual.milliunits), .integer(line.withholding.milliunits),
                .integer(line.rate.billionths), .integer(line.proceeds.milliunits),
            ])
    }

    /// Returns the lines of a month, in the order of their keys.
    static func lines(
        _ month: FiscalMonth, bank: Currency, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [MonthClosing.Line] {
        try connection.query(
            """
            SELECT region, currency, units, earned, input_tax, late, manual, withholding, rate, proceeds
            FROM closing_lines WHERE environment = $1 AND month = $2
            """, [.integer(environment.rawValue), .integer(month.number)]
        ) { row in
            let currency = Currency(rawValue: try row.text(1))
            func money(_ column: Int) throws -> Money { Money(milliunits: try row.integer(column), currency) }
            return MonthClosing.Line(
                key: RegionSales.Key(region: FinancialRegion(rawValue: try row.text(0)), currency: currency),
                units: try row.integer(2), earned: try money(3), inputTax: try money(4), late: try money(5),
                manual: try money(6), withholding: try money(7), rate: DecimalRate(billionths: try row.integer(8)),
                proceeds: Money(milliunits: try row.integer(9), bank))
        }.sorted { $0.key < $1.key }
    }
}

/// The payouts of closed months.
enum PayoutsTable {
    /// - Parameter key: The environment and the month.
    static func insert(_ payout: MonthClosing.Payout, _ key: [SQLValue], on connection: any Connection) throws {
        try connection.send(
            """
            INSERT INTO payouts (environment, month, day, amount, currency, reference) VALUES ($1, $2, $3, $4, $5, $6)
            """,
            key + [
                .integer(payout.day.number), .integer(payout.amount.milliunits),
                .text(payout.amount.currency.rawValue), .text(payout.reference),
            ])
    }

    static func payout(
        _ month: FiscalMonth, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> MonthClosing.Payout? {
        try connection.first(
            "SELECT day, amount, currency, reference FROM payouts WHERE environment = $1 AND month = $2",
            [.integer(environment.rawValue), .integer(month.number)]
        ) { row in
            MonthClosing.Payout(
                day: PacificDay(number: try row.integer(0)),
                amount: Money(milliunits: try row.integer(1), Currency(rawValue: try row.text(2))),
                reference: try row.text(3))
        }
    }
}
