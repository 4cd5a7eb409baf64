import HTTPTypes
import Perennial
import PerennialHTTP
import TestSupport
import Testing

/// The requests of a key in an hour (docs/reference/connect-api.md, "Limits").
struct ConnectRateLimitTests {
    private static let header = HTTPField.Name("X-Rate-Limit")

    private static func header(_ reply: StoreServer.Reply) throws -> String? {
        reply.headers[try #require(header)]
    }

    @Test func `each answer has the limit and the remaining requests`() async throws {
        try await ConnectServer.run { connect in
            let first = try await connect.get("/v1/apps")
            #expect(try Self.header(first) == "user-hour-lim:3600;user-hour-rem:3599;")
            let wrong = try await connect.get("/v1/apps?x=1")
            #expect(wrong.status == 400)
            #expect(try Self.header(wrong) == "user-hour-lim:3600;user-hour-rem:3598;")
            let other = try await TestServerAPIKey(of: connect.shop, roles: [.sales])
            #expect(
                try Self.header(try await connect.get("/v1/apps", as: other))
                    == "user-hour-lim:3600;user-hour-rem:3599;")
            let unknown = try await connect.server.ask(.get, "/v1/apps", bearer: "x")
            #expect(try Self.header(unknown) == nil)
        }
    }

    @Test func `a request over the limit is refused until an hour after the first one`() async throws {
        try await ConnectServer.run(requestsPerHour: 3) { connect in
            for remaining in [2, 1, 0] {
                let reply = try await connect.get("/v1/apps")
                #expect(reply.status == 200)
                #expect(try Self.header(reply) == "user-hour-lim:3;user-hour-rem:\(remaining);")
                connect.shop.clock.advance(by: .minutes(10))
            }
            let refused = try await connect.get("/v1/apps")
            #expect((refused.status, refused.connectCode) == (429, "RATE_LIMIT_EXCEEDED"))
            #expect(refused.headers[.retryAfter] == "1800")
            #expect(try Self.header(refused) == "user-hour-lim:3;user-hour-rem:0;")
            connect.shop.clock.advance(by: .minutes(30))
            #expect(try await connect.get("/sandbox/v1/apps").status == 200)
            #expect(try await connect.get("/v1/apps").status == 429)
        }
    }
}
