import Foundation
import HTTPTypes
import PerennialStorage
import TestSupport
import Testing

/// Every error word of store/v1 with its status, field and StoreKit number (the table of docs/reference/store.md).
struct StoreErrorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var method = HTTPRequest.Method.post
        let path: String
        var body: JSONValue? = nil
        let status: Int
        let code: String
        var field: String? = nil
        let skError: Int64
        var testDescription: String { "\(path) \(code)" }
    }

    private static let purchases = "purchases"
    private static func purchase(_ product: String, _ more: [String: JSONValue] = [:]) -> JSONValue {
        .object(more.merging(["productId": .string(product)]) { one, _ in one })
    }

    static let cases: [Case] = [
        Case(
            path: purchases, body: ["quantity": 1], status: 400, code: "malformedRequest", field: "productId",
            skError: 1),
        Case(
            path: purchases, body: ["productId": 1], status: 400, code: "malformedRequest", field: "productId",
            skError: 1),
        Case(
            path: purchases, body: ["productId": .null], status: 400, code: "malformedRequest", field: "productId",
            skError: 1),
        Case(
            path: purchases, body: purchase("film.roll", ["quantity": "2"]), status: 400, code: "malformedRequest",
            field: "quantity", skError: 1),
        Case(
            path: purchases, body: purchase("film.roll", ["includeReceipt": 1]), status: 400, code: "malformedRequest",
            field: "includeReceipt", skError: 1),
        Case(
            path: purchases,
            body: purchase("film.roll", ["idempotencyKey": .string(String(repeating: "k", count: 129))]),
            status: 400, code: "malformedRequest", field: "idempotencyKey", skError: 1),
        Case(path: purchases, body: [], status: 400, code: "malformedRequest", skError: 1),
        Case(path: purchases, status: 400, code: "malformedRequest", skError: 1),
        Case(
            path: "products", body: ["productIds": ["a", 2]], status: 400, code: "malformedRequest",
            field: "productIds.[1]", skError: 1),
        Case(
            path: "devices", body: ["account": "ann", "deviceId": "phone", "bundleId": "com.example.magazine"],
            status: 400,
            code: "malformedRequest", field: "deviceId", skError: 1),
        Case(
            path: purchases, body: purchase("film.roll", ["quantity": 11]), status: 400, code: "quantityOutOfRange",
            field: "quantity", skError: 3),
        Case(
            path: purchases, body: purchase("filter.amber", ["quantity": 2]), status: 400, code: "quantityOutOfRange",
            field: "quantity", skError: 3),
        Case(
            path: purchases, body: purchase("typo"), status: 404, code: "productNotAvailable", field: "productId",
            skError: 5),
        Case(
            path: purchases, body: purchase("retired"), status: 404, code: "productNotAvailable", field: "productId",
            skError: 5),
        Case(
            path: purchases, body: purchase("pass.1week"), status: 409, code: "termStillRunning", field: "productId",
            skError: 3),
        Case(
            path: purchases, body: purchase("monthly"), status: 409, code: "alreadySubscribed", field: "productId",
            skError: 3),
        Case(
            path: purchases, body: purchase("filter.amber", ["idempotencyKey": "used"]), status: 409,
            code: "idempotencyKeyReused", field: "idempotencyKey", skError: 3),
        Case(
            path: "products", body: ["productIds": .array(Array(repeating: "a", count: 1001))], status: 400,
            code: "tooManyProducts", field: "productIds", skError: 1),
        Case(
            path: purchases, body: purchase(String(repeating: "x", count: 140_000)), status: 413, code: "bodyTooLarge",
            skError: 1),
        Case(method: .get, path: "transactions/1/receipt", status: 404, code: "transactionNotFound", skError: 0),
        Case(method: .get, path: "transactions/one/receipt", status: 404, code: "transactionNotFound", skError: 0),
        Case(
            method: .get, path: "transactions/99999999999999999999/receipt", status: 404, code: "transactionNotFound",
            skError: 0),
        Case(
            path: "devices",
            body: ["account": "ann", "deviceId": .string(TestDevice.phone.id), "bundleId": "com.example.none"],
            status: 404, code: "appNotFound", skError: 0),
        Case(
            path: "devices",
            body: [
                "account": "locked", "password": "wrong", "deviceId": .string(TestDevice.phone.id),
                "bundleId": "com.example.magazine",
            ], status: 401, code: "unauthorized", skError: 1),
    ]

    @Test func `each refusal has its word, its status, its field and StoreKit's number`() async throws {
        try await StoreServer.run { server in
            let token = try await server.signIn("/sandbox")
            for product in ["pass.1week", "monthly"] { #expect(try await server.buy(product, token).status == 200) }
            _ = try await server.buy("film.roll", token, more: ["idempotencyKey": "used"])
            _ = try await server.control(
                .post, "/sandbox/control/v1/accounts", ["account": "locked", "password": "right"])
            for expected in Self.cases {
                let reply = try await server.ask(
                    expected.method, "/sandbox/store/v1/\(expected.path)", expected.body, bearer: token)
                try expect(reply, expected)
            }
        }
    }

    private func expect(_ reply: StoreServer.Reply, _ expected: Case) throws {
        #expect(reply.status == expected.status, "\(expected.testDescription)")
        #expect(reply.headers[.contentType] == "application/json")
        let error = try #require(
            reply.error, "\(expected.testDescription): \(String(decoding: reply.body, as: UTF8.self))")
        #expect(error["code"]?.text == expected.code, "\(expected.testDescription)")
        #expect(error["field"]?.text == expected.field, "\(expected.testDescription)")
        #expect(error["skError"]?.number == expected.skError, "\(expected.testDescription)")
        #expect(error["message"]?.text?.isEmpty == false)
    }

    static let accounts: [(account: JSONValue, case: Case)] = [
        (
            ["account": "ann", "paymentMethod": "declined"],
            Case(path: purchases, body: ["productId": "film.roll"], status: 402, code: "paymentDeclined", skError: 0)
        ),
        (
            ["account": "ann", "canMakePayments": false],
            Case(path: purchases, body: ["productId": "film.roll"], status: 403, code: "paymentsNotAllowed", skError: 4)
        ),
    ]

    @Test(arguments: accounts)
    func `what the account can't do is said so`(account: JSONValue, expected: Case) async throws {
        try await StoreServer.run { server in
            _ = try await server.control(.post, "/sandbox/control/v1/accounts", account)
            let token = try await server.signIn("/sandbox")
            let reply = try await server.ask(.post, "/sandbox/store/v1/purchases", expected.body, bearer: token)
            try expect(reply, expected)
        }
    }

    @Test func `free subscriptions outside Newsstand are refused`() async throws {
        try await StoreServer.run { server in
            let (token, _) = try await server.shop.signIn("ann", app: TestCatalog.otherBundleID)
            let reply = try await server.buy("news", token)
            try expect(reply, Case(path: "", status: 409, code: "newsstandOnly", field: "productId", skError: 5))
        }
    }

    static let calls: [(method: HTTPRequest.Method, path: String)] = [
        (.delete, "devices/current"), (.get, "storefront"), (.post, "products"), (.post, "purchases"),
        (.get, "transactions/unfinished"), (.post, "transactions/1/finish"), (.get, "transactions/1/receipt"),
        (.post, "restore"), (.get, "receipt"),
    ]

    @Test(arguments: calls)
    func `nothing is answered without a token that the environment gave`(method: HTTPRequest.Method, path: String)
        async throws
    {
        try await StoreServer.run { server in
            let elsewhere = try await server.signIn("/environments/staging")
            let body: JSONValue? = method == .post ? ["productId": "film.roll", "productIds": []] : nil
            for bearer in [nil, "", "wrong", elsewhere, StoreServer.controlToken] {
                let reply = try await server.ask(method, "/sandbox/store/v1/\(path)", body, bearer: bearer)
                try expect(reply, Case(path: path, status: 401, code: "unauthorized", skError: 1))
            }
            let name = try #require(HTTPField.Name("Authorization"))
            let basic = try await server.ask(method, "/sandbox/store/v1/\(path)", body, headers: [name: "Basic YTpi"])
            #expect(basic.status == 401)
        }
    }

    @Test func `bytes that are no JSON are refused`() async throws {
        try await StoreServer.run { server in
            let token = try await server.signIn("/sandbox")
            for body in ["{", "productId=film.roll", "\u{0}", "{\"productId\": \"film.roll\"", "[1"] {
                let reply = try await server.send(.post, "/sandbox/store/v1/purchases", Array(body.utf8), bearer: token)
                try expect(reply, Case(path: body, status: 400, code: "malformedRequest", skError: 1))
            }
            let broken = try await server.send(.post, "/sandbox/store/v1/purchases", [0xFF, 0xFE], bearer: token)
            #expect(broken.status == 400)
        }
    }

    static let unknown = ["none", "a%00b", "..", "%2e%2e", String(repeating: "x", count: 100)]

    @Test(arguments: [Engine.sqliteInMemory, .postgres], unknown)
    func `an environment that isn't there is not found`(engine: Engine, name: String) async throws {
        try await StoreServer.run(on: engine) { server in
            let reply = try await server.ask(.post, "/environments/\(name)/store/v1/devices", StoreServer.device("ann"))
            #expect(reply.status == 404)
            #expect([nil, "environmentNotFound"].contains(reply.error?["code"]?.text))
        }
    }

    @Test func `storage that fails is 503, to be asked again`() async throws {
        let fault = TestFault()
        try await StoreServer.run(faults: fault) { server in
            let token = try await server.signIn("/sandbox")
            _ = try await server.buy("film.roll", token)
            for error in [StorageError(.busy, "", ""), TestFault.InjectedError()] as [any Error] {
                fault.inject(at: .beforeCommit, with: error)
                let reply = try await server.buy("film.roll", token, more: ["idempotencyKey": "k"])
                try expect(reply, Case(path: "purchases", status: 503, code: "unavailable", skError: 0))
                #expect(reply.headers[.retryAfter] == "1")
            }
            // What repeating doesn't cure.
            for code in [StorageError.Code.corrupt, .statement, .constraint] {
                fault.inject(at: .beforeCommit, with: StorageError(code, "", ""))
                let reply = try await server.buy("film.roll", token, more: ["idempotencyKey": "k"])
                try expect(reply, Case(path: "purchases", status: 500, code: "internalError", skError: 0))
                #expect(reply.headers[.retryAfter] == nil)
            }
            #expect(try await server.buy("film.roll", token, more: ["idempotencyKey": "k"]).status == 200)
        }
    }
}
