import BaseEncoding
import Crypto
import Foundation
import HTTPTypes
import Perennial
import PerennialHTTP
import TestSupport
import Testing

/// The analytics report flow (docs/reference/connect-api.md, "Analytics reports").
struct AnalyticsEndpointTests {
    private static let requests = "/sandbox/v1/analyticsReportRequests"

    private static func body(
        _ access: JSONValue = "ONGOING", app: JSONValue = "1234567", more: [String: JSONValue] = [:]
    ) -> JSONValue {
        let data: [String: JSONValue] = [
            "type": "analyticsReportRequests", "attributes": ["accessType": access],
            "relationships": ["app": ["data": ["type": "apps", "id": app]]],
        ]
        return ["data": .object(data.merging(more) { $1 })]
    }

    private static func path(of url: JSONValue?) throws -> String {
        let text = try #require(url?.text)
        return String(text[try #require(text.range(of: "/sandbox/")).lowerBound...])
    }

    /// Asks for reports of the magazine, sells, and lets the day end.
    private static func prepared(_ connect: ConnectServer) async throws -> String {
        let made = try await connect.ask(.post, requests, body())
        #expect(made.status == 201)
        #expect(made.data?["attributes"] == ["accessType": "ONGOING", "stoppedDueToInactivity": false])
        _ = try await connect.shop.buy("film.roll", quantity: 2, as: "ann")
        _ = try await connect.shop.buy("monthly", as: "ben")
        connect.shop.clock.advance(by: .days(1))
        return try #require(made.data?["id"]?.text)
    }

    /// Follows the flow of a client from a report's name to the file.
    private static func download(
        _ name: String, _ request: String, _ connect: ConnectServer, granularity: String = "DAILY"
    ) async throws -> StoreServer.Reply {
        let name = name.replacing(" ", with: "+")
        let reports = try await connect.get(
            "\(requests)/\(request)/reports?filter[name]=\(name)&filter[category]=COMMERCE")
        #expect(reports["meta"]?["paging"]?["total"] == 1)
        let report = try path(of: reports.data?.elements?.first?["relationships"]?["instances"]?["links"]?["related"])
        let instances = try await connect.get("\(report)?filter[granularity]=\(granularity)&limit=200")
        let instance = try path(
            of: instances.data?.elements?.first?["relationships"]?["segments"]?["links"]?["related"])
        let segments = try await connect.get(instance)
        let segment = try #require(segments.data?.elements?.first?["attributes"])
        let file = try await connect.server.ask(.get, try path(of: segment["url"]))
        #expect(file.status == 200)
        #expect(segment["sizeInBytes"]?.number == Int64(file.body.count))
        let checksum = Hexadecimal.encode(Array(Insecure.MD5.hash(data: Data(file.body))))
        #expect(segment["checksum"]?.text == checksum)
        return file
    }

    @Test(arguments: Engine.allCases)
    func `a purchase is in the purchases of its day`(engine: Engine) async throws {
        try await ConnectServer.run(on: engine) { connect in
            let request = try await Self.prepared(connect)
            let file = try await Self.download("App Store Purchases Standard", request, connect)
            #expect(try file.table().first == AnalyticsReport.purchases.columns)
            let rows = try file.rows()
            #expect(Set(rows.compactMap { $0["Date"] }) == ["2025-12-31"])
            let film = try #require(rows.first { $0["Content Apple Identifier"] == "101" })
            #expect(film["Purchases"] == "2" && film["Sales in USD"] == "1.98" && film["Territory"] == "US")
            #expect(rows.count == 2)
        }
    }

    @Test func `a subscription is in the states and the events of its day`() async throws {
        try await ConnectServer.run { connect in
            let request = try await Self.prepared(connect)
            let states = try await Self.download("App Store Subscription State Report Standard", request, connect)
            #expect(try states.table().first == AnalyticsReport.subscriptionState.columns)
            let state = try #require(try states.rows().first)
            #expect(state["State Metric"] == "Full price" && state["State Metric Grouping"] == "Paid plans")
            #expect(state["Counts"] == "1" && state["Subscription Duration"] == "1 Month")
            let events = try await Self.download("App Store Subscription Event Report Standard", request, connect)
            #expect(try events.table().first == AnalyticsReport.subscriptionEvent.columns)
            let event = try #require(try events.rows().first)
            #expect(event["Event Date"] == "2025-12-31")
            #expect(event["Event Sub Type"] == "Full Price Subscription Starts")
            #expect(event["Event Grouping"] == "Paid Subscription Starts" && event["Counts"] == "1")
        }
    }

    @Test func `a report without rows is a line of headers`() async throws {
        try await ConnectServer.run { connect in
            let request = try await Self.prepared(connect)
            connect.shop.clock.advance(by: .days(1))
            let file = try await Self.download("App Store Purchases Standard", request, connect)
            #expect(try file.table() == [AnalyticsReport.purchases.columns])
        }
    }

    @Test func `an instance appears when its period is over`() async throws {
        try await ConnectServer.run { connect in
            let request = try await Self.prepared(connect)
            let path = "/sandbox/v1/analyticsReports/r2-\(request)/instances"
            func dates(_ query: String) async throws -> [String] {
                let reply = try await connect.get("\(path)?\(query)")
                return reply.data?.elements?.compactMap { $0["attributes"]?["processingDate"]?.text } ?? []
            }
            #expect(try await dates("filter[granularity]=DAILY") == ["2026-01-01"])
            #expect(try await dates("filter[granularity]=WEEKLY") == [])
            connect.shop.clock.advance(by: .days(4))
            #expect(try await dates("filter[granularity]=WEEKLY") == ["2026-01-05"])
            #expect(try await dates("filter[granularity]=MONTHLY") == ["2026-01-01"])
            #expect(try await dates("filter[granularity]=DAILY").count == 5)
            #expect(try await dates("filter[processingDate]=2026-01-03") == ["2026-01-03"])
        }
    }

    @Test func `a snapshot has the year before it`() async throws {
        try await ConnectServer.run { connect in
            _ = try await connect.shop.buy("film.roll", as: "ann")
            connect.shop.clock.advance(by: .days(3))
            let made = try await connect.ask(.post, Self.requests, Self.body("ONE_TIME_SNAPSHOT"))
            let request = try #require(made.data?["id"]?.text)
            let file = try await Self.download("App Store Purchases Standard", request, connect)
            #expect(try file.rows().compactMap { $0["Date"] } == ["2025-12-31"])
        }
    }

    @Test func `a link to a file ends after five minutes and is good for its file only`() async throws {
        try await ConnectServer.run { connect in
            let request = try await Self.prepared(connect)
            let path = "/sandbox/v1/analyticsReportInstances/d2026-01-01-r2-\(request)/segments"
            let segments = try await connect.get(path)
            let link = try Self.path(of: segments.data?.elements?.first?["attributes"]?["url"])
            #expect(try await connect.server.ask(.get, link).status == 200)
            for wrong in [
                link.replacing("-r2-", with: "-r1-"), link.replacing("/sandbox", with: ""), link + "0",
                link.replacing("expires=1", with: "expires=2"), String(link.prefix { $0 != "?" }),
            ] {
                #expect(try await connect.server.ask(.get, wrong).status == 403, "\(wrong)")
            }
            connect.shop.clock.advance(by: .seconds(301))
            #expect(try await connect.server.ask(.get, link).status == 403)
        }
    }

    @Test func `a second request of a kind is refused until the first is deleted`() async throws {
        try await ConnectServer.run { connect in
            let first = try await connect.ask(.post, Self.requests, Self.body())
            let again = try await connect.ask(.post, Self.requests, Self.body())
            #expect((again.status, again.connectCode) == (409, "STATE_ERROR"))
            let id = try #require(first.data?["id"]?.text)
            let included = try await connect.get("\(Self.requests)/\(id)?include=reports&limit[reports]=2")
            #expect(included["included"]?.elements?.count == 2)
            #expect(
                included.data?["relationships"]?["reports"]?["meta"] == ["paging": ["total": 4, "limit": 2]])
            let listed = "/sandbox/v1/apps/1234567/analyticsReportRequests"
            #expect(try await connect.get("\(listed)?filter[accessType]=ONGOING").data?.elements?.count == 1)
            #expect(try await connect.get("\(listed)?filter[accessType]=ONE_TIME_SNAPSHOT").data?.elements == [])
            let deleted = try await connect.ask(.delete, "\(Self.requests)/\(id)")
            #expect((deleted.status, deleted.body, deleted.headers[.contentType]) == (204, [], "text/plain"))
            #expect(try await connect.ask(.delete, "\(Self.requests)/\(id)").status == 404)
            #expect(try await connect.ask(.post, Self.requests, Self.body()).status == 201)
        }
    }

    /// Bodies that are refused, with the code and the place in the body.
    static let bodies: [(body: JSONValue, status: Int, code: String, pointer: String?)] = [
        ([:], 422, "ENTITY_UNPROCESSABLE", nil), (["data": []], 422, "ENTITY_UNPROCESSABLE", nil),
        (body(more: ["id": "1"]), 422, "ENTITY_UNPROCESSABLE", nil),
        (body(more: ["type": "apps"]), 422, "ENTITY_UNPROCESSABLE", nil),
        (body(more: ["relationships": ["app": [:]]]), 422, "ENTITY_UNPROCESSABLE", nil),
        (body(more: ["attributes": [:]]), 409, "ENTITY_ERROR.ATTRIBUTE.REQUIRED", "/data/attributes/accessType"),
        (body("SOMETIMES"), 409, "ENTITY_ERROR.ATTRIBUTE.INVALID", "/data/attributes/accessType"),
        (body(1), 409, "ENTITY_ERROR.ATTRIBUTE.TYPE", "/data/attributes/accessType"),
        (
            body(more: ["attributes": ["accessType": "ONGOING", "colour": "red"]]), 409,
            "ENTITY_ERROR.ATTRIBUTE.UNKNOWN", "/data/attributes/colour"
        ),
        (body(more: ["relationships": [:]]), 409, "ENTITY_ERROR.RELATIONSHIP.REQUIRED", "/data/relationships/app"),
        (body(app: "99"), 409, "ENTITY_ERROR.RELATIONSHIP.INVALID", "/data/relationships/app/data/id"),
    ]

    @Test(arguments: bodies.indices)
    func `a wrong body is refused with its place`(index: Int) async throws {
        let given = Self.bodies[index]
        try await ConnectServer.run { connect in
            let reply = try await connect.ask(.post, Self.requests, given.body)
            #expect((reply.status, reply.connectCode) == (given.status, given.code))
            #expect(reply.connectError?["source"]?["pointer"]?.text == given.pointer)
        }
    }

    @Test(arguments: [
        ("analyticsReportRequests/x", "analyticsReportRequests"), ("analyticsReports/r9-x", "analyticsReports"),
        ("analyticsReports/r1-x/instances", "analyticsReports"),
        ("analyticsReportInstances/d2026-01-01-r1-x/segments", "analyticsReportInstances"),
        ("analyticsReportSegments/s1-d2026-01-01-r1-x", "analyticsReportSegments"),
    ])
    func `an unknown resource isn't found`(path: String, type: String) async throws {
        try await ConnectServer.run { connect in
            let reply = try await connect.get("/v1/\(path)")
            #expect((reply.status, reply.connectCode) == (404, "NOT_FOUND"))
            #expect(reply.connectError?["detail"]?.text?.contains("'\(type)'") == true)
        }
    }
}
