import Foundation
import Perennial
import PerennialDelivery
import TestSupport
import Testing

/// delivery/v1/apps/…/reminders (docs/reference/delivery.md).
struct ReminderRoutesTests {
    private static let path = "apps/com.example.photos/reminders"

    @Test func `reminders are listed for the operator, from a position on`() async throws {
        _ = try await DeliveryServer.run { server in
            let token = try await server.delivery.openSession(
                customer: "ann", password: "password", bundleID: DeliveryServer.app)
            _ = try await server.delivery.grant(
                receipt: "receipt", bundleID: DeliveryServer.app, customerToken: token)
            #expect(try await server.delivery.remind(within: .days(7)) == 1)
            let listed = try await server.ask(
                "\(Self.path)?environment=Sandbox", bearer: DeliveryServer.operatorToken)
            let json = try JSONValue(listed.body)
            let reminder = try #require(json["reminders"]?.elements?.first)
            #expect((listed.status, json["next"], reminder["customer"]) == (200, 1, "ann"))
            #expect((reminder["productId"], reminder["transactionId"]) == ("pass.1week", "2"))
            let rest = try await server.ask(
                "\(Self.path)?environment=Sandbox&after=1", bearer: DeliveryServer.operatorToken)
            #expect(try JSONValue(rest.body) == ["reminders": [], "next": 1])
        }
    }

    static let refusals: [(path: String, bearer: String?, status: Int)] = [
        (path, nil, 401), (path, "wrong", 401), ("\(path)?environment=Mars", DeliveryServer.operatorToken, 400),
        ("\(path)?after=x", DeliveryServer.operatorToken, 400),
        ("apps/none/reminders", DeliveryServer.operatorToken, 404),
    ]

    @Test(arguments: refusals.indices)
    func `what can't be answered is refused`(index: Int) async throws {
        let (path, bearer, status) = Self.refusals[index]
        _ = try await DeliveryServer.run { server in
            let reply = try await server.ask(path, bearer: bearer)
            #expect(reply.status == status)
        }
    }
}
