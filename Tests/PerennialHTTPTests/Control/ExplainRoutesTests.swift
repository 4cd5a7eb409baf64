import HTTPTypes
import Perennial
import TestSupport
import Testing

@testable import PerennialHTTP

/// control/v1/explain: what its queries accept, and what openapi.json says of that.
struct ExplainRoutesTests {
    private static let app = "bundleId=com.example.magazine"

    @Test(
        arguments: [
            // Without sales by these devices: the value itself is understood.
            ("sales?\(app)&device=iPod+touch", 404, "figureNotFound", nil),
            ("sales?\(app)&device=iPod%20touch", 404, "figureNotFound", nil),
            ("sales?\(app)&device=iPod", 400, "malformedRequest", "device"),
            ("sales?\(app)&country=us", 200, nil, nil), ("sales?\(app)&country=USA&after=1-0", 200, nil, nil),
            ("sales?\(app)&country=XX", 400, "malformedRequest", "country"),
            ("sales?\(app)&after=1", 400, "malformedRequest", "after"),
            ("sales?\(app)&date=2025-12&frequency=monthly", 200, nil, nil),
            ("sales?\(app)&from=2025-12-01&to=2026-01-31&currency=USD", 200, nil, nil),
            ("sales?\(app)&from=2025-12-01&currency=EUR", 404, "figureNotFound", nil),
            ("sales?\(app)&from=2026-01-31&to=2025-12-01", 404, "figureNotFound", nil),
            ("sales?\(app)&date=2025-12", 400, "malformedRequest", "date"),
            ("subscription-events?\(app)&date=2025-13-01", 400, "malformedRequest", "date"),
            ("financial?month=2026-13", 400, "malformedRequest", "month"),
            ("financial?month=2026-04&region=XX", 400, "malformedRequest", "region"),
        ] as [(String, Int, String?, String?)])
    func `a query is understood or refused by its parameter`(query: String, status: Int, code: String?, field: String?)
        async throws
    {
        try await StoreServer.run { server in
            try await server.shop.buy("film.roll", as: "ann")
            let reply = try await server.control(.get, "/sandbox/control/v1/explain/\(query)")
            #expect((reply.status, reply.error?["code"]?.text) == (status, code))
            #expect(reply.error?["field"]?.text == field)
        }
    }

    @Test func `a price that isn't scheduled can't be cancelled`() async throws {
        try await StoreServer.run { server in
            let reply = try await server.control(
                .post, "/sandbox/control/v1/apps/com.example.magazine/products/monthly/price/cancel",
                ["at": "2027-01-01T00:00:00Z"])
            #expect((reply.status, reply.error?["code"]?.text) == (404, "priceNotScheduled"))
        }
    }

    @Test(arguments: [
        ("0.00817", true), ("0.02000", true), ("0.000000001", true), ("7", true), ("7.00000", true), ("0.10", true),
        ("999999999.999999999", true), ("0", false), ("0.000", false), ("0.0000000001", false), ("1.", false),
        ("1000000000", false), ("-1", false),
    ])
    func `an exchange rate is described as it is accepted`(rate: String, isAccepted: Bool) async throws {
        let keywords = try #require(ExchangeRateModel.constraints["rate"]?.keywords)
        let pattern = try #require(keywords["pattern"].flatMap { if case .string(let text) = $0 { text } else { nil } })
        #expect(try (Regex(pattern).firstMatch(in: rate) != nil) == isAccepted)
        try await StoreServer.run { server in
            let rates: JSONValue = [["month": "2025-12", "from": "JPY", "to": "USD", "rate": .string(rate)]]
            let reply = try await server.control(.post, "/sandbox/control/v1/finance/rates", ["rates": rates])
            #expect(reply.status == (isAccepted ? 200 : 400))
        }
    }
}
