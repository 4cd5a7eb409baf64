import HTTPTypes
import TestSupport
import Testing

/// Time, billing, prices, extensions, refunds and interruptions through control/v1.
struct TimeControlTests {
    private static let base = "/environments/lab/control/v1"
    private static let app = "\(base)/apps/com.example.magazine"

    private static func run(
        _ settings: JSONValue = [:], _ test: @escaping @Sendable (StoreServer) async throws -> Void
    ) async throws {
        try await StoreServer.run { server in
            let made = try await server.control(
                .post, "/control/v1/environments",
                [
                    "name": "lab", "kind": "Production", "clock": "manual", "now": "2026-01-31T10:00:00Z", "seed": 42,
                    "billing": settings,
                ])
            #expect(made.status == 201)
            try await test(server)
        }
    }

    private static func buy(_ server: StoreServer, _ product: String = "monthly") async throws -> String {
        let body: JSONValue = ["bundleId": "com.example.magazine", "account": "ann", "productId": .string(product)]
        let bought = try await server.control(.post, "\(base)/purchases", body)
        return try #require(bought["originalTransactionId"]?.text)
    }

    private static func status(_ server: StoreServer, _ id: String) async throws -> JSONValue? {
        try await server.control(.get, "\(base)/subscriptions/\(id)")["status"]
    }

    @Test func `an environment is made with grace, and its settings can be replaced`() async throws {
        try await Self.run(["gracePeriodDays": 16]) { server in
            let id = try await Self.buy(server)
            _ = try await server.control(.post, "\(Self.base)/subscriptions/\(id)/payment", ["method": "declined"])
            _ = try await server.control(.post, "\(Self.base)/clock/advance", ["by": "P1M"])
            #expect(try await Self.status(server, id) == 4)
            let set = try await server.control(
                .put, "\(Self.app)/billing", ["gracePeriodDays": 3, "gracePeriodScope": "PAID_TO_PAID_ONLY"])
            #expect((set.status, set["gracePeriodDays"]) == (200, 3))
            #expect(try await server.control(.get, "\(Self.app)/billing")["gracePeriodScope"] == "PAID_TO_PAID_ONLY")
            #expect(try await server.control(.get, "\(Self.base)/billing")["gracePeriodDays"] == 16)
            let paced = try await server.control(
                .put, "\(Self.base)/billing", ["timeRate": "monthlyRenewalEveryHour", "maximumRenewals": 3])
            #expect((paced["timeRate"], paced["maximumRenewals"]) == ("monthlyRenewalEveryHour", 3))
        }
    }

    static let malformed: [(path: String, method: HTTPRequest.Method, body: JSONValue, field: String)] = [
        ("\(base)/billing", .put, ["timeRate": "fast"], "timeRate"),
        ("\(base)/billing", .put, ["gracePeriodDays": 7], "gracePeriodDays"),
        ("\(app)/products/monthly/price", .post, [:], "price"),
        ("\(app)/products/monthly/price", .post, ["price": -1], "price"),
        ("\(app)/products/monthly/sale", .post, [:], "clearedForSale"),
        ("\(app)/extensions", .post, ["productId": "monthly", "days": 91], "days"),
        ("\(app)/extensions", .post, ["productId": "nothing", "days": 9], "productId"),
    ]

    @Test(arguments: malformed)
    func `what is not understood is told by its field`(
        path: String, method: HTTPRequest.Method, body: JSONValue, field: String
    ) async throws {
        try await Self.run { server in
            let reply = try await server.control(method, path, body)
            #expect((reply.status, reply.error?["field"]) == (400, .string(field)))
        }
    }

    @Test func `a clock is moved by any ISO 8601 duration, and by all of them at once`() async throws {
        try await Self.run { server in
            for (duration, now) in [
                ("PT5M", "2026-01-31T10:05:00Z"), ("P1DT12H", "2026-02-01T22:05:00Z"),
                ("P1Y6M", "2027-08-01T22:05:00Z"),
                ("PT0.25S", "2027-08-01T22:05:00.250Z"),
            ] {
                let moved = try await server.control(
                    .post, "\(Self.base)/clock/advance", ["by": .string(duration)])
                #expect((moved.status, moved["now"]) == (200, .string(now)))
            }
            try await withThrowingDiscardingTaskGroup { tasks in
                for _ in 0..<8 {
                    tasks.addTask {
                        let moved = try await server.control(.post, "\(Self.base)/clock/advance", ["by": "P1D"])
                        #expect(moved.status == 200)
                    }
                }
            }
            #expect(try await server.control(.get, "\(Self.base)/clock")["now"] == "2027-08-09T22:05:00.250Z")
        }
    }

