import AppStoreFormats
import HTTPTypes
import Perennial
import PerennialHTTP
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// `v1/salesReports` and `v1/financeReports` (docs/reference/connect-api.md, "Reports").
struct ReportEndpointTests {
    @Test(arguments: Engine.allCases)
    func `a daily report has the sales of its day`(engine: Engine) async throws {
        try await ConnectServer.run(on: engine) { connect in
            _ = try await connect.shop.buy("film.roll", quantity: 3, as: "ann")
            _ = try await connect.shop.buy("film.roll", as: "ben")
            connect.shop.clock.advance(by: .days(1))
            let reply = try await connect.get(connect.salesReport())
            #expect(reply.status == 200)
            let rows = try reply.rows()
            let units = rows.filter { $0["SKU"] == "film.roll" }.compactMap { Int($0["Units"] ?? "") }
            #expect(units.reduce(0, +) == 4)
            // Each environment has the reports of its own commerce.
            let production = try await connect.get(connect.salesReport().replacing("/sandbox", with: ""))
            #expect(production.status == 404)
        }
    }

    @Test func `a report's headers are those that clients compare`() async throws {
        try await ConnectServer.run { connect in
            _ = try await connect.shop.buy("film.roll", as: "ann")
            connect.shop.clock.advance(by: .days(1))
            let reply = try await connect.get(connect.salesReport())
            let name = "S_D_\(connect.vendor)_20251231.txt.gz"
            #expect(reply.headers[.contentType] == "application/a-gzip")
            #expect(reply.headers[.contentEncoding] == nil)
            #expect(reply.headers[.contentDisposition] == "attachment; filename=\(name)")
            #expect(reply.headers[try #require(HTTPField.Name("x-reports-filename"))] == name)
            #expect(reply.body.prefix(2) == [0x1F, 0x8B])
            let head = try await connect.ask(.head, connect.salesReport())
            #expect((head.status, head.body.isEmpty) == (200, true))
        }
    }

    @Test func `brackets may be raw or percent-encoded`() async throws {
        try await ConnectServer.run { connect in
            _ = try await connect.shop.buy("film.roll", as: "ann")
            connect.shop.clock.advance(by: .days(1))
            let raw = connect.salesReport()
            let encoded = raw.replacing("[", with: "%5B").replacing("]", with: "%5d")
            #expect(try await connect.get(raw).body == connect.get(encoded).body)
        }
    }

    @Test func `a vendor number has 8 digits, begins with 8 and stays`() async throws {
        try await ConnectServer.run { connect in
            #expect(connect.vendor.wholeMatch(of: /8[0-9]{7}/) != nil)
            try await connect.shop.registry.prepare()
            let again = try await connect.shop.database.read { try Vendor.vendorNumber(on: $0) }
            #expect(again == connect.vendor)
        }
    }

    /// A refusal: the changes to a good request, and the error that they cause.
    struct Refusal: Sendable, CustomTestStringConvertible {
        var words: String
        var changes: [String: String?] = [:]
        var more = ""
        var status = 400
        var code: String?
        var parameter: String?
        var detail: String?

        var testDescription: String { words }
    }

    static let refusals = [
        Refusal(
            words: "a missing type", changes: ["reportType": nil], code: "PARAMETER_ERROR.REQUIRED",
            parameter: "filter[reportType]"),
        Refusal(
            words: "an empty frequency", changes: ["frequency": ""], code: "PARAMETER_ERROR.REQUIRED",
            parameter: "filter[frequency]"),
        Refusal(
            words: "an unknown type", changes: ["reportType": "COFFEE"], code: "PARAMETER_ERROR.INVALID",
            parameter: "filter[reportType]"),
        Refusal(
            words: "two types", changes: ["reportType": "SALES,PRE_ORDER"], code: "PARAMETER_ERROR.INVALID",
            parameter: "filter[reportType]"),
        Refusal(
            words: "a day that isn't", changes: ["reportDate": "2025-13-01"], code: "PARAMETER_ERROR.INVALID",
            parameter: "filter[reportDate]"),
        Refusal(
            words: "an old version of subscriptions", changes: ["reportType": "SUBSCRIPTION", "version": "1_0"],
            code: "PARAMETER_ERROR.INVALID", parameter: "filter[version]", detail: "1_4"),
        Refusal(
            words: "an unknown parameter", more: "&filter[colour]=red", code: "PARAMETER_ERROR.ILLEGAL",
            parameter: "filter[colour]", detail: "The parameter 'filter[colour]' can not be used with this request"),
        Refusal(
            words: "a parameter of lists", more: "&limit=1", code: "PARAMETER_ERROR.ILLEGAL", parameter: "limit"),
        Refusal(
            words: "a repeated parameter", more: "&filter[frequency]=DAILY", code: "PARAMETER_ERROR.INVALID",
            parameter: "filter[frequency]"),
        Refusal(words: "a broken encoding", more: "&filter[version]=%zz", code: "PARAMETER_ERROR.INVALID"),
        Refusal(words: "a day without sales", status: 404, code: "NOT_FOUND", detail: "no sales"),
        Refusal(
            words: "a day that isn't over", changes: ["reportDate": "2026-01-02"], status: 404, code: "NOT_FOUND",
            detail: "not available"),
        Refusal(
            words: "subscriptions without a date",
            changes: [
                "reportType": "SUBSCRIPTION", "version": "1_3", "reportDate": nil,
            ], status: 404, code: "NOT_FOUND"),
    ]

