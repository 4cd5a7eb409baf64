import AppStoreFormats
import Foundation
import HTTPTypes
import Perennial
import PerennialHTTP
import PerennialStore
import TestSupport
import Testing

/// The App Store Server API's answers about a customer's purchases: paths, queries, statuses, shapes. The rules are
/// tested in PerennialStoreTests.
struct HistoryEndpointTests {
    private static func payload(_ value: JSONValue?) throws -> TransactionPayload {
        try TestSigning.verifier
            .verify(try #require(value?.text), as: TransactionPayload.self)
    }

    private static func ids(_ reply: StoreServer.Reply) throws -> [String] {
        try #require(reply["signedTransactions"]?.elements).map { try payload($0).transactionId }
    }

    @Test func `a transaction is told by its number`() async throws {
        try await SellerServer.run { server in
            let sold = try await server.shop.buy("monthly", as: "ann")
            let reply = try await server.ask(.get, "/inApps/v1/transactions/\(sold.id)")
            #expect(reply.status == 200)
            #expect(reply.headers[.contentType] == "application/json")
            #expect(reply.json?.members?.keys.sorted() == ["signedTransactionInfo"])
            let payload = try Self.payload(reply["signedTransactionInfo"])
            #expect(payload.transactionId == sold.id.description)
            let download = try #require(payload.appTransactionId)
            for (id, number) in [("x", 4_000_006), ("7", 4_040_010), (download, 4_000_048)] as [(String, Int64)] {
                #expect(try await server.number(.get, "/inApps/v1/transactions/\(id)") == number)
            }
        }
    }

    @Test func `a history has pages of twenty, in the shape of Apple's`() async throws {
        try await SellerServer.run { server in
            var bought: [String] = []
            for _ in 0..<22 { bought.append(try await server.shop.buy("film.roll", as: "ann").id.description) }
            let path = "/inApps/v2/history/\(bought[5])"
            let first = try await server.ask(.get, path)
            #expect(first.status == 200)
            #expect(
                first.json?.members?.keys.sorted() == [
                    "appAppleId", "bundleId", "environment", "hasMore", "revision", "signedTransactions",
                ])
            #expect((first["environment"], first["bundleId"]) == ("Sandbox", "com.example.magazine"))
            #expect((first["appAppleId"], first["hasMore"]) == (1_234_567, true))
            let revision = try #require(first["revision"]?.text)
            let second = try await server.ask(.get, "\(path)?revision=\(revision)")
            #expect(try Self.ids(first) + Self.ids(second) == bought)
            #expect(second["hasMore"] == false)
            let newest = try await server.ask(.get, "\(path)?sort=DESCENDING")
            #expect(try Self.ids(newest) == bought.reversed().prefix(20).map { $0 })
        }
    }

    @Test func `a history that is requested again is the same until something changes`() async throws {
        try await SellerServer.run { server in
            let sold = try await server.shop.buy("film.roll", as: "ann")
            for _ in 0..<20 { _ = try await server.shop.buy("film.roll", as: "ann") }
            let other = try await server.shop.buy("film.roll", as: "ben")
            let path = "/inApps/v2/history/\(sold.id)"
            let first = try await server.ask(.get, path)
            #expect(try await server.ask(.get, path).body == first.body)
            #expect(try await server.ask(.get, "/inApps/v2/history/\(other.id)").body != first.body)
            let descending = try await server.ask(.get, "\(path)?sort=DESCENDING")
            #expect(try Self.ids(descending) != Self.ids(first))
            // The last of the first page moves behind the others.
            try await server.shop.refund(sold)
            let changed = try await server.ask(.get, path)
            #expect(try Self.ids(changed) == Self.ids(first).dropFirst() + [try #require(Self.ids(descending).first)])
            // Signatures are made again after a minute.
            server.shop.clock.advance(by: .seconds(61))
            let later = try await server.ask(.get, path)
            #expect(try Self.ids(later) == Self.ids(changed))
            #expect(later.body != changed.body)
        }
    }

