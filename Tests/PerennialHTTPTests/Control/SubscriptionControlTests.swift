import HTTPTypes
import PerennialStorage
import TestSupport
import Testing

/// Operations of tests and operators on a subscription; PerennialTests test the rules.
struct SubscriptionControlTests {
    private static let base = "/environments/staging/control/v1"

    private func subscribe(_ server: StoreServer, _ product: String = "monthly") async throws -> String {
        let body: JSONValue = ["bundleId": "com.example.magazine", "account": "ann", "productId": .string(product)]
        let bought = try await server.control(.post, "\(Self.base)/purchases", body)
        return try #require(bought["originalTransactionId"]?.text)
    }

    static let calls: [(path: String, body: JSONValue?)] = [
        ("auto-renew", ["enabled": false]), ("auto-renew", ["enabled": true]), ("change", ["productId": "yearly"]),
        ("payment", ["method": "declined"]), ("payment", ["method": "valid"]), ("renew", nil), ("expire", nil),
    ]

    @Test(arguments: calls)
    func `each call answers with the subscription, signed`(path: String, body: JSONValue?) async throws {
        try await StoreServer.run { server in
            let id = try await subscribe(server)
            let reply = try await server.control(.post, "\(Self.base)/subscriptions/\(id)/\(path)", body)
            #expect(reply.status == 200)
            #expect(reply["originalTransactionId"] == .string(id))
            for key in ["signedTransaction", "signedRenewalInfo"] {
                #expect(reply[key]?.text?.split(separator: ".").count == 3, "\(key)")
            }
        }
    }

    @Test func `after an advance a declined subscription expires and a valid one renews`() async throws {
        try await StoreServer.run { server in
            let id = try await subscribe(server)
            let advance = try await server.control(.post, "\(Self.base)/clock/advance", ["by": "P1D"])
            #expect(try #require(advance["events"]?.number) > 0)
            let renewed = try await server.control(.get, "\(Self.base)/subscriptions/\(id)")
            #expect(renewed.status == 200)
            #expect(renewed["transactionId"] != .string(id))
            #expect(try await server.shop.sumOfPostings() == ["USD": 0])
            let other = try await server.control(
                .post, "\(Self.base)/subscriptions/\(id)/expire")
            // Sandbox's seventh period was the last: it had expired already.
            #expect((other.status, other.error?["code"]?.type) == (409, "string"))
        }
    }

    static let refusals: [(path: String, body: JSONValue?, status: Int, code: String, field: String?)] = [
        ("auto-renew", [:], 400, "malformedRequest", "enabled"),
        ("auto-renew", ["enabled": 1], 400, "malformedRequest", "enabled"),
        ("change", [:], 400, "malformedRequest", "productId"),
        ("change", ["productId": "film.roll"], 404, "productNotAvailable", "productId"),
        ("payment", ["method": "cash"], 400, "malformedRequest", "method"),
        ("price-consent", ["accepted": "yes"], 400, "malformedRequest", "accepted"),
    ]

    @Test func `each refusal has its word, its status and its field`() async throws {
        try await StoreServer.run { server in
            let id = try await subscribe(server)
            for (path, body, status, code, field) in Self.refusals {
                let reply = try await server.control(.post, "\(Self.base)/subscriptions/\(id)/\(path)", body)
                #expect(reply.status == status, "\(path)")
                #expect(reply.error?["code"]?.text == code, "\(path)")
                #expect(reply.error?["field"]?.text == field, "\(path)")
            }
            for unknown in ["7", "x"] {
                let reply = try await server.control(.post, "\(Self.base)/subscriptions/\(unknown)/renew")
                #expect((reply.status, reply.error?["code"]) == (404, "transactionNotFound"))
            }
            let consent = try await server.control(
                .post, "\(Self.base)/subscriptions/\(id)/price-consent", ["accepted": true])
            #expect(consent.status == 409)
            let stranger = try await server.ask(.post, "\(Self.base)/subscriptions/\(id)/renew", bearer: "wrong")
            #expect(stranger.status == 401)
        }
    }

    @Test func `an operator sees what is quarantined, and releases it`() async throws {
        try await StoreServer.run { server in
            let id = try await subscribe(server)
            func setDocument(_ text: String) async throws {
                try await server.shop.database.write {
                    try $0.execute(
                        "UPDATE subscriptions SET document = $1 WHERE original_id = $2",
                        [.text(text), .integer(Int64(id) ?? 0)])
                }
            }
            let written = try await server.shop.database.read {
                try $0.first("SELECT document FROM subscriptions") { try $0.text(0) }
            }
            try await setDocument("no document")
            let moved = try await server.control(.post, "\(Self.base)/clock/advance", ["by": "P1M"])
            #expect(moved.status == 200)
            let listed = try await server.control(.get, "\(Self.base)/quarantine")
            let item = try #require(listed["subscriptions"]?.elements?.first)
            #expect((item["originalTransactionId"], item["bundleId"]) == (.string(id), "com.example.magazine"))
            #expect(item["reason"]?.text?.isEmpty == false)
            let metrics = try await server.ask(.get, "/metrics")
            let sample = #"perennial_subscriptions_quarantined{environment="staging",app="com.example.magazine"} 1"#
            #expect(String(decoding: metrics.body, as: UTF8.self).contains(sample))
            let release = "\(Self.base)/quarantine/\(id)/release"
            let refused = try await server.control(.post, release)
            #expect((refused.status, refused.error?["code"]) == (409, "subscriptionUnreadable"))
            try await setDocument(try #require(written))
            #expect(try await server.control(.post, release).status == 204)
            let again = try await server.control(.post, release)
            #expect((again.status, again.error?["code"]) == (404, "subscriptionNotQuarantined"))
            #expect(try await server.control(.get, "\(Self.base)/quarantine")["subscriptions"] == .array([]))
        }
    }
}
