import Perennial

/// The totals of statistics by day and by calendar month, for each value of each dimension.
package enum StatisticTotalsTable {
    package enum Grain: Int64, Sendable, CaseIterable {
        /// Periods are `PacificDay.number`.
        case day = 0
        /// Periods are `year * 12 + month - 1`.
        case month = 1

        /// Returns the number of the period that contains a day.
        package func period(of day: PacificDay) -> Int64 {
            switch self {
            case .day: day.number
            case .month: Int64(day.date.year) * 12 + Int64(day.date.month - 1)
            }
        }
    }

    /// A total of a period.
    package struct Row: Hashable, Sendable {
        package var period: Int64
        /// The value of the dimension; empty for all, and for an unknown one.
        package var value: String
        package var cell: StatisticCell
        package var total: Int64
    }

    /// Returns the totals of a measure in a span of periods.
    package static func rows(
        of measure: StatisticMeasure, by dimension: StatisticDimension, _ grain: Grain, _ periods: ClosedRange<Int64>,
        _ key: RollUpKey, on connection: any Connection
    ) throws -> [Row] {
        try connection.query(
            """
            SELECT period, value, bucket, currency, total FROM statistic_totals
            WHERE environment = $1 AND app = $2 AND generation = $3 AND measure = $4 AND dimension = $5 AND grain = $6
            AND period >= $7 AND period <= $8 ORDER BY period, value, bucket, currency
            """,
            key.values + [
                .integer(measure.rawValue), .integer(dimension.rawValue), .integer(grain.rawValue),
                .integer(periods.lowerBound), .integer(periods.upperBound),
            ]
        ) { row in
            let currency = try row.text(3)
            return Row(
                period: try row.integer(0), value: try row.text(1),
                cell: StatisticCell(
                    measure, bucket: try row.integer(2),
                    currency: currency.isEmpty ? nil : Currency(rawValue: currency)), total: try row.integer(4))
        }
    }

    /// The sum of a value's totals in a span of periods.
    package struct Sum: Hashable, Sendable {
        package var value: String
        /// `nil` for counts.
        package var currency: Currency?
        package var total: Int64
    }

    /// Adds up the totals of a measure in a span of periods, for each value of a dimension and each currency.
    package static func sums(
        of measure: StatisticMeasure, by dimension: StatisticDimension, _ grain: Grain, _ periods: ClosedRange<Int64>,
        _ key: RollUpKey, on connection: any Connection
    ) throws -> [Sum] {
        try connection.query(
            """
            SELECT value, currency, CAST(SUM(total) AS BIGINT) FROM statistic_totals
            WHERE environment = $1 AND app = $2 AND generation = $3 AND measure = $4 AND dimension = $5 AND grain = $6
            AND period >= $7 AND period <= $8 GROUP BY value, currency
            """,
            key.values + [
                .integer(measure.rawValue), .integer(dimension.rawValue), .integer(grain.rawValue),
                .integer(periods.lowerBound), .integer(periods.upperBound),
            ]
        ) { row in
            let currency = try row.text(1)
            return Sum(
                value: try row.text(0), currency: currency.isEmpty ? nil : Currency(rawValue: currency),
                total: try row.integer(2))
        }
    }

    /// Adds amounts.
    package static func add(
        _ amounts: [StatisticKey: Int64], _ key: RollUpKey, on connection: any Connection
    ) throws {
        var totals: [PendingRow: Int64] = [:]
        for (amount, change) in amounts {
            for grain in Grain.allCases {
                let row = PendingRow(
                    measure: amount.cell.measure.rawValue, dimension: amount.dimension.rawValue, grain: grain.rawValue,
                    period: grain.period(of: amount.day), value: amount.value, bucket: amount.cell.bucket,
                    currency: amount.cell.currency?.rawValue ?? "")
                totals[row, default: 0] += change
            }
        }
        let rows = totals.filter { $0.value != 0 }.sorted { $0.key.precedes($1.key) }
        try upsert.run(rows, on: connection) { row, values in
            values += key.values
            for number in [row.key.measure, row.key.dimension, row.key.grain, row.key.period] {
                values.append(.integer(number))
            }
            values.append(.text(row.key.value))
            values.append(.integer(row.key.bucket))
            values.append(.text(row.key.currency))
            values.append(.integer(row.value))
        }
    }

    package static func erase(
        _ key: RollUpKey, atMost limit: Int, on connection: any Connection
    ) throws -> Bool {
        try RollUpRows.erase(
            "statistic_totals", "measure, dimension, grain, period, value, bucket, currency", key, atMost: limit,
            on: connection)
    }

    private struct PendingRow: Hashable {
        var measure: Int64
        var dimension: Int64
        var grain: Int64
        var period: Int64
        var value: String
        var bucket: Int64
        var currency: String

        /// Orders rows by the table's key.
        func precedes(_ other: PendingRow) -> Bool {
            let (one, two) = (
                (measure, dimension, grain, period), (other.measure, other.dimension, other.grain, other.period)
            )
            if one != two { return one < two }
            return (value, bucket, currency) < (other.value, other.bucket, other.currency)
        }
    }

    private static let upsert = BatchInsert(
        into: "statistic_totals",
        [
            "environment", "app", "generation", "measure", "dimension", "grain", "period", "value", "bucket",
            "currency",
            "total",
        ],
        conflict: """
            ON CONFLICT (environment, app, generation, measure, dimension, grain, period, value, bucket, currency) \
            DO UPDATE SET total = statistic_totals.total + excluded.total
            """)
}