    @Test func `the parameters of a history come in any order and number`() async throws {
        try await SellerServer.run { server in
            let roll = try await server.shop.buyAndFinish("film.roll", as: "ann").id.description
            let monthly = try await server.shop.buy("monthly", as: "ann").id.description
            let filter = try await server.shop.refund(try await server.shop.buy("filter.amber", as: "ann"))
            let now = server.shop.clock.now.wholeSeconds.milliseconds
            let found: [(String, [String])] = [
                ("", [roll, monthly, "\(filter.id)"]),
                ("?productId=monthly&sort=ASCENDING&productId=film.roll", [roll, monthly]),
                ("?productType=CONSUMABLE&productType=NON_CONSUMABLE", [roll, "\(filter.id)"]),
                ("?subscriptionGroupIdentifier=magazine&productType=AUTO_RENEWABLE", [monthly]),
                ("?productType=NON_RENEWABLE", []), ("?inAppOwnershipType=FAMILY_SHARED", []),
                ("?inAppOwnershipType=PURCHASED&revoked=False", [roll, monthly]),
                ("?revoked=True", ["\(filter.id)"]),
                ("?startDate=\(now)&endDate=\(now + 1)&revoked=true", ["\(filter.id)"]),
                ("?startDate=\(now + 1)", []), ("?endDate=\(now)", []),
                ("?product%49d=other&unknown", [roll, monthly, "\(filter.id)"]),
            ]
            for (query, ids) in found {
                let reply = try await server.ask(.get, "/inApps/v2/history/\(roll)\(query)")
                #expect(try Self.ids(reply) == ids, "\(query)")
                #expect(reply["hasMore"] == false)
            }
        }
    }

    @Test func `version 1 leaves out finished consumables`() async throws {
        try await SellerServer.run { server in
            let roll = try await server.shop.buyAndFinish("film.roll", as: "ann").id.description
            let open = try await server.shop.buy("film.roll", as: "ann").id.description
            let filter = try await server.shop.refund(try await server.shop.buy("filter.amber", as: "ann")).id
                .description
            for (query, ids) in [
                ("", [open, filter]), ("?excludeRevoked=true", [open]), ("?excludeRevoked=false", [open, filter]),
                ("?revoked=true", [filter]),
            ] {
                let reply = try await server.ask(.get, "/inApps/v1/history/\(roll)\(query)")
                #expect(try Self.ids(reply) == ids, "\(query)")
            }
            #expect(try await server.number(.get, "/inApps/v1/history/\(roll)?excludeRevoked=1") == 4_000_025)
            // Version 2 has `revoked` in its place.
            for value in ["true", "x"] {
                let newer = try await server.ask(.get, "/inApps/v2/history/\(roll)?excludeRevoked=\(value)")
                #expect(try Self.ids(newer).contains(filter))
            }
        }
    }

    static let refusals: [(String, Int64)] = [
        ("?revision=x", 4_000_005), ("?revision=", 4_000_005), ("?startDate=x", 4_000_015),
        ("?startDate=-1", 4_000_015),
        ("?startDate=1.5", 4_000_015), ("?endDate=tomorrow", 4_000_016), ("?startDate=2&endDate=2", 4_000_016),
        ("?sort=UP", 4_000_021), ("?sort=ascending", 4_000_021), ("?productType=FREE", 4_000_022),
        ("?productType=CONSUMABLE&productType=", 4_000_022), ("?productId=", 4_000_023), ("?productId=%00", 4_000_023),
        ("?subscriptionGroupIdentifier=", 4_000_024), ("?inAppOwnershipType=BORROWED", 4_000_026),
        ("?revoked=yes", 4_000_030),
    ]

