import AppStoreFormats
import HTTPTypes
import Perennial
import TestSupport
import Testing

@testable import PerennialHTTP

/// control/v1/reports: rows and files of Sales and Trends.
struct ReportRoutesTests {
    /// A server whose Sandbox sold three rolls of film and a subscription two days ago, in Pacific time on 31 December.
    private static func run(_ test: @escaping @Sendable (StoreServer) async throws -> Void) async throws {
        try await StoreServer.run { server in
            try await server.shop.buy("film.roll", quantity: 3, as: "ann")
            try await server.shop.buy("monthly", as: "ben")
            server.shop.clock.advance(by: .days(2))
            try await test(server)
        }
    }

    @Test func `a report is listed row by row`() async throws {
        try await Self.run { server in
            let reply = try await server.control(.get, "/sandbox/control/v1/reports/sales?date=2025-12-31&version=1_0")
            #expect(reply.status == 200)
            let columns = try #require(reply["columns"]?.elements).compactMap(\.text)
            #expect(columns == ReportLayout.sales1_0.columns.map(\.header))
            #expect(reply["name"]?.text?.hasSuffix("_20251231") == true)
            let rows = try #require(reply["rows"]?.elements).map { $0.elements?.compactMap(\.text) ?? [] }
            #expect(rows.count == 2)
            let units = try #require(columns.firstIndex(of: "Units"))
            let sku = try #require(columns.firstIndex(of: "SKU"))
            #expect(rows.first { $0[sku] == "film.roll" }?[units] == "3")
            #expect(rows.allSatisfy { $0.count == columns.count })
        }
    }

    @Test(arguments: [
        "sales", "sales?frequency=daily&date=2025-12-31", "subscription?date=2025-12-31",
        "subscription-event?date=2025-12-31", "subscriber?date=2025-12-31",
    ])
    func `a report without parameters is the newest, and its file has the same rows`(report: String) async throws {
        try await Self.run { server in
            let listed = try await server.control(.get, "/sandbox/control/v1/reports/\(report)")
            #expect(listed.status == 200, "\(listed.error ?? .null)")
            let parts = report.split(separator: "?").map(String.init)
            let query = parts.count > 1 ? "?\(parts[1])" : ""
            let file = try await server.control(.get, "/sandbox/control/v1/reports/\(parts[0])/file\(query)")
            #expect(file.status == 200)
            #expect(file.headers[.contentType] == "application/a-gzip")
            let name = try #require(listed["name"]?.text)
            #expect(file.headers[.contentDisposition] == "attachment; filename=\(name).txt.gz")
            let table = try ReportTable(file.body)
            #expect(JSONValue.array(table.headers.map { .string($0) }) == listed["columns"])
            #expect(JSONValue.array(table.rows.map { .array($0.cells.map { .string($0) }) }) == listed["rows"])
        }
    }

    @Test(
        arguments: [
            ("nothing", 404, "reportNotFound", nil), ("sales?date=2025-12-01", 404, "reportNotFound", "date"),
            ("sales?date=2026-01-02", 404, "reportNotFound", "date"),
            ("sales?date=2026-01", 404, "reportNotFound", "date"),
            ("sales?date=yesterday", 400, "malformedRequest", "date"),
            ("sales?frequency=hourly", 400, "malformedRequest", "frequency"),
            ("sales?version=1.0", 400, "malformedRequest", "version"),
            ("subscription?version=1_2", 404, "reportNotFound", "version"),
            ("subscriber?frequency=monthly", 404, "reportNotFound", "frequency"),
            ("offer-code-redemption", 404, "reportNotFound", "date"),
        ] as [(String, Int, String, String?)])
    func `a report that doesn't exist is refused with the reason`(
        report: String, status: Int, code: String, field: String?
    ) async throws {
        try await Self.run { server in
            let reply = try await server.control(.get, "/sandbox/control/v1/reports/\(report)")
            #expect(reply.status == status)
            #expect(reply.error?["code"]?.text == code)
            #expect(reply.error?["field"]?.text == field)
            #expect(reply.error?["message"]?.text?.isEmpty == false)
        }
    }
}
