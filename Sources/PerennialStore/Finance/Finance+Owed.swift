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

    package var now: Instant
    /// The month closed last.
    package var closed: FiscalMonth?
    /// In the order of their keys.
    package var open: [Open]
    /// The balance below the threshold that the last closing carried forward.
    package var balance: Money?
    /// The payouts of closed months that are still to come.
    package var scheduled: [Scheduled]
}

extension Finance {
    /// Returns the money that is owed now: sales of open months, the balance carried forward, and payouts that are due
    /// later.
    package func owed() async throws -> OwedStatement {
        let keys = try await bringUpToDate().map(\.key)
        return try await database.read { [self] connection in
            let now = try clock.now(on: connection)
            let closings = try ClosedMonthsTable.all(environment.id, on: connection)
            let last = closings.last?.closing
            var sales: [RegionSales.Key: RegionSales] = [:]
            for key in keys {
                let first = last?.month.next.number ?? 0
                for row in try SalesRollUpTable.rows(.fiscalMonth, first...Int64.max, key, on: connection)
                where row.total.key.isPaid {
                    sales[row.total.key.region, default: RegionSales()].add(row.total, isAdjustment: row.isAdjustment)
                }
            }
            for adjustment in try FinanceAdjustmentsTable.open(environment.id, on: connection) {
                sales[adjustment.key, default: RegionSales()].manual += adjustment.amount.milliunits
            }
            return OwedStatement(
                now: now, closed: last?.month,
                open: sales.sorted { $0.key < $1.key }.map { OwedStatement.Open(key: $0.key, sales: $0.value) },
                balance: last?.balance,
                scheduled: closings.compactMap { record in
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
            let position = try JournalTable.append(
                [JournalEntry.adjustment(amount, at: now)], app: FinanceEvent.journal, environment.id, on: connection)
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
