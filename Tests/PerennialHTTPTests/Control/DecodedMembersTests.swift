import HTTPTypes
import TestSupport
import Testing

@testable import PerennialHTTP

/// Answers of control/v1 with signed data or receipts: the contents are beside the bytes.
struct DecodedMembersTests {
    private static let base = "/sandbox/control/v1"
    private static let query = "bundleId=com.example.magazine&account=ann"

    private static func isSigned(_ name: String) -> Bool {
        name.hasPrefix("signed") && name != "signedDate" || name.hasSuffix("Receipt")
    }

    @Test func `each answer with signed data or a receipt has a field for the contents`() async throws {
        try await StoreServer.run { server in
            let document = try await server.ask(.get, "/openapi.json")
            var signing: [String] = []
            func look(_ value: JSONValue?, _ place: String) {
                for member in value?.members ?? [:] { look(member.value, "\(place) \(member.key)") }
                for element in value?.elements ?? [] { look(element, place) }
                let properties = value?["properties"]?.members ?? [:]
                guard properties.keys.contains(where: Self.isSigned) else { return }
                signing.append(place)
                #expect(properties["decoded"] != nil, "\(place)")
            }
            for (path, operations) in document["paths"]?.members ?? [:] where path.contains("/control/v1/") {
                for (method, operation) in operations.members ?? [:] {
                    look(operation["responses"], "\(method) \(path)")
                }
            }
            #expect(signing.count > 10, "\(signing)")
        }
    }

    @Test func `contents are those of the bytes, also of what is signed inside`() async throws {
        try await StoreServer.run { server in
            func decoded(
                _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil
            ) async throws -> (answer: StoreServer.Reply, contents: JSONValue) {
                let reply = try await server.control(method, "\(Self.base)/\(path)", body)
                let names = try #require(reply.json?.members).keys.filter(Self.isSigned)
                let contents = try #require(reply["decoded"], "\(path)")
                #expect(Set(try #require(contents.members).keys).isSuperset(of: names), "\(path)")
                return (reply, contents)
            }
            let app = "apps/com.example.magazine/notifications"
            _ = try await server.control(.put, "\(Self.base)/\(app)", ["url": "http://127.0.0.1:9/"])
            let order: JSONValue = ["bundleId": "com.example.magazine", "account": "ann", "productId": "monthly"]
            let bought = try await decoded(.post, "purchases", order)
            let id = try #require(bought.answer["transactionId"]?.text)
            #expect(bought.contents["signedTransaction"]?["transactionId"] == .string(id))
            #expect(bought.contents["signedRenewalInfo"]?["autoRenewProductId"] == "monthly")
            #expect(bought.contents["transactionReceipt"]?["product-id"] == "monthly")
            #expect(try await decoded(.get, "subscriptions/\(id)").contents["signedTransaction"]?["type"] != nil)
            let download = try await decoded(.get, "app-transaction?\(Self.query)").contents
            #expect(download["signedAppTransaction"]?["bundleId"] == "com.example.magazine")
            let receipt = try await decoded(.get, "receipt?\(Self.query)").contents["appReceipt"]
            #expect(receipt == bought.contents["appReceipt"] && receipt?["bundle_id"] == "com.example.magazine")
            let refunded = try await decoded(.post, "transactions/\(id)/refund").contents
            #expect(refunded["signedTransaction"]?["revocationReason"] == 0)

            let listed = try await server.control(.get, "\(Self.base)/\(app)/history")
            let first = try #require(listed["notifications"]?.elements?.last)
            #expect(first["decoded"] == nil)
            let uuid = try #require(first["notificationUUID"]?.text)
            let notification = try await decoded(.get, "\(app)/history/\(uuid)").contents
            #expect(notification["signedPayload"]?["notificationUUID"] == .string(uuid))
            #expect(notification["signedPayload.data.signedTransactionInfo"]?["transactionId"] == .string(id))
        }
    }
}
