import Foundation
import HTTPTypes
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// verifyReceipt over HTTP: 200 whatever the verdict.
struct VerifyReceiptRouteTests {
    static let methods: [HTTPRequest.Method] = [.get, .put, .delete, .patch, .head, .options, .trace]

    @Test(arguments: methods, StoreServer.places)
    func `whatever is no POST is 21000`(method: HTTPRequest.Method, place: String) async throws {
        try await StoreServer.run { server in
            let reply = try await server.ask(method, "\(place)/verifyReceipt")
            #expect(reply.status == 200)
            if method != .head { #expect(reply.json == ["status": 21000]) }
        }
    }

    @Test func `production, sandbox and further environments each verify their own`() async throws {
        try await StoreServer.run { server in
            let shops = try await [
                ("", server.shop.environment("Production")), ("/sandbox", server.shop),
                ("/environments/staging", server.shop.environment("staging")),
            ]
            // Rows: who issued. Columns: who is asked.
            let expected: [[JSONValue]] = [[0, 21008, 21008], [21007, 0, 21010], [21007, 21010, 0]]
            for (row, (_, shop)) in shops.enumerated() {
                let receipt = Data(try await shop.receipt(of: "ann")).base64EncodedString()
                for (column, (place, _)) in shops.enumerated() {
                    let reply = try await server.ask(
                        .post, "\(place)/verifyReceipt", ["receipt-data": .string(receipt)])
                    #expect(reply.status == 200)
                    #expect(reply["status"] == expected[row][column], "\(row) \(column)")
                }
            }
        }
    }

    static let contentTypes = [nil, "application/json", "application/x-www-form-urlencoded", "text/plain", "nonsense"]

    @Test(arguments: contentTypes)
    func `no Content-Type is asked for`(type: String?) async throws {
        try await StoreServer.run { server in
            let receipt = Data(try await server.shop.receipt(of: "ann")).base64EncodedString()
            var headers = HTTPFields()
            headers[.contentType] = type
            let reply = try await server.ask(
                .post, "/sandbox/verifyReceipt", ["receipt-data": .string(receipt)], headers: headers)
            #expect(reply["status"] == 0)
            #expect(reply.headers[.contentType] == "application/json")
        }
    }

    @Test func `a body of 3 MiB is read, a larger one is 21002`() async throws {
        try await StoreServer.run { server in
            let receipt = Data(try await server.shop.receipt(of: "ann")).base64EncodedString()
            let body = Array(#"{"receipt-data": "\#(receipt)"}"#.utf8)
            let full = body + [UInt8](repeating: 0x20, count: 3_145_728 - body.count)
            let reply = try await server.send(.post, "/sandbox/verifyReceipt", full)
            #expect(reply["status"] == 0)
            let over = try await server.send(.post, "/sandbox/verifyReceipt", full + [0x20])
            #expect((over.status, over.json) == (200, ["status": 21002]))
        }
    }

    static let malformed = ["", "{}", "[]", "{", "receipt-data=MIIB", #"{"receipt-data": 1}"#]

    @Test(arguments: malformed)
    func `a malformed body is answered by status`(body: String) async throws {
        try await StoreServer.run { server in
            let reply = try await server.send(.post, "/verifyReceipt", Array(body.utf8))
            #expect((reply.status, reply.json) == (200, ["status": 21002]))
        }
    }

    @Test func `the shared secret is asked for over HTTP too`() async throws {
        try await StoreServer.run { server in
            try await server.shop.buy("monthly", as: "ann")
            let receipt: JSONValue = .string(Data(try await server.shop.receipt(of: "ann")).base64EncodedString())
            let without = try await server.ask(.post, "/sandbox/verifyReceipt", ["receipt-data": receipt])
            #expect(without.json == ["status": 21004])
            let with = try await server.ask(
                .post, "/sandbox/verifyReceipt",
                [
                    "receipt-data": receipt, "password": .string(TestCatalog.sharedSecret),
                    "exclude-old-transactions": true,
                ])
            #expect(with["status"] == 0)
            #expect(with["latest_receipt_info"]?.elements?.count == 1)
        }
    }

    @Test(arguments: [Engine.sqlite, .postgres])
    func `without its database the store answers with a status alone`(
        engine: Engine
    ) async throws {
        try await StoreServer.run(on: engine) { server in
            server.shop.database.close()
            for place in StoreServer.places {
                let body = #"{"receipt-data": "MIIB"}"#
                let reply = try await server.send(.post, "\(place)/verifyReceipt", Array(body.utf8))
                #expect(reply.status == 200)
                #expect(reply.json?.members?.count == 1)
            }
            let reply = try await server.send(.post, "/verifyReceipt", Array("{}".utf8))
            #expect([21002, 21005].contains(reply["status"]?.number))
        }
    }
}
