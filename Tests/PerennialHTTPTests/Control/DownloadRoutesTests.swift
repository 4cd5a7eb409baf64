import HTTPTypes
import Perennial
import PerennialStore
import TestSupport
import Testing

/// Downloads by the control API, and the devices that store/v1 and the control API say.
struct DownloadRoutesTests {
    private static let body: [String: JSONValue] = [
        "bundleId": "com.example.magazine", "account": "ann", "device": .string(TestDevice.phone.id),
        "version": "2.0", "deviceFamily": "iPad",
    ]

    @Test(arguments: StoreServer.places)
    func `a download is recorded once and listed`(place: String) async throws {
        try await StoreServer.run { server in
            for kind in ["downloaded", nil] as [String?] {
                let reply = try await server.control(.post, "\(place)/control/v1/downloads", .object(Self.body))
                #expect(reply.status == 200)
                #expect(reply["kind"]?.text == kind)
            }
            var update = Self.body
            update["version"] = "2.1"
            // The device stays what it is.
            update["deviceFamily"] = nil
            let reply = try await server.control(.post, "\(place)/control/v1/downloads", .object(update))
            #expect(reply["kind"] == "updated")
            #expect(reply["price"] == 0)
            let listed = try await server.control(
                .get, "\(place)/control/v1/apps/com.example.magazine/downloads?account=ann")
            let item = try #require(listed["downloads"]?.elements?.first)
            #expect(item["version"] == "2.1")
            #expect(item["deviceFamily"] == "iPad")
            #expect(item["installed"] == true)
        }
    }

    @Test(arguments: [
        ("device", "phone", 400), ("deviceFamily", "Newton", 400), ("version", "", 400),
        ("bundleId", "com.example.none", 404),
    ])
    func `a wrong download is refused by its field, and makes no account`(
        field: String, value: String, status: Int
    ) async throws {
        try await StoreServer.run { server in
            var body = Self.body
            body[field] = .string(value)
            let reply = try await server.control(.post, "/sandbox/control/v1/downloads", .object(body))
            #expect(reply.status == status)
            if status == 400 { #expect(reply.error?["field"]?.text == field) }
            #expect(try await server.shop.count("accounts") == 0)
        }
    }

    @Test func `a paid app that can't be paid is refused with 402`() async throws {
        var app = TestCatalog.magazine()
        app.price = AppPrice(Money(milliunits: 1990, .usd))
        try await StoreServer.run(app: app) { server in
            try await server.shop.account("ann", payment: .declined)
            let reply = try await server.control(.post, "/sandbox/control/v1/downloads", .object(Self.body))
            #expect(reply.status == 402)
            #expect(reply.error?["code"] == "paymentDeclined")
        }
    }

    @Test func `a device says its family at sign-in, and its purchases have it`() async throws {
        try await StoreServer.run { server in
            var body = try #require(StoreServer.device("ann").members)
            body["deviceFamily"] = "Apple Vision"
            let session = try await server.ask(.post, "/sandbox/store/v1/devices", .object(body))
            let token = try #require(session["token"]?.text)
            #expect(try await server.buy("film.roll", token).status == 200)
            let facts = try await server.shop.journal().map { $0.entry.facts }
            #expect(facts.map { $0?.device } == [.appleVision, .appleVision])
            #expect(facts.map { $0?.appVersion } == ["2.1", "2.1"])
            body["deviceFamily"] = "Newton"
            let refused = try await server.ask(.post, "/sandbox/store/v1/devices", .object(body))
            #expect(refused.status == 400)
            #expect(refused.error?["field"] == "deviceFamily")
        }
    }

    @Test func `a purchase of the control API has the device that it names`() async throws {
        try await StoreServer.run { server in
            var body: [String: JSONValue] = [
                "bundleId": "com.example.magazine", "account": "ann", "productId": "film.roll",
            ]
            #expect(
                try await server.control(.post, "/sandbox/control/v1/purchases", .object(body)).status == 200)
            body["device"] = "Desktop"
            body["appVersion"] = "3.0"
            #expect(
                try await server.control(.post, "/sandbox/control/v1/purchases", .object(body)).status == 200)
            let facts = try await server.shop.journal().map { $0.entry.facts }
            #expect(facts == [nil, SaleFacts(device: .desktop, appVersion: "3.0")])
            body["device"] = "Newton"
            let refused = try await server.control(.post, "/sandbox/control/v1/purchases", .object(body))
            #expect(refused.error?["field"] == "device")
        }
    }
}
