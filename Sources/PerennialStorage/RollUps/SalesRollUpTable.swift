import Crypto
import Perennial

/// Units of sales by day, calendar month and fiscal month, with all columns of Sales and Trends.
package enum SalesRollUpTable {
    /// The kinds of periods. Each entry counts once in each.
    package enum Grain: Int64, Sendable, CaseIterable {
        /// Periods are `PacificDay.number`.
        case day = 0
        /// Periods are `year * 12 + month - 1`.
        case month = 1
        /// Periods are `FiscalMonth.number`.
        case fiscalMonth = 2

        /// Returns the number of the calendar month of a day.
        package static func calendarMonth(of day: PacificDay) -> Int64 {
            Int64(day.date.year) * 12 + Int64(day.date.month - 1)
        }
    }

    /// A row of a period.
    package struct Row: Hashable, Sendable {
        package var period: Int64
        package var total: SalesTotal
        /// True in a fiscal month for entries of an earlier month that was closed before them.
        package var isAdjustment: Bool

        package init(period: Int64, total: SalesTotal, isAdjustment: Bool) {
            self.period = period
            self.total = total
            self.isAdjustment = isAdjustment
        }
    }

    /// A period of a grain, with the part of the rows in it.
    package struct Slot: Hashable, Sendable {
        package var grain: Grain
        package var period: Int64
        package var isAdjustment: Bool

        package init(_ grain: Grain, _ period: Int64, isAdjustment: Bool = false) {
            self.grain = grain
            self.period = period
            self.isAdjustment = isAdjustment
        }
    }

    /// The units to add to the slots of a key.
    package struct Change: Sendable {
        package var key: SalesKey
        package var units: [Slot: Int64]

        package init(_ key: SalesKey, units: [Slot: Int64]) {
            self.key = key
            self.units = units
        }
    }

    /// Returns the rows of a span of periods.
    package static func rows(
        _ grain: Grain, _ periods: ClosedRange<Int64>, _ key: RollUpKey, on connection: any Connection
    ) throws -> [Row] {
        try connection.query(
            """
            SELECT period, is_adjustment, product, version, type, proceeds, customer_price, tax, commission, currency,
            storefront, promo_code, subscription, duration, device, proceeds_reason, is_price_preserved, units
            FROM sales_roll_up WHERE environment = $1 AND app = $2 AND generation = $3 AND grain = $4
            AND period >= $5 AND period <= $6 ORDER BY period, is_adjustment, digest
            """,
            key.values + [.integer(grain.rawValue), .integer(periods.lowerBound), .integer(periods.upperBound)], row)
    }

    /// The paid sales of a fiscal month in a storefront.
    package struct FiscalSum: Hashable, Sendable {
        package var month: FiscalMonth
        package var isAdjustment: Bool
        package var storefront: Storefront
        package var currency: Currency
        package var units: Int64
        /// The proceeds in milliunits.
        package var proceeds: Int64
        /// The commission in milliunits.
        package var commission: Int64
    }

    /// Adds up the rows of fiscal months for which money was collected.
    package static func fiscalSums(
        _ months: ClosedRange<Int64>, _ key: RollUpKey, on connection: any Connection
    ) throws -> [FiscalSum] {
        try connection.query(
            """
            SELECT period, is_adjustment, storefront, currency, CAST(SUM(units) AS BIGINT),
            CAST(SUM(units * proceeds) AS BIGINT), CAST(SUM(units * commission) AS BIGINT)
            FROM sales_roll_up WHERE environment = $1 AND app = $2 AND generation = $3 AND grain = $4
            AND period >= $5 AND period <= $6 AND (customer_price <> 0 OR proceeds <> 0)
            GROUP BY period, is_adjustment, storefront, currency ORDER BY period, is_adjustment, storefront, currency
            """,
            key.values + [
                .integer(Grain.fiscalMonth.rawValue), .integer(months.lowerBound), .integer(months.upperBound),
            ]
        ) { row in
            FiscalSum(
                month: FiscalMonth(number: try row.integer(0)), isAdjustment: try row.bool(1),
                storefront: Storefront(rawValue: try row.text(2)), currency: Currency(rawValue: try row.text(3)),
                units: try row.integer(4), proceeds: try row.integer(5), commission: try row.integer(6))
        }
    }

    /// Adds units to rows. Each key occurs once in `changes`.
    package static func add(_ changes: [Change], _ key: RollUpKey, on connection: any Connection) throws {
        var rows: [PendingRow] = []
        for change in changes {
            let columns = columns(of: change.key)
            let digest = digest(of: columns)
            for (slot, units) in change.units {
                rows.append(PendingRow(slot: slot, units: units, digest: digest, columns: columns))
            }
        }
        // In the order of the table's key.
        rows.sort { $0.precedes($1) }
        try upsert.run(rows, on: connection) { row, values in
            values += key.values
            values.append(.integer(row.slot.grain.rawValue))
            values.append(.integer(row.slot.period))
            values.append(SQLValue(row.slot.isAdjustment))
            values.append(.blob(row.digest))
            values += row.columns
            values.append(.integer(row.units))
        }
    }

    /// Deletes whole periods of a generation, at least one and about `limit` rows.
    /// - Returns: True if none is left.
    package static func erase(_ key: RollUpKey, atMost limit: Int, on connection: any Connection) throws -> Bool {
        let periods = try connection.query(
            """
            SELECT grain, period, COUNT(*) FROM sales_roll_up WHERE environment = $1 AND app = $2 AND generation = $3
            GROUP BY grain, period ORDER BY grain, period LIMIT $4
            """, key.values + [.integer(Int64(erasedPeriods))]
        ) { (grain: try $0.integer(0), period: try $0.integer(1), rows: try $0.integer(2)) }
        var deleted: Int64 = 0
        for found in periods {
            guard deleted < limit else { return false }
            try connection.send(
                """
                DELETE FROM sales_roll_up
                WHERE environment = $1 AND app = $2 AND generation = $3 AND grain = $4 AND period = $5
                """, key.values + [.integer(found.grain), .integer(found.period)])
            deleted += found.rows
        }
        return periods.count < erasedPeriods
    }

    /// The most periods that one call of ``erase(_:atMost:on:)`` deletes.
    private static let erasedPeriods = 8

    private struct PendingRow {
        var slot: Slot
        var units: Int64
        var digest: [UInt8]
        var columns: [SQLValue]

        func precedes(_ other: PendingRow) -> Bool {
            let (one, two) = (slot, other.slot)
            if one.grain != two.grain { return one.grain.rawValue < two.grain.rawValue }
            if one.period != two.period { return one.period < two.period }
            if one.isAdjustment != two.isAdjustment { return !one.isAdjustment }
            return digest.lexicographicallyPrecedes(other.digest)
        }
    }

    private static let upsert = BatchInsert(
        into: "sales_roll_up",
        [
            "environment", "app", "generation", "grain", "period", "is_adjustment", "digest", "product", "version",
            "type", "proceeds", "customer_price", "tax", "commission", "currency", "storefront", "promo_code",
            "subscription", "duration", "device", "proceeds_reason", "is_price_preserved", "units",
        ], rowsMax: 16,
        conflict: """
            ON CONFLICT (environment, app, generation, grain, period, is_adjustment, digest) \
            DO UPDATE SET units = sales_roll_up.units + excluded.units
            """)

    private static func columns(of key: SalesKey) -> [SQLValue] {
        [
            SQLValue(key.product?.rawValue), .text(key.version), .text(key.type.rawValue),
            .integer(key.proceeds.milliunits), .integer(key.customerPrice.milliunits), .integer(key.tax.milliunits),
            .integer(key.commission.milliunits), .text(key.customerPrice.currency.rawValue),
            .text(key.storefront.rawValue), .text(key.promoCode), SQLValue(key.subscription?.rawValue),
            SQLValue(key.period?.iso8601), SQLValue(key.device?.rawValue), SQLValue(key.proceedsReason?.rawValue),
            SQLValue(key.isPricePreserved),
        ]
    }

    /// Returns 128 bits of SHA-256 over the columns, for which no collisions are known.
    private static func digest(of columns: [SQLValue]) -> [UInt8] {
        var text = ""
        for column in columns {
            switch column {
            case .null: text += "-"
            case .integer(let number): text += String(number)
            // The length keeps texts apart, whatever is in them.
            case .text(let value): text += "\(value.utf8.count):\(value)"
            case .blob: continue
            }
            text += ","
        }
        return Array(SHA256.hash(data: Array(text.utf8)).prefix(16))
    }

    private static func row(_ row: any PerennialStorage.Row) throws -> Row {
        let currency = Currency(rawValue: try row.text(9))
        func money(_ column: Int) throws -> Money { Money(milliunits: try row.integer(column), currency) }
        let key = SalesKey(
            product: try row.optionalText(2).map(Product.ID.init(rawValue:)), version: try row.text(3),
            type: ProductTypeIdentifier(rawValue: try row.text(4)), proceeds: try money(5),
            customerPrice: try money(6), tax: try money(7), commission: try money(8),
            storefront: Storefront(rawValue: try row.text(10)), promoCode: try row.text(11),
            subscription: try row.optionalText(12).flatMap(SalesKey.SubscriptionSale.init(rawValue:)),
            period: try row.optionalText(13).flatMap { Period(iso8601: $0) },
            device: try row.optionalText(14).flatMap(DeviceFamily.init(rawValue:)),
            proceedsReason: try row.optionalText(15).flatMap(ProceedsReason.init(rawValue:)),
            isPricePreserved: try row.bool(16))
        return Row(
            period: try row.integer(0), total: SalesTotal(key, units: try row.integer(17)),
            isAdjustment: try row.bool(1))
    }
}
