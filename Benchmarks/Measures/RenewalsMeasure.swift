import AppStoreFormats
import Dispatch
import Foundation
import NIOCore
import Perennial
import PerennialHTTP
import PerennialStorage
import PerennialStore

/// The renewal engine, beside SQLite's C interface inserting the very rows it made; and a year in one request.
enum RenewalsMeasure: Measure {
    static let name = "renewals"
    private static let subscriptions = 30_000
    private static let batch = 100
    private static let years = 40
    private static let yearSeconds = 0.050

    static func measure(_ bench: Bench) async throws -> [Figure] {
        [try await engine(.bought, bench), try await engine(.scattered, bench), try await year(bench)]
    }

    private static func engine(_ order: PopulatedSubscriptions.Order, _ bench: Bench) async throws -> Figure {
        var (ours, limit): ([Double], [Double]) = ([], [])
        for round in 0..<bench.rounds {
            let count = bench.count(subscriptions) + round
            let populated = try await PopulatedSubscriptions.make(count, order, bench)
            let seconds = try await Stopwatch.seconds {
                let made = try await populated.advance(toPartOfMonth: 1)
                guard made == count else { throw BenchmarkError("\(made) renewals of \(count)") }
            }
            ours.append(Double(count) / seconds)
            populated.close()
            let copy = bench.folder.path("renewal-rows-\(order)-\(round).sqlite")
            let empty = try Database(.sqlite(path: copy), logger: BenchmarkStore.quiet)
            try empty.migrate()
            empty.close()
            let rows = try PurchaseRows(from: populated.path, after: count, haveRequests: false)
            let raw = try RawInserter(copy)
            limit.append(Double(count) / (try Stopwatch.seconds { try raw.insert(rows, batch: batch) }))
        }
        let notes = [
            "batches of \(batch); the limit inserts the rows that renewals insert, but does not rewrite the "
                + "subscription and its customer, as renewals do"
        ]
        switch order {
        case .bought:
            return Figure(
                "durable renewals by the engine", "1/s", ours: ours.median, limit: limit.median, .atLeast(0.5),
                notes: notes)
        case .scattered:
            return Figure(
                "the same, due in no order of purchase", "1/s", ours: ours.median, limit: limit.median, nil)
        }
    }

    /// One subscription in an environment of its own, moved on year by year through HTTP.
    private static func year(_ bench: Bench) async throws -> Figure {
        let shop = try await BenchmarkStore(bench.folder.path("year.sqlite"), identities: bench.identities)
        defer { shop.database.close() }
        let environment = try await shop.registry.makeEnvironment(
            "year", kind: .production, clock: .manual, now: Instant(seconds: 1_767_225_600))
        guard let store = try await shop.registry.store(named: environment.name) else {
            throw BenchmarkError("no environment")
        }
        let customer = try await store.accounts.customer(
            account: "reader@example.com", bundleID: BenchmarkCatalog.bundleID)
        let request = PurchaseRequest(productID: BenchmarkCatalog.subscription)
        _ = try await store.purchases.buy(request, by: customer)
        let router = PerennialRouter(
            registry: shop.registry, controlToken: "bench", rootCertificate: bench.identities.rootCertificate,
            delivery: nil, nanoseconds: { DispatchTime.now().uptimeNanoseconds }
        ).make()
        let advance = Requests.post(
            "/environments/\(environment.name)/control/v1/clock/advance", #"{"by":"P1Y"}"#,
            headers: ["Authorization: Bearer bench"])
        let result = try await BenchmarkServer.run(router) { server in
            try await LoadGenerator(port: server.port).run([Array(repeating: advance, count: years)])
        }
        let renewals = try await shop.database.read { try TransactionsTable.all(of: customer.key, on: $0).count } - 1
        guard renewals == 12 * years else { throw BenchmarkError("\(renewals) renewals in \(years) years") }
        return Figure(
            "advancing one subscription by a year, HTTP", "ms", ours: result.latencies.median * 1000,
            limit: yearSeconds * 1000, .atMost(1.0), notes: ["12 renewals each: \(result.details)"])
    }
}
