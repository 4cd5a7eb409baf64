import Perennial

/// The closed fiscal months of each environment, with the journal positions that they included.
package enum ClosedMonthsTable {
    /// A closing as it was stored.
    package struct Record: Hashable, Sendable {
        package var closing: MonthClosing
        /// The time of the environment's clock at the closing.
        package var closed: Instant
        /// The first position of its entries in the seller's own journal.
        package var firstPosition: Int64
        /// The last position of its entries; one less than the first if it has none.
        package var lastPosition: Int64
        package var bankName: String?
        package var accountEnding: String?

        package init(
            closing: MonthClosing, closed: Instant, firstPosition: Int64, lastPosition: Int64, bankName: String?,
            accountEnding: String?
        ) {
            self.closing = closing
            self.closed = closed
            self.firstPosition = firstPosition
            self.lastPosition = lastPosition
            self.bankName = bankName
            self.accountEnding = accountEnding
        }
    }

    /// Returns the closings of an environment, oldest first, with the journal position of each app (by Apple ID) that they
    /// included.
    package static func closings(
        _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [(month: FiscalMonth, positions: [Int64: Int64])] {
        var closings = try connection.query(
            "SELECT month FROM closed_months WHERE environment = $1 ORDER BY month",
            [.integer(environment.rawValue)]
        ) { (month: FiscalMonth(number: try $0.integer(0)), positions: [Int64: Int64]()) }
        guard !closings.isEmpty else { return [] }
        let places = Dictionary(closings.indices.map { (closings[$0].month, $0) }) { first, _ in first }
        try connection.forEachRow(
            "SELECT month, app, position FROM closed_month_positions WHERE environment = $1",
            [.integer(environment.rawValue)]
        ) { row in
            guard let place = places[FiscalMonth(number: try row.integer(0))] else { return }
            closings[place].positions[try row.integer(1)] = try row.integer(2)
        }
        return closings
    }

    /// Returns the rule that assigns entries of an app's journal to fiscal months.
    package static func assignment(
        app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> FiscalAssignment {
        // An app without a position had no entry when the month was closed.
        FiscalAssignment(
            closings: try closings(environment, on: connection).map { ($0.month, $0.positions[app] ?? 0) })
    }

    /// Returns the month closed last.
    package static func last(
        _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> FiscalMonth? {
        try connection.first(
            "SELECT month FROM closed_months WHERE environment = $1 ORDER BY month DESC LIMIT 1",
            [.integer(environment.rawValue)]
        ) { FiscalMonth(number: try $0.integer(0)) }
    }

    /// Stores a closing with its lines and its payout.
    package static func insert(
        _ record: Record, positions: [Int64: Int64], _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        let closing = record.closing
        let key: [SQLValue] = [.integer(environment.rawValue), .integer(closing.month.number)]
        try connection.send(
            """
            INSERT INTO closed_months (environment, month, closed, first_position, last_position, bank_currency, bank_name,
            account_ending, carried, carried_currency, carried_rate, carried_proceeds, threshold)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            """,
            key + [
                .integer(record.closed.milliseconds), .integer(record.firstPosition), .integer(record.lastPosition),
                .text(closing.bankCurrency.rawValue), SQLValue(record.bankName), SQLValue(record.accountEnding),
                .integer(closing.carried.milliunits), .text(closing.carried.currency.rawValue),
                .integer(closing.carriedRate.billionths), .integer(closing.carriedProceeds.milliunits),
                .integer(closing.threshold.milliunits),
            ])
        for (app, position) in positions.sorted(by: { $0.key < $1.key }) {
            try connection.send(
                """
                INSERT INTO closed_month_positions (environment, month, app, position) VALUES ($1, $2, $3, $4)
                """, key + [.integer(app), .integer(position)])
        }
        for line in closing.lines { try ClosingLinesTable.insert(line, key, on: connection) }
        if let payout = closing.payout { try PayoutsTable.insert(payout, key, on: connection) }
    }

    /// Returns a closing; `nil` if the month isn't closed.
    package static func record(
        _ month: FiscalMonth, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Record? {
        try connection.first(
            """
            SELECT month, closed, first_position, last_position, bank_currency, bank_name, account_ending, carried,
            carried_currency, carried_rate, carried_proceeds, threshold FROM closed_months
            WHERE environment = $1 AND month = $2
            """, [.integer(environment.rawValue), .integer(month.number)], record
        ).map { try completed($0, environment, on: connection) }
    }

    /// Returns all closings, oldest first.
    package static func all(
        _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Record] {
        try connection.query(
            """
            SELECT month, closed, first_position, last_position, bank_currency, bank_name, account_ending, carried,
            carried_currency, carried_rate, carried_proceeds, threshold FROM closed_months
            WHERE environment = $1 ORDER BY month
            """, [.integer(environment.rawValue)], record
        ).map { try completed($0, environment, on: connection) }
    }

    /// Returns the newest closings, newest first.
    ///
    /// - Parameter month: Only closings of earlier months; `nil` for all.
    package static func newest(
        _ limit: Int, before month: FiscalMonth? = nil, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> [Record] {
        try connection.query(
            """
            SELECT month, closed, first_position, last_position, bank_currency, bank_name, account_ending, carried,
            carried_currency, carried_rate, carried_proceeds, threshold FROM closed_months
            WHERE environment = $1 AND month < $2 ORDER BY month DESC LIMIT $3
            """,
            [.integer(environment.rawValue), .integer(month?.number ?? .max), .integer(Int64(limit))], record
        ).map { try completed($0, environment, on: connection) }
    }

    private static func completed(
        _ record: Record, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Record {
        var record = record
        let month = record.closing.month
        record.closing.lines = try ClosingLinesTable.lines(
            month, bank: record.closing.bankCurrency, environment, on: connection)
        record.closing.payout = try PayoutsTable.payout(month, environment, on: connection)
        return record
    }

    private static func record(_ row: any Row) throws -> Record {
        let bank = Currency(rawValue: try row.text(4))
        return Record(
            closing: MonthClosing(
                month: FiscalMonth(number: try row.integer(0)), bankCurrency: bank, lines: [],
                carried: Money(milliunits: try row.integer(7), Currency(rawValue: try row.text(8))),
                carriedRate: DecimalRate(billionths: try row.integer(9)),
                carriedProceeds: Money(milliunits: try row.integer(10), bank),
                threshold: Money(milliunits: try row.integer(11), bank)),
            closed: try row.instant(1), firstPosition: try row.integer(2), lastPosition: try row.integer(3),
            bankName: try row.optionalText(5), accountEnding: try row.optionalText(6))
    }
}
