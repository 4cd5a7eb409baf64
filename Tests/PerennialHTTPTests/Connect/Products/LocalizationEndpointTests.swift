import HTTPTypes
import TestSupport
import Testing

/// Localizations of both versions, and the versions of metadata that they belong to.
struct LocalizationEndpointTests {
    /// A kind of localized resource: its paths, the relationship of version 1 and that of a version to its owner.
    struct Kind: Sendable, CustomTestStringConvertible {
        let localizations: String
        let owner: ConnectLink
        let relationship: String
        let versions: String
        let versionOwner: String
        let list: String

        var testDescription: String { localizations }
    }

    private static func kinds(_ connect: ConnectServer) async throws -> [Kind] {
        [
            Kind(
                localizations: "inAppPurchaseLocalizations",
                owner: ConnectLink("inAppPurchases", try await connect.appleID("filter.amber")),
                relationship: "inAppPurchaseV2", versions: "inAppPurchaseVersions", versionOwner: "inAppPurchase",
                list: "v2/inAppPurchases"),
            Kind(
                localizations: "subscriptionLocalizations",
                owner: ConnectLink("subscriptions", try await connect.appleID("monthly")),
                relationship: "subscription", versions: "subscriptionVersions", versionOwner: "subscription",
                list: "v1/subscriptions"),
            Kind(
                localizations: "subscriptionGroupLocalizations", owner: ConnectLink("subscriptionGroups", "magazine"),
                relationship: "subscriptionGroup", versions: "subscriptionGroupVersions",
                versionOwner: "subscriptionGroup", list: "v1/subscriptionGroups"),
        ]
    }

    @Test func `version 1 adds, changes and deletes texts of the current draft`() async throws {
        try await ConnectServer.run { connect in
            for kind in try await Self.kinds(connect) {
                let path = "v1/\(kind.localizations)"
                let made = try await connect.create(
                    path, ["locale": "fr-FR", "name": "Ambre"], [kind.relationship: kind.owner])
                #expect(made.status == 201 && made.attributes["state"] == "PREPARE_FOR_SUBMISSION", "\(kind)")
                let id = try #require(made.data?["id"]?.text)
                let list = "\(kind.list)/\(kind.owner.id)/\(kind.localizations)"
                #expect(try await connect.read(list).ids.contains(id))
                let changed = try await connect.change(path, id, ["name": "Ambre 2"])
                #expect(changed.status == 200 && changed.attributes["name"] == "Ambre 2")
                #expect(changed.attributes["locale"] == "fr-FR")
                let again = try await connect.create(
                    path, ["locale": "fr-FR", "name": "Ambre"], [kind.relationship: kind.owner])
                #expect(again.status == 409 && again.connectCode == "ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE")
                #expect(again.pointer == "/data/attributes/locale")
                #expect(try await connect.remove(path, id).status == 204)
                #expect(try await connect.read("\(path)/\(id)").status == 404)
                let versions = try await connect.read("\(kind.list)/\(kind.owner.id)/versions")
                #expect(versions.values("state").last == "PREPARE_FOR_SUBMISSION")
            }
        }
    }

    @Test func `an approved text keeps its ID when version 1 edits it`() async throws {
        try await ConnectServer.run { connect in
            let id = try await connect.appleID("filter.amber")
            let texts = try await connect.read("v2/inAppPurchases/\(id)/inAppPurchaseLocalizations")
            #expect(texts.values("locale") == ["en-US", "de-DE", "ja"] && Set(texts.values("state")) == ["APPROVED"])
            let text = try #require(texts.ids.first)
            let changed = try await connect.change("v1/inAppPurchaseLocalizations", text, ["name": "Amber"])
            #expect(changed.data?["id"]?.text == text && changed.attributes["state"] == "PREPARE_FOR_SUBMISSION")
            #expect(changed.attributes["name"] == "Amber")
            // Customers see the approved text until the next one is approved.
            let token = try await connect.server.signIn("/sandbox")
            let sold = try await connect.server.ask(
                .get, "/sandbox/store/v1/products?productId=filter.amber", bearer: token)
            #expect(!sold.body.isEmpty && !String(decoding: sold.body, as: UTF8.self).contains("\"Amber\""))
        }
    }

