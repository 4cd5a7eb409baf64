import Perennial
import PerennialStorage
import PerennialStore

/// Checks that the roll-ups of sales equal a computation from each journal entry by itself.
struct RollUpAudit {
    /// Entries that one query reads.
    private static let pageLength = 1000
    /// Numbers of periods that no simulation reaches.
    private static let allPeriods = Int64(-1_000_000)...1_000_000

    let store: Store
    let database: Database

    private struct Place: Hashable {
        var grain: SalesRollUpTable.Grain
        var period: Int64
        var isAdjustment: Bool
        var key: SalesKey
    }

    /// - Returns: The sales of fiscal months, computed from each journal entry by itself.
    /// - Throws: ``Violation``.
    func check() async throws -> FinanceAudit.Sales {
        let app = try await store.app(SimulatedCatalog.bundleID)
        let key = try await store.rollUps.bringUpToDate(app)
        let kept = try await database.read { try Self.rows(key, on: $0) }
        let computed = try await computed(app)
        guard kept != computed else { return Self.sales(computed) }
        let places = Set(kept.keys).union(computed.keys).filter { kept[$0] != computed[$0] }
        let wrong = places.min { ($0.grain.rawValue, $0.period) < ($1.grain.rawValue, $1.period) }
        guard let wrong else { return [:] }
        throw Violation(
            .wrongRollUp,
            "\(places.count) rows differ, such as \(wrong.key.product?.rawValue ?? "the app") in \(wrong.grain) "
                + "\(wrong.period): \(kept[wrong] ?? 0) units, the journal says \(computed[wrong] ?? 0)")
    }

    private static func sales(_ units: [Place: Int64]) -> FinanceAudit.Sales {
        var sales: FinanceAudit.Sales = [:]
        for (place, units) in units where place.grain == .fiscalMonth && place.key.isPaid {
            sales[FiscalMonth(number: place.period), default: [:]][place.key.region, default: RegionSales()].add(
                SalesTotal(place.key, units: units), isAdjustment: place.isAdjustment)
        }
        return sales
    }

    private static func rows(_ key: RollUpKey, on connection: any Connection) throws -> [Place: Int64] {
        var units: [Place: Int64] = [:]
        for grain in SalesRollUpTable.Grain.allCases {
            for row in try SalesRollUpTable.rows(grain, allPeriods, key, on: connection) {
                let place = Place(
                    grain: grain, period: row.period, isAdjustment: row.isAdjustment, key: row.total.key)
                units[place, default: 0] += row.total.units
            }
        }
        return units
    }

    private func computed(_ app: App) async throws -> [Place: Int64] {
        let environment = store.environment.id
        var units: [Place: Int64] = [:]
        var last: Int64 = 0
        while true {
            let position = last
            let page = try await database.read { connection in
                let months = try ClosedMonthsTable.assignment(app: app.appleID, environment, on: connection)
                let entries = try JournalTable.entries(
                    after: position, limit: Self.pageLength, app: app.appleID, environment, on: connection)
                return try entries.map { position, entry in
                    (
                        position: position,
                        places: try Self.places(of: entry, position, app, months, environment, connection)
                    )
                }
            }
            for entry in page {
                for (place, count) in entry.places { units[place, default: 0] += count }
            }
            guard let end = page.last?.position, page.count == Self.pageLength else { return units }
            last = end
        }
    }

    private static func places(
        of entry: JournalEntry, _ position: Int64, _ app: App, _ months: FiscalAssignment,
        _ environment: StoreEnvironment.ID, _ connection: any Connection
    ) throws -> [(Place, Int64)] {
        let transaction = try entry.transactionID.flatMap {
            try TransactionsTable.transaction($0, app: app.appleID, environment, on: connection)
        }
        var sale: JournalEntry?
        if entry.kind.refersToSale, let transaction {
            let sold = try TransactionsTable.journalPosition(
                of: transaction.id, app: app.appleID, environment, on: connection)
            sale = try sold.flatMap {
                try JournalTable.entries(
                    after: $0 - 1, limit: 1, app: app.appleID, environment, on: connection
                ).first?.entry
            }
        }
        let day = PacificDay(entry.at)
        let fiscal = months.month(of: day, at: position)
        let calendarMonth = Int64(day.date.year * 12 + day.date.month - 1)
        return SalesTotal.totals(of: entry, transaction, refunding: sale?.facts, in: app).flatMap { total in
            [
                (Place(grain: .day, period: day.number, isAdjustment: false, key: total.key), total.units),
                (Place(grain: .month, period: calendarMonth, isAdjustment: false, key: total.key), total.units),
                (
                    Place(
                        grain: .fiscalMonth, period: fiscal.month.number, isAdjustment: fiscal.isAdjustment,
                        key: total.key), total.units
                ),
            ]
        }
    }
}
