import HTTPTypes
import Perennial
import TestSupport
import Testing

@testable import PerennialHTTP

/// control/v1/statistics: definitions and numbers.
struct StatisticRoutesTests {
    private static let path = "/sandbox/control/v1/statistics"
    private static let app = "bundleId=com.example.magazine"

    private static func run(_ test: @escaping @Sendable (StoreServer) async throws -> Void) async throws {
        try await StoreServer.run { server in
            try await server.shop.buy("film.roll", quantity: 3, as: "ann")
            try await server.shop.buy("film.roll", as: "ben")
            try await test(server)
        }
    }

    @Test func `every statistic is listed with its definition`() async throws {
        try await Self.run { server in
            let reply = try await server.control(.get, Self.path)
            #expect(reply.status == 200)
            let names = try #require(reply["statistics"]?.elements).compactMap { $0["name"]?.text }
            #expect(names == Statistic.allCases.map(\.rawValue))
            for name in names {
                let answer = try await server.control(.get, "\(Self.path)/\(name)?\(Self.app)&by=month")
                #expect(answer.status == 200, "\(name)")
                #expect(answer["definition"]?.text == Statistic(rawValue: name)?.definition)
            }
        }
    }

    @Test func `numbers are decimal texts, in the columns' order`() async throws {
        try await Self.run { server in
            let units = try await server.control(
                .get, "\(Self.path)/units?\(Self.app)&from=2025-12-31&to=2025-12-31&group=product")
            let rows = try #require(units["rows"]?.elements)
            #expect(rows.map { $0["period"]?.text } == ["2025-12-31"])
            #expect(rows.map { $0["group"]?.text } == ["film.roll"])
            #expect(rows.first?["values"] == .array(["4"]))
            let revenue = try await server.control(
                .get, "\(Self.path)/revenue?\(Self.app)&from=2025-12-31&to=2025-12-31")
            #expect(revenue["rows"]?.elements?.first?["currency"]?.text == "USD")
            let rate = try await server.control(
                .get, "\(Self.path)/conversion-to-paying?\(Self.app)&from=2025-12-31&to=2025-12-31&window=0")
            #expect(rate["rows"]?.elements?.first?["values"] == .array(["2", "2", "100.00"]))
            #expect(rate["columns"]?.elements?.last?["unit"]?.text == "percent")
        }
    }

    @Test(
        arguments: [
            ("nothing?\(app)", 404, "statisticNotFound", nil), ("units", 400, "malformedRequest", "bundleId"),
            ("units?bundleId=com.example.none", 404, "appNotFound", nil),
            ("units?\(app)&from=2026-02-30", 400, "malformedRequest", "from"),
            ("units?\(app)&from=2026-01-02&to=2026-01-01", 400, "malformedRequest", "from"),
            ("units?\(app)&by=year", 400, "malformedRequest", "by"),
            ("units?\(app)&group=person", 400, "malformedRequest", "group"),
            ("new-customers?\(app)&group=product", 400, "malformedRequest", "group"),
            ("revenue?\(app)&currency=dollars", 400, "malformedRequest", "currency"),
            ("units?\(app)&window=7", 400, "malformedRequest", "window"),
            ("ltv-per-customer?\(app)&window=8", 400, "malformedRequest", "window"),
        ] as [(String, Int, String, String?)])
    func `a question that can't be answered names its field`(
        question: String, status: Int, code: String, field: String?
    ) async throws {
        try await Self.run { server in
            let reply = try await server.control(.get, "\(Self.path)/\(question)")
            #expect(reply.status == status)
            #expect(reply.error?["code"]?.text == code)
            #expect(reply.error?["field"]?.text == field)
        }
    }
}
