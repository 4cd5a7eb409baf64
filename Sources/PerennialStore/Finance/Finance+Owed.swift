import Perennial
import PerennialStorage

/// The money that the store owes the seller, by the environment's clock.
package struct OwedStatement: Sendable {
    /// The amounts of a region and currency that no closing includes.
    package struct Open: Hashable, Sendable {
        package var key: RegionSales.Key
        package var sales: RegionSales

        /// Proceeds and adjustments, before taxes.
        package var amount: Money {
            Money(
                milliunits: sales.earned.clampedAdding(sales.late).clampedAdding(sales.manual), key.currency)
        }
    }

    /// A payout whose day hasn't come.
    package struct Scheduled: Hashable, Sendable {
        package var month: FiscalMonth
        package var payout: MonthClosing.Payout
    }

    /// The proceeds of a fiscal month that isn't closed.
    package struct Month: Hashable, Sendable {
        package var month: FiscalMonth
        /// Paid units less refunded ones.
        package var units: Int64
        /// The proceeds by currency, in the order of their codes, with late entries of earlier months.
        package var proceeds: [Money]
    }

    package var now: Instant
    /// The month closed last.
    package var closed: FiscalMonth?
    /// The open months in the order of their keys.
    package var open: [Open]
    /// The open months that have sales, oldest first.
    package var months: [Month]
    /// The balance below the threshold that the last closing carried forward.
    package var balance: Money?
    /// The payouts of closed months that are still to come.
    package var scheduled: [Scheduled]
}

extension Finance {
    private static let monthsOfPayouts = 12

    /// Returns the money that is owed now: sales of open months, the balance carried forward, and payouts that are due
    /// later.
    package func owed() async throws -> OwedStatement {
        let keys = try await bringUpToDate().map(\.key)
        return try await database.read { [self] connection in
            let now = try clock.now(on: connection)
            // A payout is 33 days after its month's end, so those that are still to come are of the newest months.
            let closings = try ClosedMonthsTable.newest(Self.monthsOfPayouts, environment.id, on: connection)
            let last = closings.first?.closing
            let first = last?.month.next.number ?? 0
            let sums = try keys.flatMap { try SalesRollUpTable.fiscalSums(first...Int64.max, $0, on: connection) }
            var sales: [RegionSales.Key: RegionSales] = [:]
            for sum in sums { sales[sum.region, default: RegionSales()].add(sum) }
            for adjustment in try FinanceAdjustmentsTable.open(environment.id, on: connection) {
                sales[adjustment.key, default: RegionSales()].manual += adjustment.amount.milliunits
            }
            return OwedStatement(
                now: now, closed: last?.month,
                open: sales.sorted { $0.key < $1.key }.map { OwedStatement.Open(key: $0.key, sales: $0.value) },
                months: OwedStatement.Month.months(of: sums),
                balance: last?.balance,
                scheduled: closings.reversed().compactMap { record in
                    record.closing.payout.map { OwedStatement.Scheduled(month: record.closing.month, payout: $0) }
                }.filter { $0.payout.day > PacificDay(now) })
        }
    }

    /// Adjusts what is owed in a region; the next closing includes it.
    ///
    /// - Parameter idempotencyKey: The same key again returns the adjustment that is there.
    /// - Throws: ``FinanceError`` `.malformed`, `.idempotencyKeyReused`.
    @discardableResult
    package func adjust(
        _ region: FinancialRegion, by amount: Money, note: String, idempotencyKey: String? = nil
    ) async throws -> FinanceAdjustmentsTable.Record {
        guard region.info != nil else {
            throw FinanceError(.malformed, "region", "there is no region \(region)")
        }
        try Self.check(amount.currency, "currency")
        try Self.check(note, "note")
        if let idempotencyKey { try Self.check(idempotencyKey, "idempotencyKey") }
        guard amount.milliunits != 0, amount.milliunits.magnitude <= Self.maximumAdjustment.magnitude else {
            throw FinanceError(.malformed, "amount", "an amount isn't 0, and at most a billion")
        }
        return try await database.write { [self] connection in
            try EnvironmentsTable.lock(environment.id, on: connection)
            if let idempotencyKey,
                let known = try FinanceAdjustmentsTable.adjustment(
                    idempotencyKey: "=\(idempotencyKey)", environment.id, on: connection)
            {
                guard known.region == region, known.amount == amount, known.note == note else {
                    throw FinanceError(
                        .idempotencyKeyReused, "idempotencyKey", "the key was used for another adjustment")
                }
                return known
            }
            let now = try clock.now(on: connection)
            let appended = try JournalTable.append(
                [JournalEntry.adjustment(amount, at: now)], app: FinanceEvent.journal, environment.id, on: connection)
            let position = try JournalTable.number(of: appended, on: connection)
            let record = FinanceAdjustmentsTable.Record(
                position: position, region: region, amount: amount, note: note, at: now)
            // The keys of callers begin with a sign, so that no position is one.
            try FinanceAdjustmentsTable.insert(
                record, idempotencyKey: idempotencyKey.map { "=\($0)" } ?? "\(position)", environment.id,
                on: connection)
            return record
        }
    }
}

extension SalesRollUpTable.FiscalSum {
    /// The line of the monthly closing to which the sum belongs.
    var region: RegionSales.Key {
        RegionSales.Key(region: FinancialRegion(storefront), currency: currency)
    }
}

extension RegionSales {
    mutating func add(_ sum: SalesRollUpTable.FiscalSum) {
        units = units.clampedAdding(sum.units)
        commission = commission.clampedAdding(sum.commission)
        if sum.isAdjustment {
            late = late.clampedAdding(sum.proceeds)
        } else {
            earned = earned.clampedAdding(sum.proceeds)
        }
    }
}

extension OwedStatement.Month {
    fileprivate static func months(of sums: [SalesRollUpTable.FiscalSum]) -> [OwedStatement.Month] {
        Dictionary(grouping: sums, by: \.month).sorted { $0.key < $1.key }.map { month, sums in
            var proceeds: [Currency: Int64] = [:]
            for sum in sums { proceeds[sum.currency] = (proceeds[sum.currency] ?? 0).clampedAdding(sum.proceeds) }
            return OwedStatement.Month(
                month: month, units: sums.reduce(0) { $0.clampedAdding($1.units) },
                proceeds: ExplanationBuilder.list(proceeds))
        }
    }
}
