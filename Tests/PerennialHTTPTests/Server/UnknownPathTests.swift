import HTTPTypes
import TestSupport
import Testing

/// Answers to unknown paths.
struct UnknownPathTests {
    static let nowhere = [
        "/nothing", "/control/v1/nothing", "/sandbox/control/v1/nothing", "/sandbox/store/v1", "/sandbox",
        "/environments/staging/control/v1/environments", "/delivery/v2/products", "/favicon.ico",
    ]

    @Test(arguments: nowhere)
    func `a path that is not there is said to be none, in our own form`(path: String) async throws {
        try await StoreServer.run { server in
            let reply = try await server.ask(.get, path)
            #expect((reply.status, reply.error?["code"]) == (404, "notFound"))
            #expect(reply.headers[.contentType] == "application/json")
            #expect(reply.error?["message"]?.text?.contains("GET \(path)") == true)
        }
    }

    static let otherMethods: [(method: HTTPRequest.Method, path: String, allowed: String)] = [
        (.get, "/sandbox/control/v1/purchases", "POST"), (.delete, "/control/v1/environments", "GET, HEAD, POST"),
        (.post, "/health", "GET, HEAD"), (.put, "/environments/staging/control/v1/clock", "GET, HEAD"),
        (.post, "/sandbox/control/v1/apps/com.example.magazine/notifications", "DELETE, GET, HEAD, PUT"),
    ]

    @Test(arguments: otherMethods)
    func `another method than a path's own is told those it has`(
        method: HTTPRequest.Method, path: String, allowed: String
    ) async throws {
        try await StoreServer.run { server in
            let reply = try await server.ask(method, path)
            #expect((reply.status, reply.error?["code"]) == (405, "methodNotAllowed"))
            #expect(reply.headers[.allow] == allowed)
        }
    }

    @Test(arguments: ["/health", "/", "/openapi.json", "/certificates/root.cer", "/sandbox/control/v1/clock"])
    func `what can be got can be asked for its head`(path: String) async throws {
        try await StoreServer.run { server in
            let whole = try await server.control(.get, path)
            let head = try await server.control(.head, path)
            #expect((whole.status, head.status) == (200, 200))
            #expect(head.body.isEmpty)
            #expect(head.headers[.contentLength] == "\(whole.body.count)")
        }
    }

    @Test func `a browser is told what this is and where to look`() async throws {
        try await StoreServer.run { server in
            let page = try await server.ask(.get, "/")
            #expect((page.status, page.headers[.contentType]) == (200, "text/plain; charset=utf-8"))
            let text = String(decoding: page.body, as: UTF8.self)
            for path in ["/openapi.json", "/health", "/sandbox", "/certificates/root.cer"] {
                #expect(text.contains(path))
            }
        }
    }

    /// Apple answers those by itself, without a code.
    @Test(arguments: ["/inApps/v1/nothing", "/sandbox/inApps/v9/history/1", "/inApps/v1/notifications/test"])
    func `Apple's paths keep Apple's form`(path: String) async throws {
        try await StoreServer.run { server in
            let reply = try await server.ask(.get, path)
            #expect((reply.status, reply.body) == (404, []))
        }
    }
}
