import HTTPTypes
import TestSupport
import Testing

@testable import PerennialHTTP

/// Requests whose fields say something that no request says.
struct RefusedFieldTests {
    @Test func `an unknown field of an object in a list is refused with its name`() async throws {
        try await StoreServer.run { server in
            let tax: JSONValue = ["region": "JP", "basisPoints": 2042, "basisPonits": 1]
            let reply = try await server.control(
                .put, "/sandbox/control/v1/finance/settings",
                ["withholding": [["region": "US", "basisPoints": 1], tax]])
            #expect(reply.status == 400)
            #expect(reply.error?["field"]?.text == "withholding.basisPonits")
        }
    }

    @Test func `a NUL in a text that no database sees is refused`() async throws {
        try await StoreServer.run { server in
            let token = try await server.signIn("/sandbox")
            for (path, body) in [
                ("products", ["productIds": ["film\u{0}roll"]]), ("restore", ["applicationUsername": "\u{0}"]),
            ] as [(String, JSONValue)] {
                let reply = try await server.ask(.post, "/sandbox/store/v1/\(path)", body, bearer: token)
                #expect(reply.status == 400, "\(path)")
                #expect(reply.error?["code"]?.text == "malformedRequest", "\(path)")
            }
        }
    }

    @Test func `the preview of a price is refused for another revision, as the change is`() async throws {
        try await StoreServer.run { server in
            let path = "/sandbox/control/v1/apps/com.example.magazine/catalog/products/film.roll/prices"
            let body: JSONValue = ["price": 2990, "at": "2094-01-01T00:00:00Z", "revision": -1]
            for action in ["", "/preview"] {
                let reply = try await server.control(.post, path + action, body)
                #expect(reply.status == 409, "\(action)")
            }
        }
    }
}
