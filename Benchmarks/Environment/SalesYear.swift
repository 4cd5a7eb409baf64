import Foundation
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore

/// A store with a year of sales in its journal, for reports: twelve products, thirty storefronts, four kinds of devices.
///
/// Half of the transactions are consumables, half the periods of monthly subscriptions. Products and storefronts have shares as
/// in Zipf's law. A row of a roll-up is a combination of product, storefront and device on a day, so a day of very many
/// transactions has each combination, and no more rows: sales beyond a few of each combination a day only raise the units.
struct SalesYear: Sendable {
    /// The way the sales of a day are spread over the combinations.
    enum Shape {
        /// The shares of products and storefronts.
        case shares
        /// Evenly: a day has every combination, as a day of ten times as many sales in the usual shares has.
        case saturated
    }

    static let environmentName = "reports"
    static let app = App(
        bundleID: App.BundleID(rawValue: "com.example.year"), appleID: 1_234_567_891, name: "Year",
        products: (0..<consumables).map { number in
            product("coins\(number)", .consumable, Int64(990 + 1000 * number))
        }
            + (0..<subscriptions).map { number in
                product("monthly\(number)", .autoRenewable, Int64(2990 + 1000 * number), group: "group\(number)")
            })

    let shop: BenchmarkStore
    let store: Store
    let path: String
    let transactions: Int
    let note: String

    /// The first instant of the year: midnight of 1 January 2026 in Pacific time.
    static let start = PacificDay(CivilDate(year: 2026, month: 1, day: 1)).start
    static let days: Int64 = 365
    static let firstDay = PacificDay(CivilDate(year: 2026, month: 1, day: 1))
    static let lastDay = PacificDay(CivilDate(year: 2026, month: 12, day: 31))

    private static let consumables = 8
    private static let subscriptions = 4
    private static let periods = 12
    /// Far below the numbers that the store gives.
    static let firstTransaction: Int64 = 100_000_001
    /// The number of the first account; 200,000 have the transactions in turn.
    static let account: Int64 = 1_000_000_001
    /// A prime that scatters numbers.
    private static let prime: Int64 = 2_654_435_761
    private static let storefronts = [
        "USA", "DEU", "JPN", "GBR", "FRA", "CAN", "AUS", "KOR", "ITA", "ESP", "NLD", "CHE", "SWE", "NOR", "DNK", "POL",
        "CZE", "AUT", "BEL", "FIN", "PRT", "IRL", "MEX", "BRA", "IND", "SGP", "HKG", "NZL", "ZAF", "ISR",
    ]
    private static let devices = DeviceFamily.allCases.prefix(4)
    /// Numbers drawn for a storefront or product; each has a share of them.
    private static let draws = 840

    /// - Parameter days: The days from the first one over which the transactions are spread.
    static func make(
        _ transactions: Int, _ shape: Shape, days: Int64 = Self.days, _ bench: Bench
    ) async throws -> SalesYear {
        let path = bench.folder.path("year-\(shape)-\(transactions)-\(days).sqlite")
        var seconds: (journal: Double, rollUps: Double) = (0, 0)
        do {
            let shop = try await BenchmarkStore(path, identities: bench.identities)
            defer { shop.database.close() }
            try await Apps(
                database: shop.database, wallClock: { Instant(Date()) }, randomBytes: BenchmarkStore.randomBytes
            )
            .register(app, sharedSecret: BenchmarkCatalog.sharedSecret)
            let environment = try await shop.registry.makeEnvironment(
                environmentName, kind: .production, clock: .manual, now: lastDay.end + .days(2))
            seconds.journal = try await Stopwatch.seconds {
                try await shop.database.write(timeout: .long) { connection in
                    try fill(transactions, shape, days, environment.id.rawValue, on: connection)
                }
            }
        }
        // What was written in one go is in its place in the file only when the file is closed.
        let shop = try await BenchmarkStore(path, identities: bench.identities)
        guard let store = try await shop.registry.store(named: environmentName) else {
            throw BenchmarkError("no environment")
        }
        seconds.rollUps = try await Stopwatch.seconds { _ = try await store.rollUps.bringUpToDate(app) }
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        return SalesYear(
            shop: shop, store: store, path: path, transactions: transactions,
            note: "\(transactions) transactions (\(shape)), \(size >> 20) MiB, made in \(Int(seconds.journal)) s, "
                + "rolled up in \(Int(seconds.rollUps)) s")
    }

