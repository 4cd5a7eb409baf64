import AppStoreFormats
import HTTPTypes
import Perennial
import PerennialHTTP
import TestSupport
import Testing

struct ErrorFormTests {
    @Test func `every code has a name and a message of its own`() {
        let codes = ServerAPIErrorCode.allCases
        #expect(Set(codes.map(\.name)).count == codes.count)
        for code in codes {
            #expect([400, 403, 404, 409, 429, 500].contains(ServerAPIError(code).status))
            #expect(!code.message.isEmpty)
        }
    }

    @Test func `an error is a code and a message, and exactly application json`() async throws {
        try await StoreServer.run { server in
            let key = try await TestServerAPIKey(of: server.shop)
            let token = try key.token(at: server.shop.clock.now)
            let reply = try await server.ask(.get, "/sandbox/inApps/v1/transactions/none", bearer: token)
            #expect(reply.status == 400)
            #expect(reply.headers[.contentType] == "application/json")
            #expect(reply.json == ["errorCode": 4_000_006, "errorMessage": "Invalid transaction id."])
        }
    }

    @Test(arguments: [
        "/sandbox/inapps/v1/transactions/1", "/sandbox/inApps/V1/transactions/1", "/sandbox/inApps/v1/nothing",
        "/sandbox/inApps/v3/transactions/1", "/environments/none/inApps/v1/transactions/1",
    ])
    func `a path that is not there is not found, without a code`(path: String) async throws {
        try await StoreServer.run { server in
            let key = try await TestServerAPIKey(of: server.shop)
            let reply = try await server.ask(.get, path, bearer: try key.token(at: server.shop.clock.now))
            #expect(reply.status == 404)
            #expect(reply["errorCode"] == nil)
        }
    }

    @Test func `beyond its limit an app is told when to come back`() async throws {
        try await StoreServer.run(rateLimits: RateLimits(.hourly(2))) { server in
            let key = try await TestServerAPIKey(of: server.shop)
            let path = "/sandbox/inApps/v1/transactions/1"
            let token = try key.token(at: server.shop.clock.now)
            for _ in 1...2 { #expect(try await server.ask(.get, path, bearer: token).status == 404) }
            let refused = try await server.ask(.get, path, bearer: token)
            #expect(refused.status == 429)
            #expect(refused["errorCode"]?.number == 4_290_000)
            let end = try #require(refused.headers[.retryAfter].flatMap { Int64($0) })
            #expect(end > server.shop.clock.now.milliseconds)
            #expect(end % 3_600_000 == 0)
            // Another environment counts by itself.
            #expect(try await server.ask(.get, "/inApps/v1/transactions/1", bearer: token).status == 404)
            server.shop.clock.advance(by: end - server.shop.clock.now.milliseconds)
            let later = try key.token(at: server.shop.clock.now)
            #expect(try await server.ask(.get, path, bearer: later).status == 404)
        }
    }
}
