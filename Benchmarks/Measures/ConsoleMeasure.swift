import AppStoreFormats
import AsyncHTTPClient
import Dispatch
import Foundation
import NIOCore
import NIOHTTP1
import Perennial
import PerennialConnect
import PerennialConsole
import PerennialHTTP
import PerennialStorage
import PerennialStore

/// The time in which the server answers each page of the console, in a store with a million transactions of a year.
enum ConsoleMeasure: Measure {
    static let name = "console"
    private static let transactions = 1_000_000
    private static let customers = 200_000
    private static let subscriptions = 100_000
    private static let mostMilliseconds = 50.0
    private static let repetitions = 7

    static func measure(_ bench: Bench) async throws -> [Figure] {
        let year = try await SalesYear.make(bench.count(transactions), .shares, bench)
        defer { year.close() }
        try await addCustomers(bench.count(customers), to: year)
        try await addSubscriptions(bench.count(subscriptions), to: year)
        let services = ConsoleServices(
            registry: year.shop.registry,
            catalog: CatalogEditor(database: year.shop.database, wallClock: { Instant(Date()) }),
            keys: APIKeys(
                database: year.shop.database, wallClock: { Instant(Date()) }, randomBytes: BenchmarkStore.randomBytes),
            rootCertificate: bench.identities.rootCertificate, authority: nil, delivery: nil,
            wallClock: { Instant(Date()) }, randomBytes: BenchmarkStore.randomBytes)
        let link = try await services.accounts.makeLink()
        let token = try await services.accounts.signIn(link: link.code, from: nil)
        var described = PerennialRouter(
            registry: year.shop.registry, controlToken: "bench", rootCertificate: bench.identities.rootCertificate,
            delivery: nil, nanoseconds: { DispatchTime.now().uptimeNanoseconds })
        described.extensions.append(ConsoleRouter(services: services))
        return try await BenchmarkServer.run(described.make()) { server in
            let visitor = Visitor(port: server.port, token: token)
            var pages: [Answer] = []
            var missing: [String] = []
            for path in ConsolePages.paths + ofSubscription where !ConsolePages.readingJournals.contains(path) {
                let answers = try await Self.answers(of: path, visitor)
                pages += answers.filter { $0.status == 200 }
                missing += answers.filter { $0.status != 200 }.map { "\($0.path) (\($0.status))" }
                if answers.isEmpty { missing.append(path) }
            }
            var journals: [String] = []
            for path in ConsolePages.readingJournals.sorted() + [previewOfPrice] {
                // The first answer says that it is under way, the later ones have the result.
                pages += try await Self.answers(of: path, visitor, repetitions: 1).filter { $0.status == 200 }
                let seconds = try await Stopwatch.seconds { try await Self.awaitResult(of: path, visitor) }
                journals.append("\(path): its result " + String(format: "%.0f ms later", seconds * 1000))
                pages += try await Self.answers(of: path, visitor).filter { $0.status == 200 }
            }
            let deep = try await deepPages(of: year, visitor)
            try await visitor.close()
            let worst = pages.max { $0.milliseconds < $1.milliseconds }
            let first = pages.first { $0.path == "overview" }
            return [
                Figure(
                    "slowest of \(pages.count) pages of the console with \(year.transactions) transactions", "ms",
                    ours: worst?.milliseconds ?? .infinity, limit: mostMilliseconds, .atMost(1),
                    notes: [year.note, "\(bench.count(subscriptions)) subscriptions"]
                        + pages.sorted { $0.milliseconds > $1.milliseconds }.map(\.note)
                        + ["without a sample: \(missing.joined(separator: ", "))"]
                        + journals.map { "made in the background: \($0)" }),
                Figure(
                    "first page, with its style and script", "KiB",
                    ours: Double((first?.bytes ?? 0) + ConsolePages.assets.reduce(0) { $0 + $1.bytes }) / 1024,
                    notes: ["the page alone has \(first?.bytes ?? 0) bytes"]),
            ] + deep
        }
    }

    /// An answer, with the median of its times.
    private struct Answer {
        var path: String
        var status: Int
        var milliseconds: Double
        var bytes: Int

        var note: String { "\(path): " + String(format: "%.1f ms, %d bytes", milliseconds, bytes) }
    }

    /// A browser that is signed in.
    final class Visitor: Sendable {
        private let client: HTTPClient
        private let port: Int
        private let token: String

        init(port: Int, token: String) {
            (self.port, self.token) = (port, token)
            client = HTTPClient(
                eventLoopGroupProvider: .singleton, configuration: .init(redirectConfiguration: .disallow))
        }

