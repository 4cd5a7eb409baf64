import HTTPTypes
import Perennial
import TestSupport
import Testing

/// Two writers on one product or group of the catalog (docs/reference/control.md, "Catalog").
struct CatalogRevisionTests {
    private static let catalog = "/control/v1/apps/com.example.magazine/catalog"
    private static let monthly = "\(catalog)/products/monthly"

    /// A change that names a revision.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let method: HTTPRequest.Method
        let path: String
        var body: [String: JSONValue]?
        /// The resource whose revision it is.
        let resource: String
        /// The change by which the other writer comes first.
        var first: (path: String, body: JSONValue)
    }

    private static let renaming: (String, JSONValue) = (monthly, ["name": "Renamed meanwhile"])
    private static let group = "\(catalog)/groups/family"

    static let changes: [Change] = [
        Change(
            testDescription: "a product", method: .post, path: monthly, body: ["name": "Later"], resource: monthly,
            first: renaming),
        Change(
            testDescription: "a price", method: .post, path: "\(monthly)/prices", body: ["price": 5990],
            resource: monthly, first: renaming),
        Change(
            testDescription: "a scheduled price", method: .post, path: "\(monthly)/prices",
            body: ["price": 5990, "at": "2094-01-01T00:00:00Z"], resource: monthly, first: renaming),
        Change(
            testDescription: "a new offer", method: .post, path: "\(monthly)/offers",
            body: ["kind": "promotional", "offerId": "new", "paymentMode": "payAsYouGo", "price": 990],
            resource: monthly, first: renaming),
        Change(
            testDescription: "an offer", method: .post, path: "\(monthly)/offers/promotional/half",
            body: ["price": 1490], resource: monthly, first: renaming),
        Change(
            testDescription: "an offer's deletion", method: .delete, path: "\(monthly)/offers/promotional/half",
            resource: monthly, first: renaming),
        Change(
            testDescription: "a price that waits", method: .post, path: "\(monthly)/prices/cancel",
            body: ["at": "2090-01-01T00:00:00Z"], resource: monthly, first: renaming),
        Change(
            testDescription: "a group", method: .post, path: group, body: ["name": "Later"], resource: group,
            first: (group, ["localizations": [["locale": "fr-FR", "name": "Famille"]]])),
    ]

    private static func prepare(_ server: StoreServer) async throws {
        let offer: JSONValue = [
            "kind": "promotional", "offerId": "half", "paymentMode": "payAsYouGo", "price": 2490,
        ]
        #expect(try await server.control(.post, "\(monthly)/offers", offer).status == 201)
        let price: JSONValue = ["price": 6990, "at": "2090-01-01T00:00:00Z"]
        #expect(try await server.control(.post, "\(monthly)/prices", price).status == 200)
    }

    private static func revision(_ server: StoreServer, _ path: String) async throws -> JSONValue {
        try #require(try await server.control(.get, path)["revision"])
    }

    private static func send(_ change: Change, _ revision: JSONValue, _ server: StoreServer) async throws
        -> StoreServer.Reply
    {
        guard var body = change.body else {
            return try await server.control(change.method, "\(change.path)?revision=\(revision.number ?? -1)")
        }
        body["revision"] = revision
        return try await server.control(change.method, change.path, .object(body))
    }

    @Test(arguments: changes)
    func `a change of what was changed meanwhile is refused, and made when read again`(change: Change) async throws {
        try await StoreServer.run { server in
            try await Self.prepare(server)
            let read = try await Self.revision(server, change.resource)
            #expect(try await server.control(.post, change.first.path, change.first.body).status == 200)
            let told = try await Self.send(change, read, server)
            #expect((told.status, told.error?["code"]) == (409, "changedMeanwhile"))
            let again = try await Self.send(change, try await Self.revision(server, change.resource), server)
            #expect((200..<300).contains(again.status))
            #expect(again["revision"] != read)
        }
    }

    @Test func `a deletion of what was changed meanwhile is refused`() async throws {
        try await StoreServer.run { server in
            let product: JSONValue = ["productId": "new.one", "type": "consumable", "name": "New one"]
            let group: JSONValue = ["name": "Club"]
            for (list, body, id) in [("products", product, "new.one"), ("groups", group, "Club")] {
                let made = try await server.control(.post, "\(Self.catalog)/\(list)", body)
                let path = "\(Self.catalog)/\(list)/\(id)"
                let text: JSONValue = ["localizations": [["locale": "fr-FR", "name": "Nouveau"]]]
                let changed = try await server.control(.post, path, text)
                let late = try await server.control(.delete, "\(path)?revision=\(made["revision"]?.number ?? -1)")
                #expect((late.status, late.error?["code"]) == (409, "changedMeanwhile"))
                let now = try #require(changed["revision"]?.number)
                #expect(try await server.control(.delete, "\(path)?revision=\(now)").status == 204)
            }
        }
    }

    @Test(arguments: ["", "x", "-1", "1.5", "9223372036854775808"])
    func `a revision that is no number deletes nothing`(revision: String) async throws {
        try await StoreServer.run { server in
            let path = "\(Self.catalog)/products/draft"
            let reply = try await server.control(.delete, "\(path)?revision=\(revision)")
            #expect((reply.status, reply.error?["field"]) == (400, "revision"))
            #expect(try await server.control(.get, path).status == 200)
        }
    }
}
