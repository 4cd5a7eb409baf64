import AppStoreFormats
import BaseEncoding
import Dispatch
import Foundation
import NIOCore
import Perennial
import PerennialConnect
import PerennialHTTP
import PerennialStorage
import PerennialStore

/// Price changes in all storefronts, as sellers' programs send them: one request over HTTP, durable when it is answered.
enum PriceChangeMeasure: Measure {
    static let name = "price-change"
    /// The most time for a change.
    private static let limit = 50.0
    private static let points = 20...120
    /// The price of a subscription, which keeps the price of each of its subscribers: a change a month for a year.
    private static let changesOfEach = 12

    static func measure(_ bench: Bench) async throws -> [Figure] {
        let subscriptions = BenchmarkCatalog.subscriptions(bench.count(20))
        var app = BenchmarkCatalog.app(adding: bench.count(10_000))
        app.products += subscriptions
        let shop = try await BenchmarkStore(bench.folder.path("prices.sqlite"), app: app, identities: bench.identities)
        defer { shop.database.close() }
        let token = try await ServerAPIToken.makeTeamKey(for: shop)
        var described = PerennialRouter(
            registry: shop.registry, controlToken: "bench", rootCertificate: bench.identities.rootCertificate,
            delivery: nil, nanoseconds: { DispatchTime.now().uptimeNanoseconds })
        described.connectRequestsPerHour = .max
        let product = try await consumable(of: shop)
        return try await BenchmarkServer.run(described.make()) { server in
            let load = LoadGenerator(port: server.port)
            let count = bench.count(200)
            let (connect, control) = (
                ["Authorization: Bearer \(token)"], ["Authorization: Bearer bench"]
            )
            let schedules = (0..<count).map { number in
                Requests.post(
                    "/sandbox/v1/inAppPurchasePriceSchedules", schedule(of: product, number), headers: connect)
            }
            let orders = (0..<changesOfEach * subscriptions.count).map { number in
                let product = subscriptions[number % subscriptions.count].id
                let path = "/sandbox/control/v1/apps/\(BenchmarkCatalog.bundleID)/catalog/products/\(product)/prices"
                let price = PricePoint.point(at: points.lowerBound + number % points.count, in: .usd).price.milliunits
                let body = #"{"price": \#(price), "storefront": "USA", "equalize": true, "preserve": true}"#
                return Requests.post(path, body, headers: control)
            }
            return [
                try await figure("an in-app purchase's schedule with a price for each storefront", schedules, load),
                try await figure(
                    "a subscription's equal price in each storefront, kept by its subscribers", orders, load),
            ]
        }
    }

    private static func figure(
        _ name: String, _ requests: [ByteBuffer], _ load: LoadGenerator
    ) async throws -> Figure {
        _ = try await load.run([Array(requests.prefix(requests.count / 10 + 1))])
        let result = try await load.run([requests])
        return Figure(
            name, "ms", ours: result.latencies.median * 1_000, limit: limit, .atMost(1),
            notes: ["\(Storefront.all.count) storefronts, one client: \(result.details)"])
    }

    private static func consumable(of shop: BenchmarkStore) async throws -> Int64 {
        let editor = CatalogEditor(database: shop.database, wallClock: { Instant(Date()) })
        return try await editor.read { reader in
            guard
                let product = try reader.product(BenchmarkCatalog.consumable, app: BenchmarkCatalog.app.appleID)
            else { throw BenchmarkError("the product is gone") }
            return product.appleID
        }
    }

    /// Returns a request body with a price of its own for each storefront.
    private static func schedule(of product: Int64, _ number: Int) -> String {
        let rows = Storefront.all.enumerated().map { index, info in
            let point = PricePoint.point(at: points.lowerBound + (number + index) % points.count, in: info.currency)
            let json = #"{"s":"\#(product)","t":"\#(info.storefront)","p":"\#(point.number)"}"#
            let id = Base64.encode(Array(json.utf8), as: .url)
            return """
                {"type":"inAppPurchasePrices","id":"${\(index)}","attributes":{"startDate":null,"endDate":null},\
                "relationships":{"inAppPurchasePricePoint":{"data":{"type":"inAppPurchasePricePoints","id":"\(id)"}}}}
                """
        }
        let linkages = rows.indices.map { #"{"type":"inAppPurchasePrices","id":"${\#($0)}"}"# }
        return """
            {"data":{"type":"inAppPurchasePriceSchedules","relationships":{\
            "inAppPurchase":{"data":{"type":"inAppPurchases","id":"\(product)"}},\
            "baseTerritory":{"data":{"type":"territories","id":"USA"}},\
            "manualPrices":{"data":[\(linkages.joined(separator: ","))]}}},"included":[\(rows.joined(separator: ","))]}
            """
    }
}