    @Test(arguments: ["v1", "v2"]) func `what makes no sense in a history has its code`(version: String) async throws {
        try await SellerServer.run { server in
            let roll = try await server.shop.buy("film.roll", as: "ann").id
            for (query, number) in Self.refusals {
                let reply = try await server.ask(.get, "/inApps/\(version)/history/\(roll)\(query)")
                #expect((reply.status, reply["errorCode"]?.number) == (400, number), "\(query)")
            }
            let many = (0...100).map { "productId=p\($0)" }.joined(separator: "&")
            #expect(try await server.number(.get, "/inApps/\(version)/history/\(roll)?\(many)") == 4_000_023)
            #expect(try await server.number(.get, "/inApps/\(version)/history/x") == 4_000_006)
            #expect(try await server.number(.get, "/inApps/\(version)/history/7") == 4_040_010)
        }
    }

    @Test func `statuses are told group by group`() async throws {
        try await SellerServer.run { server in
            let monthly = try await server.shop.buy("monthly", as: "ann")
            try await server.shop.buy("family.monthly", as: "ann")
            let path = "/inApps/v1/subscriptions/\(monthly.id)"
            let reply = try await server.ask(.get, path)
            #expect(reply.json?.members?.keys.sorted() == ["appAppleId", "bundleId", "data", "environment"])
            let data = try #require(reply["data"]?.elements)
            #expect(data.map { $0["subscriptionGroupIdentifier"] } == ["magazine", "family"])
            let item = try #require(data.first?["lastTransactions"]?.elements?.first)
            #expect(
                item.members?.keys.sorted() == [
                    "originalTransactionId", "signedRenewalInfo", "signedTransactionInfo", "status",
                ])
            #expect((item["status"], item["originalTransactionId"]) == (1, .string("\(monthly.id)")))
            #expect(try Self.payload(item["signedTransactionInfo"]).transactionId == monthly.id.description)
            #expect(try await server.ask(.get, "\(path)?status=2&status=5")["data"] == [])
            #expect(try await server.ask(.get, "\(path)?status=2&status=1")["data"]?.elements?.count == 2)
            for wrong in ["0", "6", "x", ""] {
                #expect(try await server.number(.get, "\(path)?status=\(wrong)") == 4_000_031)
            }
            #expect(try await server.number(.get, "/inApps/v1/subscriptions/x") == 4_000_006)
            #expect(try await server.number(.get, "/inApps/v1/subscriptions/7") == 4_040_010)
        }
    }

    @Test func `an order is looked up in Production, and there alone`() async throws {
        try await StoreServer.run { server in
            let shop = try await server.shop.environment("Production")
            let sold = try await shop.buy("film.roll", as: "ann")
            let order = try #require(OrderID(of: sold.id)).description
            let token = try await TestServerAPIKey(of: server.shop).token(at: server.shop.clock.now)
            let found = try await server.ask(.get, "/inApps/v1/lookup/\(order)", bearer: token)
            #expect((found.status, found["status"]) == (200, 0))
            #expect(try Self.ids(found) == [sold.id.description])
            for wrong in ["M0000000000", "x", "%20"] {
                let reply = try await server.ask(.get, "/inApps/v1/lookup/\(wrong)", bearer: token)
                #expect((reply.status, reply.json) == (200, ["status": 1]))
            }
            let sandbox = try await server.ask(.get, "/sandbox/inApps/v1/lookup/\(order)", bearer: token)
            #expect((sandbox.status, sandbox.body) == (404, []))
        }
    }

    @Test func `a purchase in Production has the order ID of the customer's e-mail`() async throws {
        try await StoreServer.run { server in
            let body: JSONValue = [
                "bundleId": "com.example.magazine", "account": "ann", "productId": "film.roll",
            ]
            let sold = try await server.control(.post, "/control/v1/purchases", body)
            let id = try #require(sold["transactionId"]?.text.flatMap { TransactionID($0) })
            #expect(sold["orderId"]?.text == OrderID(of: id)?.description)
            let tested = try await server.control(.post, "/sandbox/control/v1/purchases", body)
            #expect(tested["orderId"] == nil)
        }
    }

    @Test func `a download of the app is told, and leads back to its customer`() async throws {
        try await SellerServer.run { server in
            let sold = try await server.shop.buy("film.roll", as: "ann")
            let path = "/inApps/v1/transactions/appTransactions"
            let reply = try await server.ask(.get, "\(path)/\(sold.id)")
            #expect(reply.json?.members?.keys.sorted() == ["signedAppTransactionInfo"])
            let payload = try TestSigning.verifier
                .verify(try #require(reply["signedAppTransactionInfo"]?.text), as: AppTransactionPayload.self)
            let download = try #require(payload.appTransactionId)
            #expect(try await server.ask(.get, "\(path)/\(download)").status == 200)
            let history = try await server.ask(.get, "/inApps/v2/history/\(download)")
            #expect(try Self.ids(history) == [sold.id.description])
            #expect(try await server.ask(.get, "/inApps/v2/refund/lookup/\(download)").status == 200)
            let unknown = try #require(Int64(download)) + 1
            for (id, number) in [("x", 4_000_006), ("7", 4_040_010), ("\(unknown)", 4_040_019)] as [(String, Int64)] {
                #expect(try await server.number(.get, "\(path)/\(id)") == number)
            }
        }
    }

    @Test func `an app account token is set, in a UUID's form`() async throws {
        try await SellerServer.run { server in
            let sold = try await server.shop.buy("filter.amber", as: "ann")
            let path = "/inApps/v1/transactions/\(sold.id)/appAccountToken"
            let token = "A8F1B8BD-2F0D-4C86-9A65-B1D8EE2F9E1C"
            let reply = try await server.ask(.put, path, ["appAccountToken": .string(token)])
            #expect((reply.status, reply.body) == (200, []))
            let info = try await server.ask(.get, "/inApps/v1/transactions/\(sold.id)")
            #expect(try Self.payload(info["signedTransactionInfo"]).appAccountToken?.uuidString == token)
            for wrong in ["", "x", .null, 1] as [JSONValue] {
                #expect(try await server.number(.put, path, ["appAccountToken": wrong]) == 4_000_183)
            }
            #expect(try await server.number(.put, path, [:]) == 4_000_183)
            #expect(try await server.number(.put, path) == 4_000_000)
            let body: JSONValue = ["appAccountToken": .string(token)]
            #expect(try await server.number(.put, "/inApps/v1/transactions/x/appAccountToken", body) == 4_000_006)
            #expect(try await server.number(.put, "/inApps/v1/transactions/7/appAccountToken", body) == 4_040_005)
        }
    }

    @Test func `a transaction is finished without a word`() async throws {
        try await SellerServer.run { server in
            let sold = try await server.shop.buy("film.roll", as: "ann")
            for _ in 1...2 {
                let reply = try await server.ask(.post, "/inApps/v1/transactions/\(sold.id)/finish")
                #expect((reply.status, reply.body) == (200, []))
            }
            #expect(
                try await server.shop.store.transactions.transaction(sold.id, of: TestCatalog.magazine()).isFinished)
            #expect(try await server.number(.post, "/inApps/v1/transactions/x/finish") == 4_000_006)
            #expect(try await server.number(.post, "/inApps/v1/transactions/7/finish") == 4_040_010)
        }
    }

    @Test func `what is read most is counted like the rest`() async throws {
        try await StoreServer.run(rateLimits: RateLimits(.hourly(1))) { server in
            let token = try await TestServerAPIKey(of: server.shop).token(at: server.shop.clock.now)
            let sold = try await server.shop.buy("monthly", as: "ann").id
            for path in ["v1/transactions/\(sold)", "v2/history/\(sold)", "v1/subscriptions/\(sold)"] {
                #expect(try await server.ask(.get, "/sandbox/inApps/\(path)", bearer: token).status == 200)
                #expect(try await server.ask(.get, "/sandbox/inApps/\(path)", bearer: token).status == 429)
            }
        }
    }
}