    @Test func `version 2 edits a draft, and only a draft`() async throws {
        try await ConnectServer.run { connect in
            for kind in try await Self.kinds(connect) {
                let path = "v2/\(kind.localizations)"
                let first = try await connect.read("\(kind.list)/\(kind.owner.id)/versions")
                var version = try #require(first.ids.last)
                if first.values("state").last == "APPROVED" {
                    let closed = try await connect.create(
                        path, ["locale": "it", "name": "Ambra"], ["version": ConnectLink(kind.versions, version)])
                    #expect(closed.status == 409 && closed.connectCode == "STATE_ERROR.ENTITY_STATE_INVALID")
                    let made = try await connect.create("v1/\(kind.versions)", [:], [kind.versionOwner: kind.owner])
                    #expect(made.status == 201 && made.attributes["state"] == "PREPARE_FOR_SUBMISSION")
                    #expect(made.attributes["version"] == 2)
                    version = try #require(made.data?["id"]?.text)
                }
                let second = try await connect.create("v1/\(kind.versions)", [:], [kind.versionOwner: kind.owner])
                #expect(second.status == 409 && second.connectCode == "STATE_ERROR")
                let text = try await connect.create(
                    path, ["locale": "it", "name": "Ambra"], ["version": ConnectLink(kind.versions, version)])
                #expect(text.status == 201 && text.attributes["state"] == nil)
                let id = try #require(text.data?["id"]?.text)
                #expect(try await connect.read("v1/\(kind.versions)/\(version)/localizations").ids.contains(id))
                let included = try await connect.read("\(path)/\(id)?include=version")
                #expect(included.data?["relationships"]?["version"]?["data"]?["id"]?.text == version)
                #expect(try await connect.change(path, id, ["name": "Ambra 2"]).attributes["name"] == "Ambra 2")
                #expect(try await connect.remove(path, id).status == 204)
            }
        }
    }

    @Test(arguments: [
        ("locale", "xx", "ENTITY_ERROR.ATTRIBUTE.INVALID"), ("name", "", "ENTITY_ERROR.ATTRIBUTE.REQUIRED"),
        ("name", String(repeating: "n", count: 36), "ENTITY_ERROR.ATTRIBUTE.INVALID"),
        ("description", String(repeating: "n", count: 56), "ENTITY_ERROR.ATTRIBUTE.INVALID"),
    ])
    func `a bad text is refused and opens no draft`(attribute: String, value: String, code: String) async throws {
        try await ConnectServer.run { connect in
            let id = try await connect.appleID("filter.amber")
            var attributes: [String: JSONValue] = ["locale": "it", "name": "Ambra"]
            attributes[attribute] = .string(value)
            let reply = try await connect.create(
                "v1/inAppPurchaseLocalizations", attributes, ["inAppPurchaseV2": ConnectLink("inAppPurchases", id)])
            #expect(
                reply.status == 409 && reply.connectCode == code && reply.pointer == "/data/attributes/\(attribute)")
            #expect(try await connect.read("v2/inAppPurchases/\(id)/versions").values("state") == ["APPROVED"])
        }
    }

    @Test func `another resource's UUID is unknown`() async throws {
        try await ConnectServer.run { connect in
            let id = try await connect.appleID("filter.amber")
            let text = try #require(
                try await connect.read("v2/inAppPurchases/\(id)/inAppPurchaseLocalizations").ids.first)
            for path in [
                "v1/subscriptionLocalizations/\(text)", "v1/inAppPurchaseVersions/\(text)",
                "v1/subscriptionGroupLocalizations/\(text)", "v1/inAppPurchaseLocalizations/1",
                "v1/inAppPurchaseLocalizations/4f0c6f0e-0d5e-4f0b-9d0a-0b1c2d3e4f50",
            ] {
                let reply = try await connect.read(path)
                #expect(reply.status == 404 && reply.connectCode == "NOT_FOUND", "\(path)")
            }
        }
    }
}
