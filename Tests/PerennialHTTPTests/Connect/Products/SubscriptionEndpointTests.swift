import Foundation
import HTTPTypes
import Perennial
import TestSupport
import Testing

/// `v1/subscriptionGroups`, `v1/subscriptions` and the grace period.
struct SubscriptionEndpointTests {
    private static func group(_ name: String, _ connect: ConnectServer) async throws -> StoreServer.Reply {
        try await connect.create(
            "v1/subscriptionGroups", ["referenceName": .string(name)],
            ["app": ConnectLink("apps", ConnectServer.magazine)])
    }

    private static func subscription(
        _ id: String, _ group: String, _ connect: ConnectServer, _ more: [String: JSONValue] = [:]
    ) async throws -> StoreServer.Reply {
        try await connect.create(
            "v1/subscriptions", more.merging(["name": "A plan", "productId": .string(id)]) { one, _ in one },
            ["group": ConnectLink("subscriptionGroups", group)])
    }

    @Test func `a group is created with a subscription in it`() async throws {
        try await ConnectServer.run { connect in
            let group = try await Self.group("Gold", connect)
            #expect(group.status == 201 && group.attributes == ["referenceName": "Gold"])
            let key = try #require(group.data?["id"]?.text)
            let made = try await Self.subscription("gold", key, connect)
            #expect(made.status == 201)
            #expect(
                made.attributes == [
                    "name": "A plan", "productId": "gold", "familySharable": false, "state": "MISSING_METADATA",
                    "subscriptionPeriod": .null, "reviewNote": .null, "groupLevel": 1,
                ])
            let id = try #require(made.data?["id"]?.text)
            let changed = try await connect.change(
                "v1/subscriptions", id, ["subscriptionPeriod": "THREE_MONTHS", "groupLevel": 3, "familySharable": true])
            #expect(changed.status == 200 && changed.attributes["subscriptionPeriod"] == "THREE_MONTHS")
            #expect(changed.attributes["groupLevel"] == 3 && changed.attributes["familySharable"] == true)
            #expect(try await Self.subscription("gold.2", key, connect).attributes["groupLevel"] == 4)
            #expect(
                try await connect.read("v1/subscriptionGroups/\(key)/subscriptions").values("productId") == [
                    "gold", "gold.2",
                ])
            let one = try await connect.read("v1/subscriptions/\(id)?include=group")
            #expect(one.data?["relationships"]?["group"]?["data"]?["id"]?.text == key)
        }
    }

    @Test func `a group with subscriptions isn't deleted, and a name is used once`() async throws {
        try await ConnectServer.run { connect in
            let key = try #require(try await Self.group("Gold", connect).data?["id"]?.text)
            let again = try await Self.group("Gold", connect)
            #expect(again.status == 409 && again.pointer == "/data/attributes/referenceName")
            let renamed = try await connect.change("v1/subscriptionGroups", key, ["referenceName": "Silver"])
            #expect(renamed.attributes == ["referenceName": "Silver"])
            let id = try #require(try await Self.subscription("gold", key, connect).data?["id"]?.text)
            let refused = try await connect.remove("v1/subscriptionGroups", key)
            #expect(refused.status == 409 && refused.connectCode == "STATE_ERROR")
            #expect(try await connect.remove("v1/subscriptions", id).status == 204)
            #expect(try await connect.remove("v1/subscriptionGroups", key).status == 204)
            #expect(try await connect.read("v1/subscriptionGroups/\(key)").status == 404)
        }
    }

    @Test func `an app's groups are listed with those of its catalog`() async throws {
        try await ConnectServer.run { connect in
            let list = "v1/apps/\(ConnectServer.magazine)/subscriptionGroups"
            let key = try #require(try await Self.group("Gold", connect).data?["id"]?.text)
            #expect(Set(try await connect.read(list).ids) == ["magazine", "family", key])
            #expect(try await connect.read("\(list)?filter%5BreferenceName%5D=Gold").ids == [key])
            #expect(
                Set(try await connect.read("\(list)?filter%5Bsubscriptions.state%5D=APPROVED").ids) == [
                    "magazine", "family",
                ])
            let monthly = try await connect.read(
                "v1/subscriptionGroups/magazine/subscriptions?filter%5BproductId%5D=monthly")
            #expect(monthly.values("subscriptionPeriod") == ["ONE_MONTH"])
        }
    }

    @Test func `a group from a file is reached by its links, whatever its ID`() async throws {
        var app = TestCatalog.magazine()
        for index in app.products.indices where app.products[index].subscription?.groupID == "magazine" {
            app.products[index].subscription?.groupID = "Premium / Größe 1%"
        }
        try await ConnectServer.run(app: app) { connect in
            let list = try await connect.read("v1/apps/\(ConnectServer.magazine)/subscriptionGroups")
            let group = try #require(list.data?.elements?.first { $0["id"] == "Premium / Größe 1%" })
            let link = try #require(group["relationships"]?["subscriptions"]?["links"]?["related"]?.text)
            let path = String(link[try #require(link.range(of: "/sandbox/")).lowerBound...])
            #expect(try await connect.get(path).values("productId").contains("monthly"))
        }
    }

    @Test(arguments: [
        ("subscriptionPeriod", JSONValue.string("ONE_DAY")), ("groupLevel", 0), ("groupLevel", 1001),
    ])
    func `a bad value of a subscription is refused with its pointer`(attribute: String, value: JSONValue) async throws {
        try await ConnectServer.run { connect in
            let reply = try await Self.subscription("gold", "magazine", connect, [attribute: value])
            #expect(reply.status == 409 && reply.pointer == "/data/attributes/\(attribute)")
            #expect(reply.connectCode?.hasPrefix("ENTITY_ERROR.ATTRIBUTE.INVALID") == true)
        }
    }

    @Test func `the period of an approved subscription stays`() async throws {
        try await ConnectServer.run { connect in
            let id = try await connect.appleID("monthly")
            let reply = try await connect.change(
                "v1/subscriptions", id, ["subscriptionPeriod": "ONE_YEAR", "name": "New"])
            #expect(reply.status == 409 && reply.pointer == "/data/attributes/subscriptionPeriod")
            #expect(try await connect.read("v1/subscriptions/\(id)").attributes["name"] == "Reference monthly")
        }
    }

    @Test func `a free subscription is shown as a subscription without a group`() async throws {
        try await ConnectServer.run { connect in
            let id = try await connect.appleID("newsletter")
            let reply = try await connect.read("v1/subscriptions/\(id)?include=group")
            #expect(reply.attributes["productId"] == "newsletter" && reply.attributes["subscriptionPeriod"] == .null)
            #expect(reply.data?["relationships"]?["group"]?["data"] == .null)
        }
    }

    @Test func `the grace period is opted in to for Production and Sandbox apart`() async throws {
        try await ConnectServer.run { connect in
            let path = "v1/apps/\(ConnectServer.magazine)/subscriptionGracePeriod"
            let before = try await connect.read(path)
            #expect(before.data?["id"]?.text == ConnectServer.magazine)
            #expect(before.attributes["optIn"] == false && before.attributes["duration"] == .null)
            let lacking = try await connect.change(
                "v1/subscriptionGracePeriods", ConnectServer.magazine, ["optIn": true])
            #expect(lacking.status == 409 && lacking.pointer == "/data/attributes/duration")
            let on = try await connect.change(
                "v1/subscriptionGracePeriods", ConnectServer.magazine,
                ["sandboxOptIn": true, "duration": "SIXTEEN_DAYS", "renewalType": "PAID_TO_PAID_ONLY"])
            #expect(
                on.attributes == [
                    "optIn": false, "sandboxOptIn": true, "duration": "SIXTEEN_DAYS",
                    "renewalType": "PAID_TO_PAID_ONLY",
                ])
            let off = try await connect.change(
                "v1/subscriptionGracePeriods", ConnectServer.magazine, ["sandboxOptIn": false])
            #expect(off.attributes["sandboxOptIn"] == false && off.attributes["duration"] == "SIXTEEN_DAYS")
        }
    }
}
