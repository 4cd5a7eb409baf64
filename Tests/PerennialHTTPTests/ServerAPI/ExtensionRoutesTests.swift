import AppStoreFormats
import Foundation
import HTTPTypes
import Perennial
import PerennialStore
import TestSupport
import Testing

/// Renewal-date extensions over HTTP; the rules are tested in PerennialTests, the work in PerennialStoreTests.
struct ExtensionRoutesTests {
    private static let base = "/inApps/v1/subscriptions/extend"
    private static let id = "fdf964a4-233b-486c-aac1-97d8d52688ac"

    private static func body(_ more: [String: JSONValue] = [:]) -> JSONValue {
        let valid: [String: JSONValue] = [
            "extendByDays": 90, "extendReasonCode": 1, "requestIdentifier": .string(id), "productId": "monthly",
        ]
        return .object(valid.merging(more) { $1 })
    }

    @Test func `one subscription's renewal date moves, at most twice`() async throws {
        try await SellerServer.run { server in
            let bought = try await server.shop.buy("monthly", as: "ann")
            let path = "\(Self.base)/\(bought.id)"
            let before = try await server.shop.store.subscriptions.snapshot(of: bought.id).subscription.paidUntil
            let reply = try await server.ask(.put, path, Self.body())
            #expect((reply.status, reply["success"]) == (200, true))
            #expect(reply["originalTransactionId"] == .string("\(bought.id)"))
            #expect(reply["webOrderLineItemId"]?.text == bought.webOrderLineItemID.map { "\($0)" })
            let until = try await server.shop.store.subscriptions.snapshot(of: bought.id).subscription.paidUntil
            #expect(reply["effectiveDate"]?.number == until.milliseconds)
            // Ninety days are three months of sandbox: fifteen minutes.
            #expect(until - before == .minutes(15))
            let again = try await server.ask(.put, path, Self.body())
            #expect(again["effectiveDate"] == reply["effectiveDate"])
            #expect(try await server.number(.put, path, Self.body(["requestIdentifier": "second"])) == nil)
            #expect(try await server.number(.put, path, Self.body(["requestIdentifier": "third"])) == 4_030_005)
        }
    }

    @Test func `each refusal has Apple's number`() async throws {
        try await SellerServer.run { server in
            let bought = try await server.shop.buy("monthly", as: "ann")
            let path = "\(Self.base)/\(bought.id)"
            #expect(try await server.number(.put, "\(Self.base)/x", Self.body()) == 4_000_008)
            #expect(try await server.number(.put, "\(Self.base)/7", Self.body()) == 4_040_005)
            #expect(try await server.number(.put, path, Self.body(["extendByDays": 91])) == 4_000_009)
            #expect(try await server.number(.put, path, Self.body(["extendReasonCode": 4])) == 4_000_010)
            #expect(try await server.number(.put, path, Self.body(["requestIdentifier": ""])) == 4_000_011)
            _ = try await server.shop.store.subscriptions.perform(.expire, on: bought.id)
            #expect(try await server.number(.put, path, Self.body()) == 4_030_004)
        }
    }

    @Test func `where time stands still all subscribers are extended at once`() async throws {
        try await StoreServer.run { server in
            let staging = try await server.shop.environment("staging")
            _ = try await staging.buy("monthly", as: "ann")
            let key = try await TestServerAPIKey(of: server.shop)
            let token = try key.token(at: server.shop.clock.now)
            let path = "/environments/staging\(Self.base)/mass"
            #expect(try await server.ask(.post, path, Self.body(), bearer: token).status == 200)
            let status = try await server.ask(.get, "\(path)/monthly/\(Self.id)", bearer: token)
            #expect((status["complete"], status["succeededCount"]) == (true, 1))
        }
    }

    @Test func `all subscribers are extended, and the status says how many`() async throws {
        try await SellerServer.run { server in
            for account in ["ann", "ben"] { try await server.shop.buy("monthly", as: account) }
            let status = "\(Self.base)/mass/monthly/\(Self.id)"
            #expect(try await server.number(.get, status) == 4_040_009)
            let path = "\(Self.base)/mass"
            for _ in 0..<2 {
                let reply = try await server.ask(.post, path, Self.body())
                #expect((reply.status, reply.json) == (200, ["requestIdentifier": .string(Self.id)]))
            }
            let running = try await server.ask(.get, status)
            #expect(running.json == ["requestIdentifier": .string(Self.id), "complete": false])
            try await server.shop.store.extensions.processMassExtensions()
            let done = try await server.ask(.get, status)
            #expect((done["complete"], done["succeededCount"], done["failedCount"]) == (true, 2, 0))
            #expect(done["completeDate"]?.number != nil)
            let upper = Self.id.uppercased()
            #expect(try await server.ask(.get, "\(Self.base)/mass/monthly/\(upper)").json == done.json)
            let again = try await server.ask(.post, path, Self.body(["requestIdentifier": .string(upper)]))
            #expect(again.status == 200)
            #expect(try await server.shop.count("mass_extensions") == 1)
            #expect(try await server.number(.get, "\(Self.base)/mass/yearly/\(Self.id)") == 4_040_009)
            for (product, id, number) in [
                ("monthly", "x", 4_000_011), ("monthly", "\(Self.id)0", 4_000_011), ("none", Self.id, 4_000_023),
                ("film.roll", Self.id, 4_000_023),
            ] as [(String, String, Int64)] {
                #expect(
                    try await server.number(.get, "\(Self.base)/mass/\(product)/\(id)") == number, "\(product) \(id)")
            }
            for (field, value, number): (String, JSONValue, Int64) in [
                ("requestIdentifier", "x", 4_000_011), ("productId", "film.roll", 4_000_023),
                ("storefrontCountryCodes", [], 4_000_027), ("storefrontCountryCodes", ["XX"], 4_000_028),
            ] {
                #expect(try await server.number(.post, path, Self.body([field: value])) == number, "\(field)")
            }
        }
    }
}