    func close() {
        shop.database.close()
    }

    /// Returns the cursor of the list of transactions, the newest first, after so many of them.
    func cursor(after count: Int) -> String {
        let number = Int64(transactions - count)
        let at = Self.start.milliseconds + number * Self.days * 86_400_000 / Int64(transactions)
        return "\(at)-\(Self.firstTransaction + number)"
    }

    private static func product(_ id: String, _ type: ProductType, _ price: Int64, group: String = "") -> Product {
        Product(
            id: Product.ID(rawValue: id), type: type, referenceName: id, basePrice: Money(milliunits: price, .usd),
            subscription: type == .autoRenewable
                ? Product.Subscription(groupID: group, level: 1, period: .month) : nil)
    }

    /// Makes transactions, journal and postings from their numbers `i` by one statement for each table.
    ///
    /// An even `i` is a period of a subscription: the first `count / 2 / 12` begin one, the next renew them, and so on.
    private static func fill(
        _ count: Int, _ shape: Shape, _ days: Int64, _ environment: Int64, on connection: any Connection
    ) throws {
        let subscribers = max(count / 2 / periods, 1)
        try makeChoices(shape, on: connection)
        let (whole, begin) = (Int64(count), start.milliseconds)
        let at = "(\(begin) + n.i * \(days * 86_400_000) / \(whole))"
        // What decides product, storefront and device: the subscription, or the sale.
        let subject = "(CASE n.i % 2 WHEN 0 THEN n.i / 2 % \(subscribers) ELSE n.i END)"
        let isFirst = "(n.i / 2 < \(subscribers))"
        let original = "(\(firstTransaction) + CASE n.i % 2 WHEN 0 THEN n.i / 2 % \(subscribers) * 2 ELSE n.i END)"
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT \(count))"
        let hash = "(\(subject) * \(prime) % 4294967296)"
        let choices = """
            JOIN bench_products AS p ON p.kind = n.i % 2 AND p.draw = \(hash) / 7 % \(draws)
            JOIN bench_storefronts AS s ON s.draw = \(hash) / 5881 % \(draws)
            """
        let app = app.appleID
        try connection.execute(
            SQL(
                """
                INSERT INTO transactions (environment, app, id, original_id, account, product, type, quantity, purchased,
                originally_purchased, expires, web_order_line_item, subscription_group, price, currency, storefront,
                ownership, reason, is_upgraded, is_finished, journal_position)
                \(numbers)
                SELECT \(environment), \(app), \(firstTransaction) + n.i, \(original), \(account) + n.i % 200000, p.product,
                CASE n.i % 2 WHEN 0 THEN 'autoRenewable' ELSE 'consumable' END, 1, \(at), \(at),
                CASE n.i % 2 WHEN 0 THEN \(at) + \(Int64.days(31)) END,
                CASE n.i % 2 WHEN 0 THEN \(firstTransaction) + n.i END, CASE n.i % 2 WHEN 0 THEN p.bundle END,
                p.price, s.currency, s.storefront, 'PURCHASED',
                CASE WHEN n.i % 2 = 1 OR \(isFirst) THEN 'PURCHASE' ELSE 'RENEWAL' END, 0, 1, 1 + n.i
                FROM n \(choices)
                """))
        try connection.execute(
            SQL(
                """
                INSERT INTO journal (environment, app, position, kind, at, account, transaction_id, original_id, product,
                device)
                \(numbers)
                SELECT \(environment), \(app), 1 + n.i,
                CASE WHEN n.i % 2 = 1 THEN 'purchased' WHEN \(isFirst) THEN 'subscribed' ELSE 'renewed' END, \(at),
                \(account) + n.i % 200000, \(firstTransaction) + n.i, \(original), p.product,
                CASE WHEN n.i % 2 = 1 OR \(isFirst) THEN d.device END
                FROM n \(choices) JOIN bench_devices AS d ON d.draw = \(hash) / 1201 % \(devices.count)
                """))
        let lines =
            "WITH RECURSIVE m(j) AS (SELECT 0 UNION ALL SELECT j + 1 FROM m LIMIT \(3 * count)), "
            + "n(i, line) AS (SELECT j / 3, j % 3 FROM m)"
        try connection.execute(
            SQL(
                """
                INSERT INTO postings (environment, app, position, line, account, amount, currency)
                \(lines)
                SELECT \(environment), \(app), 1 + n.i, n.line,
                CASE n.line WHEN 0 THEN 'customer' WHEN 1 THEN 'proceeds' ELSE 'commission' END,
                CASE n.line WHEN 0 THEN -p.price WHEN 1 THEN p.price - p.price * 3 / 10 / 10 * 10
                ELSE p.price * 3 / 10 / 10 * 10 END, s.currency FROM n \(choices)
                """))
        try connection.execute(
            "INSERT INTO journal_heads (environment, app, position) VALUES ($1, $2, $3)",
            [.integer(environment), .integer(app), .integer(whole)])
    }

    /// Makes tables of the numbers that are drawn for each product, storefront and device.
    private static func makeChoices(_ shape: Shape, on connection: any Connection) throws {
        try connection.execute(
            """
            CREATE TABLE bench_products (kind BIGINT, draw BIGINT, product TEXT, price BIGINT, bundle TEXT,
            PRIMARY KEY (kind, draw)) /*WITHOUT ROWID*/
            """)
        try connection.execute(
            """
            CREATE TABLE bench_storefronts (draw BIGINT PRIMARY KEY, storefront TEXT, currency TEXT) /*WITHOUT ROWID*/
            """)
        try connection.execute("CREATE TABLE bench_devices (draw BIGINT PRIMARY KEY, device TEXT) /*WITHOUT ROWID*/")
        for (kind, products) in [
            (1, app.products.filter { $0.type == .consumable }), (0, app.products.filter { $0.type != .consumable }),
        ] {
            for (draw, index) in spread(products.count, shape).enumerated() {
                let product = products[index]
                try connection.execute(
                    "INSERT INTO bench_products (kind, draw, product, price, bundle) VALUES ($1, $2, $3, $4, $5)",
                    [
                        .integer(Int64(kind)), .integer(Int64(draw)), .text(product.id.rawValue),
                        .integer(product.basePrice.milliunits), SQLValue(product.subscription?.groupID),
                    ])
            }
        }
        for (draw, index) in spread(storefronts.count, shape).enumerated() {
            let storefront = Storefront(rawValue: storefronts[index])
            try connection.execute(
                "INSERT INTO bench_storefronts (draw, storefront, currency) VALUES ($1, $2, $3)",
                [
                    .integer(Int64(draw)), .text(storefront.rawValue),
                    .text((storefront.currency ?? .usd).rawValue),
                ])
        }
        for (draw, device) in devices.enumerated() {
            try connection.execute(
                "INSERT INTO bench_devices (draw, device) VALUES ($1, $2)",
                [.integer(Int64(draw)), .text(device.rawValue)])
        }
    }

    /// Returns the choice of each number drawn: in shares of 1, 1/2, 1/3 …, or evenly.
    private static func spread(_ count: Int, _ shape: Shape) -> [Int] {
        switch shape {
        case .saturated: return (0..<draws).map { $0 % count }
        case .shares:
            let total = (1...count).reduce(0.0) { $0 + 1 / Double($1) }
            var (choices, sum): ([Int], Double) = ([], 0)
            for index in 0..<count {
                sum += 1 / Double(index + 1) / total
                while choices.count < draws, Double(choices.count) < sum * Double(draws) { choices.append(index) }
            }
            while choices.count < draws { choices.append(count - 1) }
            return choices
        }
    }
}
