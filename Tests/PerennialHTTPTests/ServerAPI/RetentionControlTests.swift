import AppStoreFormats
import Foundation
import HTTPTypes
import Perennial
import PerennialStore
import TestSupport
import Testing

/// Control operations on consumption and retention messages.
struct RetentionControlTests {
    private static let message = "a8f1b8bd-2f0d-4c86-9a65-b1d8ee2f9e1c"
    private static let base = "/control/v1"

    @Test func `what a seller told of a purchase is shown as it was told`() async throws {
        try await StoreServer.run { server in
            let roll = try await server.shop.buy("film.roll", as: "ann")
            let path = "/sandbox/control/v1/transactions/\(roll.id)/consumption"
            let none = try await server.control(.get, path)
            #expect((none.status, none.error?["code"]) == (404, "consumptionNotFound"))
            let json = #"{"customerConsented":true,"sampleContentProvided":false,"deliveryStatus":"DELIVERED"}"#
            let request = try ConsumptionRequest(parsing: ServerAPIRequestBody(Array(json.utf8)))
            try await server.shop.store.refunds.receiveConsumption(
                .version2(request), of: roll.id, in: TestCatalog.magazine())
            let shown = try await server.control(.get, path)
            #expect((shown["transactionId"], shown["version"]) == (.string("\(roll.id)"), 2))
            #expect(shown["received"]?.text.flatMap { Instant(rfc3339: $0) } != nil)
            #expect(try shown["consumption"] == JSONValue(Array(json.utf8)))
            for unknown in ["7", "x"] {
                let reply = try await server.control(.get, "/sandbox/control/v1/transactions/\(unknown)/consumption")
                #expect((reply.status, reply.error?["code"]) == (404, "transactionNotFound"))
            }
        }
    }

    @Test func `production's messages wait for a verdict, and then are what a customer sees`() async throws {
        try await StoreServer.run { server in
            let production = try await server.shop.environment("Production")
            let app = TestCatalog.magazine()
            let id = try #require(UUID(uuidString: Self.message))
            let upload = try UploadMessageRequest(
                parsing: ServerAPIRequestBody(Array(#"{"header":"Stay","body":"Please"}"#.utf8)))
            try await production.store.retention.uploadMessage(upload, id: id, for: app)
            let bought = try await production.buy("monthly", as: "ann")
            let path = "\(Self.base)/apps/com.example.magazine/retention-messages/\(Self.message)"
            let wrong = try await server.control(.put, path, ["state": "FINE"])
            #expect((wrong.status, wrong.error?["field"]) == (400, "state"))
            let unknown = "\(Self.base)/apps/com.example.magazine/retention-images/\(Self.message)"
            let image = try await server.control(.put, unknown, ["state": "APPROVED"])
            #expect((image.status, image.error?["code"]) == (404, "4040014"))
            let approved = try await server.control(.put, path, ["state": "APPROVED"])
            #expect(approved.status == 204)

            let shown = "\(Self.base)/subscriptions/\(bought.id)/retention-message"
            let nothing = try await server.control(.post, shown, ["locale": "en-US"])
            #expect(nothing.json == ["source": "none"])
            try await production.store.retention.setDefaultMessage(
                id, for: Product.ID(rawValue: "monthly"), locale: "en-US", of: app)
            let offer = try await server.control(.post, shown, ["locale": "en-US"])
            #expect((offer["source"], offer["messageIdentifier"]) == ("default", .string(Self.message)))
            #expect(offer["message"] == ["header": "Stay", "body": "Please"])
            let missing = try await server.control(.post, shown, [:])
            #expect((missing.status, missing.error?["field"]) == (400, "locale"))
        }
    }
}