    @Test func `a raised price waits for consent and ends without it`() async throws {
        try await Self.run { server in
            let id = try await Self.buy(server)
            let raised = try await server.control(.post, "\(Self.app)/products/monthly/price", ["price": 14_990])
            #expect((raised.status, raised["price"]) == (200, 14_990))
            _ = try await server.control(.post, "\(Self.base)/clock/advance", ["by": "P1M"])
            #expect(try await Self.status(server, id) == 2)
        }
    }

    @Test func `what is off sale isn't sold until it is back`() async throws {
        try await Self.run { server in
            let path = "\(Self.app)/products/monthly/sale"
            #expect(try await server.control(.post, path, ["clearedForSale": false])["clearedForSale"] == false)
            let body: JSONValue = ["bundleId": "com.example.magazine", "account": "ann", "productId": "monthly"]
            #expect(try await server.control(.post, "\(Self.base)/purchases", body).status == 404)
            _ = try await server.control(.post, path, ["clearedForSale": true])
            #expect(try await server.control(.post, "\(Self.base)/purchases", body).status == 200)
        }
    }

    @Test func `renewal dates are extended, one and all`() async throws {
        try await Self.run { server in
            let id = try await Self.buy(server)
            let one = try await server.control(.post, "\(Self.base)/subscriptions/\(id)/extend", ["days": 10])
            #expect((one.status, one["status"]) == (200, 1))
            let all = try await server.control(
                .post, "\(Self.app)/extensions", ["productId": "monthly", "days": 5, "requestIdentifier": "outage"])
            #expect((all["succeededCount"], all["complete"]) == (1, true))
            let known = try await server.control(.get, "\(Self.app)/extensions/outage")
            #expect(known["succeededCount"] == 1)
            let third = try await server.control(.post, "\(Self.base)/subscriptions/\(id)/extend", ["days": 1])
            #expect((third.status, third.error?["code"]) == (409, "maximumReached"))
            #expect(try await server.control(.get, "\(Self.app)/extensions/never").status == 404)
        }
    }

    @Test func `a refund is asked for, declined, made and reversed`() async throws {
        try await Self.run { server in
            let id = try await Self.buy(server)
            let path = "\(Self.base)/transactions/\(id)"
            let asked = try await server.control(.post, "\(path)/request-refund", ["reason": "LEGAL"])
            #expect(asked.status == 200)
            #expect(try await server.control(.post, "\(path)/request-refund", ["reason": "MOOD"]).status == 400)
            #expect(try await server.control(.post, "\(path)/decline-refund").status == 200)
            #expect(try await server.control(.post, "\(path)/reverse-refund").status == 409)
            #expect(try await server.control(.post, "\(path)/refund").status == 200)
            #expect(try await Self.status(server, id) == 5)
            let reversed = try await server.control(.post, "\(path)/reverse-refund")
            #expect((reversed.status, reversed["transactionId"]) == (200, .string(id)))
            #expect(try await Self.status(server, id) == 1)
        }
    }

    @Test func `an interrupted purchase fails, and arrives when it is resolved`() async throws {
        try await Self.run { server in
            let account = try await server.control(
                .post, "\(Self.base)/accounts", ["account": "ann", "interruptsPurchases": true])
            #expect(account["interruptsPurchases"] == true)
            let body: JSONValue = ["bundleId": "com.example.magazine", "account": "ann", "productId": "monthly"]
            let refused = try await server.control(.post, "\(Self.base)/purchases", body)
            #expect((refused.status, refused.error?["code"]) == (409, "purchaseInterrupted"))
            #expect(refused.error?["skError"] == 0)
            let list = try await server.control(.get, "\(Self.base)/interruptions?bundleId=com.example.magazine")
            let waiting = try #require(list["interruptions"]?.elements?.first)
            let id = try #require(waiting["id"]?.text)
            let bought = try await server.control(.post, "\(Self.base)/interruptions/\(id)/resolve")
            #expect(bought["transactionId"]?.type == "string")
        }
    }
}
