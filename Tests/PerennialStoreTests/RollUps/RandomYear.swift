import Perennial
import PerennialStorage
import TestRandomness
import TestSupport

@testable import PerennialStore

/// Random commerce over months, in an environment whose periods have their real length.
struct RandomYear {
    let shop: TestStore
    private var generator: SeededGenerator
    private var sold: [TransactionID] = []

    private static let products = [
        "film.roll", "filter.amber", "pass.1week", "pass.summer", "newsletter", "monthly", "yearly", "family.monthly",
    ]
    private static let customers = ["ann": "USA", "ben": "JPN", "cid": "USA", "dea": "JPN"]

    init(seed: UInt64, in shop: TestStore) async throws {
        self.shop = shop
        generator = SeededGenerator(seed: seed)
        for (name, storefront) in Self.customers.sorted(by: { $0.key < $1.key }) {
            try await shop.account(name, storefront: storefront)
        }
    }

    /// Creates a store in Production, which has no shortened periods.
    static func shop(on engine: Engine = .sqliteInMemory, fault: TestFault? = nil) async throws -> TestStore {
        var faults: (@Sendable (FaultPoint) throws -> Void)?
        if let fault { faults = { try fault.reach($0) } }
        return try await TestStore.make(on: engine, "Production", faults: faults)
    }

    /// Lives a number of steps: purchases, refunds and their reversals, and days between them.
    mutating func live(_ steps: Int) async throws {
        for _ in 0..<steps {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0...4: try await buy()
            case 5: try await refund()
            case 6: try await reverse()
            default: try await shop.advance(by: .hours(Int64.random(in: 1...400, using: &generator)))
            }
        }
    }

    private mutating func buy() async throws {
        let product = Self.products.randomElement(using: &generator) ?? "film.roll"
        let quantity = product == "film.roll" ? Int.random(in: 1...10, using: &generator) : 1
        let customer = Self.customers.keys.sorted().randomElement(using: &generator) ?? "ann"
        do {
            sold.append(try await shop.buy(product, quantity: quantity, as: customer).id)
        } catch is PurchaseRefusal {
            // What the customer has already, or what isn't sold in the storefront.
        }
    }

    private mutating func refund() async throws {
        guard let id = sold.randomElement(using: &generator) else { return }
        let share: Refund.Share =
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: .full
            case 1: .prorated
            default: .percentage(milliunits: Int64.random(in: 1...100_000, using: &generator))
            }
        do {
            _ = try await shop.store.refunds.refund(id, Refund(share), of: .newest)
        } catch is RefundError {
            // Refunded before, or nothing is unused.
        }
    }

    private mutating func reverse() async throws {
        guard let id = sold.randomElement(using: &generator) else { return }
        do {
            _ = try await shop.store.refunds.reverse(id)
        } catch is RefundError {
            // It wasn't refunded.
        } catch is SubscriptionError {
            // A newer purchase is in force.
        }
    }
}

/// All rows of the roll-up of sales, by grain and period.
struct SalesRows: Equatable, CustomStringConvertible {
    struct Place: Hashable {
        var grain: SalesRollUpTable.Grain
        var period: Int64
        var isAdjustment: Bool
        var key: SalesKey
    }

    private(set) var units: [Place: Int64] = [:]

    /// Reads a generation.
    init(_ key: RollUpKey, in database: Database) async throws {
        units = try await database.read { connection in
            var units: [Place: Int64] = [:]
            for grain in SalesRollUpTable.Grain.allCases {
                for row in try SalesRollUpTable.rows(grain, -1_000_000...1_000_000, key, on: connection) {
                    let place = Place(
                        grain: grain, period: row.period, isAdjustment: row.isAdjustment, key: row.total.key)
                    units[place, default: 0] += row.total.units
                }
            }
            return units
        }
    }

    /// Computes the rows from each entry by itself.
    init(recomputing shop: TestStore, app: App = TestCatalog.magazine()) async throws {
        let environment = shop.store.environment.id
        for (_, entry) in try await shop.journal(app: app.appleID) {
            let (transaction, sale) = try await shop.database.read { connection in
                let transaction = try entry.transactionID.flatMap {
                    try TransactionsTable.transaction($0, app: app.appleID, environment, on: connection)
                }
                guard entry.kind.refersToSale, let transaction,
                    let sold = try TransactionsTable.journalPosition(
                        of: transaction.id, app: app.appleID, environment, on: connection)
                else { return (transaction, JournalEntry?.none) }
                let entries = try JournalTable.entries(
                    after: sold - 1, limit: 1, app: app.appleID, environment, on: connection)
                return (transaction, entries.first?.entry)
            }
            let day = PacificDay(entry.at)
            let periods: [(SalesRollUpTable.Grain, Int64)] = [
                (.day, day.number), (.month, Int64(day.date.year * 12 + day.date.month - 1)),
                (.fiscalMonth, FiscalMonth(containing: day).number),
            ]
            for total in SalesTotal.totals(of: entry, transaction, refunding: sale?.facts, in: app) {
                for (grain, period) in periods {
                    let place = Place(grain: grain, period: period, isAdjustment: false, key: total.key)
                    units[place, default: 0] += total.units
                }
            }
        }
    }

    /// Returns the sums of a grain by account and currency, in the terms of postings.
    func money(_ grain: SalesRollUpTable.Grain) -> [String: Int64] {
        var sums: [String: Int64] = [:]
        for (place, units) in units where place.grain == grain {
            let key = place.key
            let currency = key.customerPrice.currency
            sums["customer \(currency)", default: 0] -= units * abs(key.customerPrice.milliunits)
            sums["proceeds \(currency)", default: 0] += units * key.proceeds.milliunits
            sums["commission \(currency)", default: 0] += units * key.commission.milliunits
            sums["tax \(currency)", default: 0] += units * key.tax.milliunits
        }
        return sums.filter { $0.value != 0 }
    }

    var isEmpty: Bool { units.isEmpty }

    var description: String { "\(units.count) rows, \(units.values.reduce(0, +)) units" }
}
