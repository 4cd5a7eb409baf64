import Foundation
import NIOHTTP1
import PerennialDelivery
import PerennialStorage
import Testing

struct DeliveryRoutesTests {
    @Test func `the product list is cached by its tag`() async throws {
        _ = try await DeliveryServer.run { server in
            let path = "apps/com.example.photos/products"
            let list = try await server.ask(path)
            #expect(list.status == 200)
            #expect(list["Content-Type"] == "application/json")
            #expect(list["Cache-Control"] == "max-age=300")
            #expect(
                list.text
                    == #"{"products":[{"contentSize":10,"contentVersion":"2.0","productId":"filter","type":"nonConsumable"},"#
                    + #"{"productId":"pass.1week","type":"nonRenewing"}]}"#)
            let tag = try #require(list["ETag"])
            for known in [tag, "W/\(tag)", "\"old\", \(tag)", "*"] {
                let answer = try await server.ask(path, headers: ["If-None-Match": known])
                #expect((answer.status, answer.body) == (304, []))
            }
            #expect(try await server.ask(path, headers: ["If-None-Match": "\"old\""]).status == 200)
            #expect(try await server.ask("apps/com.example.none/products").status == 404)
        }
    }

    @Test func `a receipt is exchanged for a grant that opens its content`() async throws {
        let (_, deliveries) = try await DeliveryServer.run { server in
            let signedIn = try await server.ask(
                "customers/session", .POST,
                json: #"{"bundleId":"com.example.photos","customer":"ann","password":"secret"}"#)
            #expect(signedIn.status == 200)
            let token = try #require(try signedIn.object()["token"] as? String)
            let granted = try await server.ask(
                "grants", .POST, bearer: token, json: #"{"bundleId":"com.example.photos","receipt":"receipt"}"#)
            let grant = try granted.object()
            #expect(grant["environment"] as? String == "Sandbox")
            #expect(grant["expires"] as? String == "2026-01-01T01:00:00Z")
            let content = try #require((grant["content"] as? [[String: Any]])?.first)
            #expect(content["contentId"] as? String == "pack")
            #expect(content["transactionId"] as? String == "1")
            #expect(content["path"] as? String == "/delivery/v1/content/pack")
            #expect(content["size"] as? Int == 10)
            #expect(content["filename"] as? String == "Löwe.zip")
            #expect((grant["refused"] as? [Any])?.isEmpty == true)
            let term = try #require((grant["nonRenewing"] as? [[String: Any]])?.first)
            #expect(term["starts"] as? String == "2025-12-29T09:20:00Z")
            #expect(term["expires"] as? String == "2026-01-05T09:20:00Z")
            let file = try await server.ask("content/pack", bearer: grant["grant"] as? String)
            #expect(file.text == "0123456789")
            let terms = try await server.ask("terms", bearer: token).object()
            #expect((terms["nonRenewing"] as? [[String: Any]])?.first?["isActive"] as? Bool == true)
        }
        #expect(deliveries.map(\.customer) == ["ann"])
    }

    static let refusals: [(path: String, body: String, status: Int, code: String, field: String?)] = [
        ("grants", #"{"bundleId":"com.example.photos","receipt":"false"}"#, 403, "receiptInvalid", nil),
        ("grants", #"{"bundleId":"com.example.none","receipt":"receipt"}"#, 404, "appNotFound", nil),
        ("grants", #"{"bundleId":"com.example.photos"}"#, 400, "malformedRequest", "receipt"),
        ("grants", #"{"bundleId":"com.example.photos","receipt":""}"#, 400, "malformedRequest", "receipt"),
        ("grants", #"{"bundleId":7,"receipt":"receipt"}"#, 400, "malformedRequest", "bundleId"),
        ("grants", "", 400, "malformedRequest", nil),
        ("grants", "too large", 413, "bodyTooLarge", nil),
        (
            "customers/session", #"{"bundleId":"com.example.photos","customer":"a"}"#, 400, "malformedRequest",
            "password"
        ),
        (
            "customers/session", #"{"bundleId":"com.example.photos","customer":"a","password":""}"#, 400,
            "malformedRequest",
            "password"
        ),
    ]

    @Test(arguments: refusals)
    func `what is wrong is answered in the house's form`(
        row: (path: String, body: String, status: Int, code: String, field: String?)
    ) async throws {
        _ = try await DeliveryServer.run { server in
            // Made here: an argument is printed.
            let body = row.status == 413 ? String(repeating: "x", count: 3_200_000) : row.body
            let answer = try await server.ask(row.path, .POST, json: body)
            #expect(answer.status == row.status)
            let error = try #require(try answer.object("error"))
            #expect(error["code"] as? String == row.code)
            #expect(error["field"] as? String == row.field)
            #expect((error["message"] as? String)?.isEmpty == false)
            #expect(error["skError"] == nil)
            #expect(error["status"] as? Int == (row.code == "receiptInvalid" ? 21002 : nil))
        }
    }

    @Test func `a store that can't be asked is told with a time to come back`() async throws {
        struct Silent: ReceiptVerifying {
            func verify(receipt: String, password: String?) async throws -> AuthenticReceipt {
                throw DeliveryError(.storeUnavailable, "receipt", "no answer")
            }
        }
        _ = try await DeliveryServer.run(store: Silent()) { server in
            let answer = try await server.ask(
                "grants", .POST, json: #"{"bundleId":"com.example.photos","receipt":"receipt"}"#)
            #expect(answer.status == 503)
            #expect(answer["Retry-After"] == "30")
        }
    }

    @Test func `terms need a customer`() async throws {
        _ = try await DeliveryServer.run { server in
            let stranger = try await server.ask("terms")
            #expect(stranger.status == 401)
            let bearerOfGrant = try await server.ask("terms", bearer: server.grant())
            #expect(bearerOfGrant.status == 401)
        }
    }
}

extension Answer {
    fileprivate func object() throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
    }

    fileprivate func object(_ name: String) throws -> [String: Any]? {
        try object()[name] as? [String: Any]
    }
}