    @Test(arguments: refusals)
    func `Apple's error refuses`(_ refusal: Refusal) async throws {
        try await ConnectServer.run { connect in
            connect.shop.clock.advance(by: .days(1))
            let reply = try await connect.get(connect.salesReport("2025-12-30", refusal.changes) + refusal.more)
            #expect(reply.status == refusal.status)
            #expect(reply.headers[.contentType] == "application/json")
            let error = try #require(reply.connectError?.members)
            #expect(Set(error.keys).isSubset(of: ["id", "status", "code", "title", "detail", "source"]))
            #expect(error["status"] == .string("\(refusal.status)"))
            #expect(error["code"]?.text == refusal.code)
            #expect(error["title"]?.text?.isEmpty == false)
            if let parameter = refusal.parameter { #expect(error["source"]?["parameter"]?.text == parameter) }
            if let detail = refusal.detail { #expect(error["detail"]?.text?.contains(detail) == true) }
            #expect(Set(reply.json?.members?.keys.map { $0 } ?? []) == ["errors"])
        }
    }

    @Test func `an unknown vendor is an error without a body`() async throws {
        try await ConnectServer.run { connect in
            connect.shop.clock.advance(by: .days(1))
            let reply = try await connect.get(connect.salesReport("2025-12-31", ["vendorNumber": "80000000"]))
            #expect(reply.status == 500)
            #expect(reply.body == [])
            #expect(reply.headers[.contentType] == "text/plain")
        }
    }

    @Test func `a request without a date is answered with the newest report`() async throws {
        try await ConnectServer.run { connect in
            _ = try await connect.shop.buy("film.roll", as: "ann")
            connect.shop.clock.advance(by: .days(1))
            let newest = try await connect.get(connect.salesReport(nil))
            #expect(newest.headers[.contentDisposition]?.contains("_20251231.") == true)
        }
    }

    @Test func `a finance report of an open month doesn't exist`() async throws {
        try await ConnectServer.run { connect in
            let path = "/sandbox/v1/financeReports?filter[vendorNumber]=\(connect.vendor)&filter[reportType]=FINANCIAL"
            let open = try await connect.get("\(path)&filter[regionCode]=US&filter[reportDate]=2026-04")
            #expect((open.status, open.connectCode) == (404, "NOT_FOUND"))
            let missing = try await connect.get("\(path)&filter[reportDate]=2026-04")
            #expect(missing.connectError?["source"]?["parameter"] == "filter[regionCode]")
            #expect(missing.connectCode == "PARAMETER_ERROR.REQUIRED")
            let version = try await connect.get("\(path)&filter[regionCode]=US&filter[version]=1_0")
            #expect(version.connectCode == "PARAMETER_ERROR.ILLEGAL")
        }
    }

    @Test(arguments: [
        ("GET", "/v1/nothing", 404, "PATH_ERROR"), ("GET", "/sandbox/v1", 404, "PATH_ERROR"),
        ("GET", "/environments/none/v1/apps", 404, "PATH_ERROR"), ("GET", "/v3/apps", 404, "PATH_ERROR"),
        ("POST", "/v1/salesReports", 403, "FORBIDDEN_ERROR"),
        ("DELETE", "/sandbox/v1/apps", 403, "FORBIDDEN_ERROR"),
    ])
    func `an unknown path and a wrong method are answered in Apple's form`(
        method: String, path: String, status: Int, code: String
    ) async throws {
        try await ConnectServer.run { connect in
            let method = try #require(HTTPRequest.Method(method))
            let reply = try await connect.ask(method, path)
            #expect((reply.status, reply.connectCode) == (status, code))
            #expect(reply.headers[.contentType] == "application/json")
        }
    }
}