        /// - Returns: `isUnderWay`: true for a page that is still being made, which asks to be loaded again.
        func get(_ path: String) async throws -> (status: Int, bytes: Int, isUnderWay: Bool) {
            let app = SalesYear.app.bundleID
            var request = HTTPClientRequest(
                url: "http://127.0.0.1:\(port)/console/\(SalesYear.environmentName)/\(app)/\(path)")
            request.headers.add(name: "Cookie", value: "perennial-session-\(port)=\(token)")
            let answer = try await client.execute(request, timeout: .minutes(5))
            let bytes = try await answer.body.collect(upTo: 64 << 20).readableBytes
            return (Int(answer.status.code), bytes, !answer.headers["Refresh"].isEmpty)
        }

        func close() async throws { try await client.shutdown() }
    }

    /// Values for the parameters of paths.
    private static let samples = [
        "product": "coins0", "group": "group0", "transaction": "100000001", "id": "100000001", "month": "2026-06",
        "account": "customer1@example.com",
    ]
    /// A subscription's pages whose work depends on its subscribers.
    private static let ofSubscription = [
        "products/monthly0/availability/removal", "subscriptions/list?product=monthly1", "subscriptions/list?status=2",
    ]
    /// The preview of a new price, which reads all subscriptions of the app in the background.
    private static let previewOfPrice = "products/monthly0/prices/change?step=preview&price=9.99"
    /// Queries of other pages whose work depends on them.
    private static let queries: [String: [String]] = [
        "sales": [
            "", "span=12m&by=storefront", "span=3m&by=device", "span=30d&by=product&amounts=sales",
            "span=month&by=type",
            "from=2026-01-15&to=2026-12-20&by=storefront",
        ],
        "subscriptions": ["", "span=30d", "from=2025-06-02&to=2026-12-31"],
        "explain": [
            "figure=sales&column=proceeds&from=2026-12-15&to=2026-12-15",
            "figure=sales&column=units&from=2026-01-01&to=2026-12-31&country=ISR",
            "figure=sales&column=proceeds&from=2026-01-01&to=2026-12-31&product=monthly3&currency=EUR",
            "figure=statistic&statistic=mrr&date=2026-12-15", "figure=financial&month=2026-06",
            "figure=financial&month=2026-06&region=EU",
            "figure=sales&column=refunds&from=2026-12-01&to=2026-12-15",
            "figure=statistic&statistic=active-subscriptions&column=active-subscriptions",
            "figure=statistic&statistic=churn-rate&column=rate&from=2026-11-01&to=2026-11-30",
            "figure=statistic&statistic=mrr-movement&column=net&currency=USD&from=2026-11-01&to=2026-11-30",
            "figure=statistic&statistic=retention&column=month-3&from=2026-06-01&to=2026-06-30",
            "figure=statistic&statistic=new-customers&column=new-customers&from=2026-12-01&to=2026-12-15",
        ],
        "payments/:month/explain": ["column=units", "column=owed&region=EU", "column=late"],
        "explain/comparison": ["column=proceeds&from=2026-12-01&to=2026-12-07"],
        "explain/entries": ["statistic=new-customers&date=2026-12-15"],
        "search": ["query=coins"],
    ]

    /// Requests a page with each of its queries; nothing for a path with a parameter that has no sample.
    private static func answers(
        of path: String, _ visitor: Visitor, repetitions: Int = repetitions
    ) async throws -> [Answer] {
        try await filled(path).asyncFlatMap { full in
            var (times, answer) = ([Double](), (status: 0, bytes: 0, isUnderWay: false))
            for _ in 0..<repetitions {
                times.append(try await Stopwatch.seconds { answer = try await visitor.get(full) } * 1000)
            }
            return [Answer(path: full, status: answer.status, milliseconds: times.median, bytes: answer.bytes)]
        }
    }

    /// Returns a path with each of its queries; nothing for one with a parameter that has no sample.
    private static func filled(_ path: String) -> [String] {
        let parts = path.split(separator: "/").map { part in
            part.first == ":" ? samples[String(part.dropFirst())] : String(part)
        }
        guard !parts.contains(nil) else { return [] }
        let filled = parts.compactMap { $0 }.joined(separator: "/")
        return queries[path, default: [""]].map { $0.isEmpty ? filled : "\(filled)?\($0)" }
    }

    /// Waits until the pages of a path are made.
    private static func awaitResult(of path: String, _ visitor: Visitor) async throws {
        for full in filled(path) {
            while try await visitor.get(full).isUnderWay { try await Task.sleep(for: .milliseconds(20)) }
        }
    }
}

extension Sequence {
    /// Joins the results of a transformation of each element, one after another.
    fileprivate func asyncFlatMap<Value>(_ transform: (Element) async throws -> [Value]) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values += try await transform(element) }
        return values
    }
}