/// The customers of an app whom statistics have seen.
package enum StatisticCustomersTable {
    /// Accounts in one query, whose text is always the same.
    private static let accountsPerQuery = 64

    private static let select = SQL(
        """
        SELECT account, document FROM statistic_customers
        WHERE environment = $1 AND app = $2 AND generation = $3
        AND account IN (\((0..<accountsPerQuery).map { "$\($0 + 4)" }.joined(separator: ", ")))
        """)
    private static let upsert = BatchInsert(
        into: "statistic_customers", ["environment", "app", "generation", "account", "document"],
        conflict: "ON CONFLICT (environment, app, generation, account) DO UPDATE SET document = excluded.document")

    /// Returns the customers of accounts. Customers that weren't seen yet are missing.
    package static func customers(
        of accounts: Set<Account.ID>, _ key: RollUpKey, on connection: any Connection
    ) throws -> [Account.ID: StatisticCustomer] {
        var customers: [Account.ID: StatisticCustomer] = [:]
        for page in RollUpRows.pages(of: accounts.map(\.rawValue).sorted(), length: accountsPerQuery) {
            try connection.forEachRow(select, key.values + page.map { .integer($0) }) { row in
                customers[Account.ID(rawValue: try row.integer(0))] = try customer(row)
            }
        }
        return customers
    }

    package static func put(
        _ customers: [Account.ID: StatisticCustomer], _ key: RollUpKey, on connection: any Connection
    ) throws {
        let rows = customers.map { (account: $0.key.rawValue, document: $0.value.document) }
        try upsert.run(rows.sorted { $0.account < $1.account }, on: connection) { row, values in
            values += key.values + [.integer(row.account), .text(row.document)]
        }
    }

    package static func erase(
        _ key: RollUpKey, atMost limit: Int, on connection: any Connection
    ) throws -> Bool {
        try RollUpRows.erase("statistic_customers", "account", key, atMost: limit, on: connection)
    }

    private static func customer(_ row: any Row) throws -> StatisticCustomer {
        do {
            return try StatisticCustomer(document: try row.text(1))
        } catch let error as RecordDecodingError {
            throw StorageError(.corrupt, "statistic_customers", "a document can't be read: \(error)")
        }
    }
}
