import AppStoreFormats
import Dispatch
import Foundation
import NIOCore
import Perennial
import PerennialConnect
import PerennialHTTP
import PerennialStorage
import PerennialStore

/// Pages of 200 of many products with two included resources, as programs of sellers read a catalog again and again, beside
/// a bare GET on the same server that sends as many bytes.
enum ConnectListMeasure: Measure {
    static let name = "connect-list"
    private static let clients = 4
    private static let products = 10_000
    private static let pageSize = 200
    private static let path = "/sandbox/v1/apps/\(BenchmarkCatalog.app.appleID)/inAppPurchasesV2"

    static func measure(_ bench: Bench) async throws -> [Figure] {
        let count = bench.count(products)
        let shop = try await BenchmarkStore(
            bench.folder.path("connect.sqlite"), app: BenchmarkCatalog.app(adding: count), identities: bench.identities)
        defer { shop.database.close() }
        let token = try await ServerAPIToken.makeTeamKey(for: shop)
        var described = PerennialRouter(
            registry: shop.registry, controlToken: "bench", rootCertificate: bench.identities.rootCertificate,
            delivery: nil, nanoseconds: { DispatchTime.now().uptimeNanoseconds })
        described.connectRequestsPerHour = .max
        let router = described.make()
        let bare = BareRoute()
        bare.add(to: router)
        return try await BenchmarkServer.run(router) { server in
            let load = LoadGenerator(port: server.port)
            let headers = ["Authorization: Bearer \(token)"]
            let pages = stride(from: 0, to: count, by: pageSize).map { offset in
                let cursor = Data(#"{"offset":"\#(offset)"}"#.utf8).base64EncodedString().replacing("=", with: "%3D")
                let query = "include=inAppPurchaseLocalizations,versions&limit=\(pageSize)"
                return Requests.get("\(path)?\(query)\(offset == 0 ? "" : "&cursor=\(cursor)")", headers: headers)
            }
            // After a change of the catalog each page is made once.
            let made = try await load.run([pages])
            bare.answer(with: made.bodyBytes)
            let plain = Requests.get(BareRoute.path, headers: headers)
            let requests = bench.count(4_000) / clients
            func share(_ choices: [ByteBuffer]) -> [[ByteBuffer]] {
                (0..<clients).map { client in (0..<requests).map { choices[(client + $0 * clients) % choices.count] } }
            }
            var (ours, limit): ([LoadGenerator.Result], [LoadGenerator.Result]) = ([], [])
            for _ in 0..<bench.shortRounds {
                limit.append(try await load.run(share([plain])))
                ours.append(try await load.run(share(pages)))
            }
            return [
                Figure(
                    "list of \(pageSize) of \(count) products with two includes", "ms",
                    ours: 1_000 / ours.map(\.rate).median, limit: 1_000 / limit.map(\.rate).median, .atMost(3),
                    notes: [
                        "answers with bodies of \(made.bodyBytes) bytes: \(ours.last?.details ?? "")",
                        "bare GET: \(limit.last?.details ?? "")",
                    ]),
                Figure(
                    "the same page for the first time after a change", "ms",
                    ours: made.latencies.median * 1_000, notes: ["one client, each page once"]),
            ]
        }
    }
}
