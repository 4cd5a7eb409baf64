import HTTPTypes
import Perennial
import PerennialConnect
import TestSupport
import Testing

/// Submissions and their review (docs/reference/seller-operations.md, "Review").
struct ReviewEndpointTests {
    /// Creates a product that has all that its review needs.
    static func complete(_ connect: ConnectServer, _ productID: String = "coins") async throws -> String {
        let id = try await connect.makeProduct(productID)
        let link = ConnectLink("inAppPurchases", id)
        let text = try await connect.create(
            "v1/inAppPurchaseLocalizations", ["locale": "en-US", "name": "Coins", "description": "A hundred coins"],
            ["inAppPurchaseV2": link])
        #expect(text.status == 201)
        let place = try await connect.create(
            "v1/inAppPurchaseAvailabilities", ["availableInNewTerritories": true], ["inAppPurchase": link],
            lists: ["availableTerritories": [ConnectLink("territories", "USA")]])
        #expect(place.status == 201)
        let editor = connect.editor
        try await editor.edit(by: .control) { draft in
            let number = Int64(id) ?? 0
            _ = try draft.putScreenshot(of: number, fileName: "coins.png", AssetEndpointTests.png)
            try draft.update(number) { product in
                product.product.basePrice = Money(milliunits: 990, .usd)
                product.product.isPriced = true
            }
        }
        #expect(try await connect.read("v2/inAppPurchases/\(id)").attributes["state"] == "READY_TO_SUBMIT")
        return id
    }

    private static func version(_ connect: ConnectServer, _ product: String) async throws -> String {
        try #require(try await connect.read("v2/inAppPurchases/\(product)/versions").ids.last)
    }

    private static func submission(_ connect: ConnectServer) async throws -> String {
        let made = try await connect.create(
            "v1/reviewSubmissions", ["platform": "IOS"], ["app": ConnectLink("apps", ConnectServer.magazine)])
        #expect(made.status == 201)
        #expect(made.attributes == ["platform": "IOS", "state": "READY_FOR_REVIEW", "submittedDate": .null])
        return try #require(made.data?["id"]?.text)
    }

    private static func add(_ connect: ConnectServer, _ version: String, to submission: String) async throws
        -> StoreServer.Reply
    {
        try await connect.create(
            "v1/reviewSubmissionItems", [:],
            [
                "reviewSubmission": ConnectLink("reviewSubmissions", submission),
                "inAppPurchaseVersion": ConnectLink("inAppPurchaseVersions", version),
            ])
    }

    @Test func `an automatic review approves a submitted product at once`() async throws {
        try await ConnectServer.run { connect in
            let id = try await Self.complete(connect)
            let submitted = try await connect.create(
                "v1/inAppPurchaseSubmissions", [:], ["inAppPurchaseV2": ConnectLink("inAppPurchases", id)])
            #expect(submitted.status == 201)
            #expect(try await connect.read("v2/inAppPurchases/\(id)").attributes["state"] == "APPROVED")
        }
    }

    @Test func `an incomplete product is refused with what it lacks`() async throws {
        try await ConnectServer.run { connect in
            let id = try await connect.makeProduct()
            let submitted = try await connect.create(
                "v1/inAppPurchaseSubmissions", [:], ["inAppPurchaseV2": ConnectLink("inAppPurchases", id)])
            #expect((submitted.status, submitted.connectCode) == (409, "STATE_ERROR.ENTITY_STATE_INVALID"))
            let reasons = submitted.connectError?["meta"]?["associatedErrors"]?.members?.values.flatMap {
                $0.elements ?? []
            }
            #expect(reasons?.count == 4)
        }
    }

