import Perennial

/// The operator's corrections of what is owed.
package enum FinanceAdjustmentsTable {
    package struct Record: Hashable, Sendable {
        /// The position of its entry in the seller's own journal.
        package var position: Int64
        package var region: FinancialRegion
        package var amount: Money
        package var note: String
        package var at: Instant
        /// The closed month that includes it; `nil` while it is open.
        package var month: FiscalMonth?

        package init(
            position: Int64, region: FinancialRegion, amount: Money, note: String, at: Instant,
            month: FiscalMonth? = nil
        ) {
            self.position = position
            self.region = region
            self.amount = amount
            self.note = note
            self.at = at
            self.month = month
        }

        /// The line of the closing that it belongs to.
        package var key: RegionSales.Key { RegionSales.Key(region: region, currency: amount.currency) }
    }

    package static func insert(
        _ record: Record, idempotencyKey: String, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.send(
            """
            INSERT INTO finance_adjustments (environment, position, region, currency, amount, note, at, idempotency_key)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                .integer(environment.rawValue), .integer(record.position), .text(record.region.rawValue),
                .text(record.amount.currency.rawValue), .integer(record.amount.milliunits), .text(record.note),
                .integer(record.at.milliseconds), .text(idempotencyKey),
            ])
    }

    /// Returns the adjustment that was made with an idempotency key.
    package static func adjustment(
        idempotencyKey: String, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Record? {
        try connection.first(
            """
            SELECT position, region, currency, amount, note, at, month FROM finance_adjustments
            WHERE environment = $1 AND idempotency_key = $2
            """, [.integer(environment.rawValue), .text(idempotencyKey)], record)
    }

    /// Returns the adjustments that no closing includes, oldest first.
    package static func open(
        _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Record] {
        try connection.query(
            """
            SELECT position, region, currency, amount, note, at, month FROM finance_adjustments
            WHERE environment = $1 AND month IS NULL ORDER BY position
            """, [.integer(environment.rawValue)], record)
    }

    /// Returns the adjustments that a closing includes, oldest first.
    package static func included(
        in month: FiscalMonth, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Record] {
        try connection.query(
            """
            SELECT position, region, currency, amount, note, at, month FROM finance_adjustments
            WHERE environment = $1 AND month = $2 ORDER BY position
            """, [.integer(environment.rawValue), .integer(month.number)], record)
    }

    /// Includes all open adjustments in a closing.
    package static func close(
        in month: FiscalMonth, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.send(
            "UPDATE finance_adjustments SET month = $1 WHERE environment = $2 AND month IS NULL",
            [.integer(month.number), .integer(environment.rawValue)])
    }

    private static func record(_ row: any Row) throws -> Record {
        Record(
            position: try row.integer(0), region: FinancialRegion(rawValue: try row.text(1)),
            amount: Money(milliunits: try row.integer(3), Currency(rawValue: try row.text(2))),
            note: try row.text(4), at: try row.instant(5),
            month: try row.optionalInteger(6).map(FiscalMonth.init(number:)))
    }
}
