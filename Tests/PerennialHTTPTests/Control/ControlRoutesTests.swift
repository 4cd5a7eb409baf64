import AppStoreFormats
import BaseEncoding
import Foundation
import HTTPTypes
import Perennial
import PerennialHTTP
import PerennialStore
import TestSupport
import Testing

/// Operations of tests and operators on an environment (docs/reference/control.md).
struct ControlRoutesTests {
    @Test(arguments: StoreServer.places)
    func `a purchase is made for anyone, with everything signed`(place: String) async throws {
        try await StoreServer.run { server in
            let body: JSONValue = [
                "bundleId": "com.example.magazine", "account": "new@example.com", "productId": "film.roll",
                "quantity": 3, "appAccountToken": "0B0C0D0E-0001-0002-0003-000000000004", "idempotencyKey": "k",
            ]
            let reply = try await server.control(.post, "\(place)/control/v1/purchases", body)
            #expect(reply.status == 200)
            let members = try #require(reply.json?.members)
            #expect(
                Set(members.keys).isSuperset(of: [
                    "transactionId", "originalTransactionId", "signedTransaction", "appReceipt", "transactionReceipt",
                ]))
            #expect(members["signedTransaction"]?.text?.split(separator: ".").count == 3)
            for key in ["appReceipt", "transactionReceipt"] {
                let verdict = try await server.ask(
                    .post, "\(place)/verifyReceipt", ["receipt-data": members[key] ?? .null])
                #expect(verdict["status"] == 0, "\(key)")
            }
            let receipt = try await server.control(
                .get, "\(place)/control/v1/receipt?bundleId=com.example.magazine&account=new%40example.com")
            #expect(receipt["appReceipt"] == members["appReceipt"])
            let again = try await server.control(.post, "\(place)/control/v1/purchases", body)
            #expect(again["transactionId"] == members["transactionId"])
        }
    }

    @Test func `a purchase with free true charges nothing, once per key`() async throws {
        try await StoreServer.run { server in
            func buy(_ product: String, key: String, free: Bool = true) async throws -> StoreServer.Reply {
                try await server.control(
                    .post, "/control/v1/purchases",
                    [
                        "bundleId": "com.example.magazine", "account": "ann", "productId": .string(product),
                        "idempotencyKey": .string(key), "free": .bool(free),
                    ])
            }
            let granted = try await buy("film.roll", key: "k")
            #expect(granted.status == 200)
            let segment = try #require(granted["signedTransaction"]?.text?.split(separator: ".")[1])
            let payload = try JSONValue(try #require(Base64.decode(String(segment), as: .url)))
            #expect(payload["price"] == 0)
            #expect(try await buy("film.roll", key: "k")["transactionId"] == granted["transactionId"])
            #expect(try await buy("film.roll", key: "k", free: false).status == 409)
            let refused = try await buy("monthly", key: "m")
            #expect(refused.status >= 400)
            #expect(refused["error"]?["message"]?.text?.contains("extend") == true)
            #expect(try await server.shop.count("transactions") == 1)
            #expect(try await server.shop.count("postings") == 0)
        }
    }

    @Test(arguments: ["", "ann"])
    func `a free sale keeps its author and reason`(user: String) async throws {
        try await StoreServer.run { server in
            let body: JSONValue = [
                "bundleId": "com.example.magazine", "account": "ann", "productId": "film.roll", "free": true,
                "reason": "lost in a crash",
            ]
            let headers: HTTPFields = user.isEmpty ? [:] : [.perennialUser: user]
            let sold = try await server.ask(
                .post, "/sandbox/control/v1/purchases", body, bearer: StoreServer.controlToken, headers: headers)
            #expect(sold.status == 200)
            let events = try await server.shop.store.accounts.timeline(
                of: "ann", in: TestCatalog.bundleID, limit: 10
            ).items
            let actor: CatalogActor = user.isEmpty ? .control : .commandLine(user)
            #expect(events.map(\.grantNote) == [GrantNote(actor: actor, reason: "lost in a crash")])
            let journal = try await server.control(.get, "/sandbox/control/v1/apps/com.example.magazine/journal")
            let grant: JSONValue = ["actor": .string(actor.description), "reason": "lost in a crash"]
            #expect(journal["entries"]?.elements?.map { $0["grant"] } == [grant])
            try await server.shop.store.reset()
            #expect(try await server.shop.count("grants") == 0)
        }
    }

    /// A signature says when it was made, as Apple's do: it is no part of what a key stands for.
    @Test func `the same key is the same purchase, signed when it is asked for`() async throws {
        try await StoreServer.run { server in
            let body: JSONValue = [
                "bundleId": "com.example.magazine", "account": "ann", "productId": "monthly", "idempotencyKey": "k",
            ]
            var payloads: [[String: JSONValue]] = []
            for _ in 0..<2 {
                let reply = try await server.control(.post, "/sandbox/control/v1/purchases", body)
                let segment = try #require(reply["signedTransaction"]?.text?.split(separator: ".")[1])
                let json = try #require(Base64.decode(String(segment), as: .url))
                payloads.append(try #require(try JSONValue(json).members))
                server.shop.clock.advance(by: 1_200)
            }
            #expect(payloads[0]["signedDate"] != payloads[1]["signedDate"])
            for place in payloads.indices { payloads[place]["signedDate"] = nil }
            #expect(payloads[0] == payloads[1])
            #expect(try await server.shop.count("transactions") == 1)
        }
    }

    @Test(arguments: StoreServer.places)
    func `a refund shows in the receipt, once`(place: String) async throws {
        try await StoreServer.run { server in
            let body: JSONValue = ["bundleId": "com.example.magazine", "account": "ann", "productId": "filter.amber"]
            let bought = try await server.control(.post, "\(place)/control/v1/purchases", body)
            let id = try #require(bought["transactionId"]?.text)
            let refunded = try await server.control(
                .post, "\(place)/control/v1/transactions/\(id)/refund", ["reason": 1])
            #expect(refunded.status == 200)
            #expect(refunded["transactionId"] == .string(id))
            let verdict = try await server.ask(
                .post, "\(place)/verifyReceipt", ["receipt-data": bought["transactionReceipt"] ?? .null])
            #expect(verdict["receipt"]?["cancellation_date"]?.type == "string")
            let again = try await server.control(.post, "\(place)/control/v1/transactions/\(id)/refund")
            #expect((again.status, again.error?["code"]) == (409, "alreadyRefunded"))
        }
    }

    @Test func `a refund of a subscription says which period it was of`() async throws {
        try await StoreServer.run { server in
            let first = try await server.shop.buy("monthly", as: "ann")
            // A month of Sandbox.
            try await server.shop.advance(by: .minutes(5))
            let path = "/sandbox/control/v1/transactions/\(first.id)/refund"
            let unclear = try await server.control(.post, path, ["period": "unambiguous"])
            #expect(unclear.status == 409)
            #expect(unclear["error"]?["code"] == "periodNotSaid")
            #expect(try await server.control(.post, path, ["period": "oldest"]).status == 400)
            let newest = try await server.control(.post, path, ["period": "newest"])
            #expect(newest.status == 200)
            #expect(newest["transactionId"] != .string("\(first.id)"))
            #expect(newest["originalTransactionId"] == .string("\(first.id)"))
            #expect(newest["period"]?["isNewest"] == true)
            // A transaction's number means that transaction, as Apple's refund requests do.
            let named = try await server.control(.post, path)
            #expect(named["transactionId"] == .string("\(first.id)"))
            #expect(named["period"]?["isNewest"] == false)
            #expect(named["period"]?["newestTransactionId"] == newest["transactionId"])
            #expect(named["period"]?["ends"] == .string(first.expiresDate?.rfc3339() ?? ""))
        }
    }

    @Test func `the only period of a subscription needs no choice`() async throws {
        try await StoreServer.run { server in
            let only = try await server.shop.buy("monthly", as: "ann")
            let reply = try await server.control(
                .post, "/sandbox/control/v1/transactions/\(only.id)/refund", ["period": "unambiguous"])
            #expect(reply.status == 200)
        }
    }

    @Test func `a refund needs no body`() async throws {
        try await StoreServer.run { server in
            let sold = try await server.shop.buy("film.roll", as: "ann")
            let reply = try await server.control(.post, "/sandbox/control/v1/transactions/\(sold.id)/refund")
            #expect(reply.status == 200)
        }
    }

    @Test func `an account is made and changed in what is said`() async throws {
        try await StoreServer.run { server in
            let path = "/sandbox/control/v1/accounts"
            let made = try await server.control(.post, path, ["account": "ann", "storefront": "DEU"])
            #expect(
                made.json == [
                    "account": "ann", "storefront": "DEU", "paymentMethod": "valid", "canMakePayments": true,
                    "interruptsPurchases": false, "asksToBuy": false,
                ])
            let changed = try await server.control(.post, path, ["account": "ann", "paymentMethod": "declined"])
            #expect(
                changed.json
                    == [
                        "account": "ann", "storefront": "DEU", "paymentMethod": "declined", "canMakePayments": true,
                        "interruptsPurchases": false, "asksToBuy": false,
                    ])
        }
    }

    @Test func `a manual clock is read and moved`() async throws {
        try await StoreServer.run { server in
            let base = "/environments/staging/control/v1/clock"
            #expect(try await server.control(.get, base).json == ["now": "2026-01-31T10:00:00Z", "kind": "manual"])
            let steps: [(body: JSONValue, now: JSONValue)] = [
                (["by": "P1M"], "2026-02-28T10:00:00Z"), (["by": "P2W"], "2026-03-14T10:00:00Z"),
                (["to": "2026-04-01T02:00:00+02:00"], "2026-04-01T00:00:00Z"),
                (["to": "2026-04-01T00:00:00.250Z"], "2026-04-01T00:00:00.250Z"),
            ]
            for (body, now) in steps {
                let moved = try await server.control(.post, "\(base)/advance", body)
                #expect(moved.json == ["now": now, "events": 0])
                #expect(try await server.control(.get, base)["now"] == now)
            }
            #expect(try await server.control(.get, "/sandbox/control/v1/clock")["kind"] == "real")
        }
    }

    @Test func `environments are made and listed at the root only`() async throws {
        try await StoreServer.run { server in
            let path = "/control/v1/environments"
            let made = try await server.control(
                .post, path, ["name": "e2e", "kind": "Production", "clock": "manual", "now": "2025-01-01T00:00:00Z"])
            #expect(made.status == 201)
            #expect(
                made.json == ["name": "e2e", "kind": "Production", "clock": "manual", "path": "/environments/e2e"])
            let listed = try await server.control(.get, path)
            #expect(
                listed["environments"]?.elements?.map { $0["path"] }
                    == ["/", "/sandbox", "/environments/staging", "/environments/e2e"])
            #expect(
                try await server.control(.get, "/environments/e2e/control/v1/clock")["now"] == "2025-01-01T00:00:00Z")
            #expect(try await server.control(.get, "/sandbox\(path)").status == 404)
        }
    }

    @Test func `an environment is deleted for good, but for the two that are always there`() async throws {
        try await StoreServer.run { server in
            let path = "/control/v1/environments"
            #expect(try await server.control(.get, "/environments/staging/control/v1/clock").status == 200)
            let deleted = try await server.control(.delete, "\(path)/staging")
            #expect((deleted.status, deleted.body) == (204, []))
            for (method, path) in [
                (HTTPRequest.Method.delete, "\(path)/staging"), (.get, "/environments/staging/control/v1/clock"),
                (.post, "/environments/staging/control/v1/reset"),
            ] {
                let gone = try await server.control(method, path)
                #expect((gone.status, gone.error?["code"]) == (404, "environmentNotFound"))
            }
            for name in ["Production", "Sandbox"] {
                let refused = try await server.control(.delete, "\(path)/\(name)")
                #expect((refused.status, refused.error?["code"]) == (409, "environmentPermanent"))
            }
            #expect(try await server.ask(.delete, "\(path)/Sandbox").status == 401)
        }
    }

    @Test(arguments: StoreServer.places)
    func `a reset empties one environment`(place: String) async throws {
        try await StoreServer.run { server in
            for target in StoreServer.places {
                let body: JSONValue = ["bundleId": "com.example.magazine", "account": "ann", "productId": "film.roll"]
                _ = try await server.control(.post, "\(target)/control/v1/purchases", body)
            }
            let reply = try await server.control(.post, "\(place)/control/v1/reset")
            #expect((reply.status, reply.body) == (204, []))
            #expect(try await server.shop.count("transactions") == 2)
            #expect(try await server.shop.count("apps") == 2)
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let path: String
        var body: JSONValue? = nil
        let status: Int
        let code: String
        var field: String? = nil
        var testDescription: String { "\(path) \(code) \(field ?? "")" }
    }

    static let refusals: [Refusal] = [
        Refusal(path: "accounts", body: ["storefront": "USA"], status: 400, code: "malformedRequest", field: "account"),
        Refusal(path: "accounts", body: ["account": ""], status: 400, code: "malformedRequest", field: "account"),
        Refusal(
            path: "accounts", body: ["account": "ann", "paymentMethod": "cash"], status: 400, code: "malformedRequest",
            field: "paymentMethod"),
        Refusal(
            path: "accounts", body: ["account": "ann", "password": ""], status: 400, code: "malformedRequest",
            field: "password"),
        Refusal(
            path: "accounts", body: ["account": "ann", "storefront": "ATL"], status: 400, code: "storefrontUnknown",
            field: "storefront"),
        Refusal(
            path: "accounts", body: ["account": "ann", "storeFront": "USA"], status: 400, code: "malformedRequest",
            field: "storeFront"),
        Refusal(path: "purchases", body: purchase(["qty": 2]), status: 400, code: "malformedRequest", field: "qty"),
        Refusal(
            path: "purchases", body: purchase(["quantity": .number(1.5)]), status: 400, code: "malformedRequest",
            field: "quantity"),
        Refusal(
            path: "purchases", body: purchase(["quantity": .number(1e30)]), status: 400, code: "malformedRequest",
            field: "quantity"),
        Refusal(path: "purchases", body: ["account": "ann"], status: 400, code: "malformedRequest", field: "bundleId"),
        Refusal(
            path: "purchases", body: ["bundleId": "com.example.none", "account": "ann", "productId": "film.roll"],
            status: 404, code: "appNotFound"),
        Refusal(
            path: "purchases", body: ["bundleId": "com.example.magazine", "account": "ann", "productId": "typo"],
            status: 404, code: "productNotAvailable", field: "productId"),
        Refusal(
            path: "purchases",
            body: [
                "bundleId": "com.example.magazine", "account": "ann", "productId": "film.roll", "appAccountToken": "x",
            ], status: 400, code: "malformedRequest", field: "appAccountToken"),
        Refusal(path: "transactions/7/refund", status: 404, code: "transactionNotFound"),
        Refusal(path: "transactions/x/refund", status: 404, code: "transactionNotFound"),
        Refusal(
            path: "transactions/7/refund", body: ["reason": 2], status: 400, code: "malformedRequest", field: "reason"),
        Refusal(
            path: "transactions/7/refund", body: ["reason": 1, "percentage": .number(33.3)], status: 400,
            code: "malformedRequest", field: "percentage"),
        Refusal(
            path: "apps/com.example.magazine/extensions", body: ["productId": "monthly", "days": 9, "storefront": []],
            status: 400, code: "malformedRequest", field: "storefront"),
        Refusal(path: "clock/advance", body: [:], status: 400, code: "malformedRequest"),
        Refusal(
            path: "clock/advance", body: ["by": "P1D", "to": "2027-01-01T00:00:00Z"], status: 400,
            code: "malformedRequest"),
        Refusal(path: "clock/advance", body: ["by": "soon"], status: 400, code: "malformedRequest", field: "by"),
        Refusal(path: "clock/advance", body: ["by": "PT0S"], status: 400, code: "malformedRequest", field: "by"),
        Refusal(path: "clock/advance", body: ["by": "-PT5M"], status: 400, code: "malformedRequest", field: "by"),
        Refusal(path: "clock/advance", body: ["by": "P36525Y"], status: 400, code: "malformedRequest", field: "by"),
        Refusal(path: "clock/advance", body: ["to": "tomorrow"], status: 400, code: "malformedRequest", field: "to"),
        Refusal(path: "clock/advance", body: ["to": "2020-01-01T00:00:00Z"], status: 400, code: "timeInThePast"),
    ]

    private static func purchase(_ more: [String: JSONValue]) -> JSONValue {
        let whole: [String: JSONValue] = ["bundleId": "com.example.magazine", "account": "ann", "productId": "monthly"]
        return .object(whole.merging(more) { $1 })
    }

    static let environments: [(body: JSONValue, field: String)] = [
        (["name": "a/b", "kind": "Sandbox", "clock": "real"], "name"),
        (["name": "c", "kind": "sandbox", "clock": "real"], "kind"),
        (["name": "c", "kind": "Sandbox", "clock": "real", "now": "2026-01-31T10:00:00Z"], "now"),
        (["name": "c", "kind": "Sandbox", "clock": "manual", "seed": .number(0.5)], "seed"),
        (["name": "c", "kind": "Sandbox", "clock": "manual", "start": "2026-01-31T10:00:00Z"], "start"),
        (["name": "c", "kind": "Sandbox", "clock": "manual", "billing": ["grace": 3]], "billing.grace"),
        (
            ["name": "c", "kind": "Sandbox", "clock": "manual", "billing": ["gracePeriodDays": .number(2.5)]],
            "billing.gracePeriodDays"
        ),
    ]

    @Test(arguments: environments)
    func `an environment that can't be made as it is asked for is not made`(
        body: JSONValue, field: String
    ) async throws {
        try await StoreServer.run { server in
            let reply = try await server.control(.post, "/control/v1/environments", body)
            #expect((reply.status, reply.error?["code"]) == (400, "malformedRequest"))
            #expect(reply.error?["field"] == .string(field))
            #expect(try await server.shop.registry.store(named: "c") == nil)
        }
    }

    @Test(arguments: ["receipt", "app-transaction"])
    func `a question makes no account`(path: String) async throws {
        try await StoreServer.run { server in
            let query = "?bundleId=com.example.magazine&account=nobody"
            for place in StoreServer.places {
                let reply = try await server.control(.get, "\(place)/control/v1/\(path)\(query)")
                #expect((reply.status, reply.error?["code"]) == (404, "accountNotFound"))
            }
            #expect(try await server.shop.count("accounts") == 0)
        }
    }

    @Test func `a tester's pace is Sandbox's alone`() async throws {
        try await StoreServer.run { server in
            let body: JSONValue = ["account": "ann", "renewalRate": "monthlyRenewalEveryHour"]
            let refused = try await server.control(.post, "/control/v1/accounts", body)
            #expect((refused.status, refused.error?["field"]) == (400, "renewalRate"))
            let set = try await server.control(.post, "/sandbox/control/v1/accounts", body)
            #expect((set.status, set["renewalRate"]) == (200, "monthlyRenewalEveryHour"))
        }
    }

    @Test func `each refusal has its word, its status and its field`() async throws {
        try await StoreServer.run { server in
            for expected in Self.refusals {
                let reply = try await server.control(
                    .post, "/environments/staging/control/v1/\(expected.path)", expected.body)
                #expect(reply.status == expected.status, "\(expected.testDescription)")
                #expect(reply.error?["code"]?.text == expected.code, "\(expected.testDescription)")
                #expect(reply.error?["field"]?.text == expected.field, "\(expected.testDescription)")
            }
            let real = try await server.control(.post, "/sandbox/control/v1/clock/advance", ["by": "P1D"])
            #expect((real.status, real.error?["code"]) == (409, "clockRunsByItself"))
            let query = try await server.control(.get, "/sandbox/control/v1/receipt?account=ann")
            #expect((query.status, query.error?["code"]) == (400, "malformedRequest"))
            let taken: JSONValue = ["name": "staging", "kind": "Sandbox", "clock": "real"]
            let exists = try await server.control(.post, "/control/v1/environments", taken)
            #expect((exists.status, exists.error?["code"]) == (409, "environmentExists"))
        }
    }

    static let calls: [(method: HTTPRequest.Method, path: String)] = [
        (.post, "accounts"), (.post, "purchases"), (.get, "receipt"), (.post, "transactions/7/refund"), (.get, "clock"),
        (.post, "clock/advance"), (.post, "reset"), (.get, "environments"), (.post, "environments"),
    ]

    @Test(arguments: calls)
    func `nothing is done without the control token`(method: HTTPRequest.Method, path: String) async throws {
        try await StoreServer.run { server in
            let device = try await server.signIn("/sandbox")
            try await server.shop.buy("film.roll", as: "ann")
            for place in path == "environments" ? [""] : StoreServer.places {
                for bearer in [nil, "", "wrong", device, StoreServer.controlToken + "x"] {
                    let reply = try await server.ask(method, "\(place)/control/v1/\(path)", [:], bearer: bearer)
                    #expect(reply.status == 401)
                    #expect(reply.error?["code"] == "unauthorized")
                }
            }
            #expect(try await server.shop.count("transactions") == 1)
        }
    }
}