    @Test func `an operator approves and rejects the items of a submission`() async throws {
        try await ConnectServer.run { connect in
            #expect(
                try await connect.server.control(.put, "/control/v1/review-mode", ["mode": "manual"]).status == 200)
            let (first, second) = (try await Self.complete(connect), try await Self.complete(connect, "gems"))
            let submission = try await Self.submission(connect)
            let again = try await connect.create(
                "v1/reviewSubmissions", ["platform": "IOS"], ["app": ConnectLink("apps", ConnectServer.magazine)])
            #expect((again.status, again.connectCode) == (409, "STATE_ERROR"))
            for product in [first, second] {
                let item = try await Self.add(connect, try await Self.version(connect, product), to: submission)
                #expect(item.status == 201 && item.attributes["state"] == "READY_FOR_REVIEW")
            }
            let twice = try await Self.add(connect, try await Self.version(connect, first), to: submission)
            #expect((twice.status, twice.connectCode) == (409, "STATE_ERROR.ENTITY_STATE_INVALID"))
            let waiting = try await connect.change("v1/reviewSubmissions", submission, ["submitted": true])
            #expect(waiting.attributes["state"] == "WAITING_FOR_REVIEW")
            #expect(waiting.attributes["submittedDate"] != .null)
            #expect(try await connect.read("v2/inAppPurchases/\(first)").attributes["state"] == "WAITING_FOR_REVIEW")

            let open = try await connect.server.control(.get, "/control/v1/reviews")
            #expect(open["reviews"]?.elements?.first?["items"]?.elements?.map { $0["name"] } == ["coins", "gems"])
            let approved = try await connect.server.control(
                .post, "/control/v1/reviews/\(submission)/approve", ["items": [1]])
            #expect(approved["state"] == "IN_REVIEW")
            let rejected = try await connect.server.control(
                .post, "/control/v1/reviews/\(submission)/reject", ["reason": "Another product is shown"])
            #expect(rejected["state"] == "UNRESOLVED_ISSUES")
            #expect(try await connect.read("v2/inAppPurchases/\(first)").attributes["state"] == "APPROVED")
            #expect(try await connect.read("v2/inAppPurchases/\(second)").attributes["state"] == "REJECTED")

            let items = try await connect.read("v1/reviewSubmissions/\(submission)/items?include=inAppPurchaseVersion")
            #expect(items.values("state") == ["APPROVED", "REJECTED"])
            let item = try #require(items.ids.last)
            #expect(
                try await connect.change("v1/reviewSubmissionItems", item, ["resolved": true]).attributes["state"]
                    == "READY_FOR_REVIEW")
            #expect(try await connect.change("v1/reviewSubmissions", submission, ["submitted": true]).status == 200)
            #expect(try await connect.server.control(.post, "/control/v1/reviews/\(submission)/approve").status == 200)
            #expect(try await connect.read("v1/reviewSubmissions/\(submission)").attributes["state"] == "COMPLETE")
            #expect(try await connect.read("v2/inAppPurchases/\(second)").attributes["state"] == "APPROVED")
        }
    }

    @Test func `a submission is cancelled and its products can be submitted again`() async throws {
        try await ConnectServer.run { connect in
            _ = try await connect.server.control(.put, "/control/v1/review-mode", ["mode": "manual"])
            let product = try await Self.complete(connect)
            let submission = try await Self.submission(connect)
            _ = try await Self.add(connect, try await Self.version(connect, product), to: submission)
            let early = try await connect.change("v1/reviewSubmissions", submission, ["canceled": true])
            #expect((early.status, early.connectCode) == (409, "STATE_ERROR.ENTITY_STATE_INVALID"))
            _ = try await connect.change("v1/reviewSubmissions", submission, ["submitted": true])
            let cancelled = try await connect.change("v1/reviewSubmissions", submission, ["canceled": true])
            #expect(cancelled.attributes["state"] == "COMPLETE")
            #expect(try await connect.read("v2/inAppPurchases/\(product)").attributes["state"] == "READY_TO_SUBMIT")
            let list = try await connect.read(
                "v1/reviewSubmissions?filter[app]=\(ConnectServer.magazine)&filter[state]=COMPLETE")
            #expect(list.ids == [submission])
            let direct = try await connect.create(
                "v1/inAppPurchaseSubmissions", [:], ["inAppPurchaseV2": ConnectLink("inAppPurchases", product)])
            #expect(direct.status == 201)
        }
    }

    @Test func `a group with the ID of another app's group is reviewed`() async throws {
        try await ConnectServer.run { connect in
            let apps = Apps(
                database: connect.shop.database, wallClock: { TestStore.opening },
                randomBytes: SeededBytes(seed: 1).bytes)
            try await apps.register(TestCatalog.camera, sharedSecret: nil)
            let (editor, camera) = (connect.editor, TestCatalog.camera.appleID)
            let key = try await editor.edit(by: .control) { draft in
                try draft.insert(SubscriptionGroup(id: "magazine", referenceName: "Premium"), app: camera)
            }
            #expect(key != "magazine")
            try await editor.edit(by: .control) { draft in
                try draft.update(group: key) { group in
                    _ = try group.addLocalization(locale: "en-US") {
                        GroupLocalization(id: $0, locale: "en-US", name: "Premium")
                    }
                }
            }
            let version = try #require(try await editor.read { try $0.group(key) }).group.currentVersion.id
            let made = try await connect.create(
                "v1/reviewSubmissions", ["platform": "IOS"], ["app": ConnectLink("apps", String(camera))])
            let submission = try #require(made.data?["id"]?.text)
            let item = try await connect.create(
                "v1/reviewSubmissionItems", [:],
                [
                    "reviewSubmission": ConnectLink("reviewSubmissions", submission),
                    "subscriptionGroupVersion": ConnectLink("subscriptionGroupVersions", version),
                ])
            #expect(item.status == 201, "\(item.json ?? .null)")
        }
    }

    @Test func `items of other kinds are refused`() async throws {
        try await ConnectServer.run { connect in
            let submission = try await Self.submission(connect)
            let none = try await connect.create(
                "v1/reviewSubmissionItems", [:],
                ["reviewSubmission": ConnectLink("reviewSubmissions", submission)])
            #expect((none.status, none.connectCode) == (409, "ENTITY_ERROR.RELATIONSHIP.REQUIRED"))
            let other = try await connect.create(
                "v1/reviewSubmissionItems", [:],
                [
                    "reviewSubmission": ConnectLink("reviewSubmissions", submission),
                    "appEvent": ConnectLink("appEvents", "1"),
                ])
            #expect((other.status, other.connectCode) == (409, "ENTITY_ERROR.RELATIONSHIP.INVALID"))
        }
    }
}

extension ConnectServer {
    var editor: CatalogEditor { CatalogEditor(database: shop.database) { TestStore.opening } }
}
