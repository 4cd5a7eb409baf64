import HTTPTypes
import TestSupport
import Testing

/// Promoted purchases (docs/reference/seller-operations.md, "Promoted purchases").
struct PromotionEndpointTests {
    private static func promote(
        _ connect: ConnectServer, _ relationship: String, _ type: String, _ product: String
    ) async throws -> StoreServer.Reply {
        try await connect.create(
            "v1/promotedPurchases", ["visibleForAllUsers": true],
            [
                "app": ConnectLink("apps", ConnectServer.magazine),
                relationship: ConnectLink(type, try await connect.appleID(product)),
            ])
    }

    @Test func `products are promoted, reordered, hidden and withdrawn`() async throws {
        try await ConnectServer.run { connect in
            let first = try await Self.promote(connect, "subscription", "subscriptions", "monthly")
            #expect(first.status == 201)
            #expect(first.attributes == ["visibleForAllUsers": true, "enabled": true, "state": "APPROVED"])
            let second = try await Self.promote(connect, "inAppPurchaseV2", "inAppPurchases", "film.roll")
            let ids = try [first, second].map { try #require($0.data?["id"]?.text) }
            let app = "v1/apps/\(ConnectServer.magazine)"
            #expect(try await connect.read("\(app)/promotedPurchases").ids == ids)
            let order = try await connect.ask(
                .patch, "/sandbox/\(app)/relationships/promotedPurchases",
                ["data": .array(ids.reversed().map { ConnectLink("promotedPurchases", $0).json })])
            #expect(order.status == 204)
            #expect(try await connect.read("\(app)/promotedPurchases").ids == ids.reversed())
            let partial = try await connect.ask(
                .patch, "/sandbox/\(app)/relationships/promotedPurchases",
                ["data": [ConnectLink("promotedPurchases", ids[0]).json]])
            #expect((partial.status, partial.connectCode) == (409, "ENTITY_ERROR.RELATIONSHIP.INVALID"))
            let hidden = try await connect.change(
                "v1/promotedPurchases", ids[0], ["visibleForAllUsers": false, "enabled": false])
            #expect(hidden.attributes["visibleForAllUsers"] == false && hidden.attributes["enabled"] == false)
            let monthly = try await connect.appleID("monthly")
            #expect(
                try await connect.read("v1/subscriptions/\(monthly)/promotedPurchase").data?["id"]?.text == ids[0])
            #expect(try await connect.remove("v1/promotedPurchases", ids[0]).status == 204)
            #expect(try await connect.read("\(app)/promotedPurchases").ids == [ids[1]])
            let again = try await Self.promote(connect, "inAppPurchaseV2", "inAppPurchases", "film.roll")
            #expect(again.status == 409)
        }
    }
}
