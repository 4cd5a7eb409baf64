import HTTPTypes
import Perennial
import PerennialStore
import TestSupport
import Testing

/// `GET /metrics`, as Prometheus reads it.
struct MetricsTests {
    private static func metrics(_ server: StoreServer) async throws -> [String] {
        let reply = try await server.ask(.get, "/metrics")
        #expect(reply.status == 200)
        #expect(reply.headers[.contentType]?.hasPrefix("text/plain; version=0.0.4") == true)
        return String(decoding: reply.body, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `requests are counted by route, method and status, also those that fail`() async throws {
        try await StoreServer.run { server in
            for _ in 0..<3 { _ = try await server.ask(.get, "/health") }
            _ = try await server.ask(.post, "/environments/staging/verifyReceipt", [:])
            _ = try await server.ask(.get, "/environments/staging/control/v1/clock")
            _ = try await server.ask(.get, "/nothing/here")
            let lines = try await Self.metrics(server)
            let count = "perennial_http_request_duration_seconds_count"
            for (route, method, status, times) in [
                ("/health", "GET", 200, 3), ("/environments/{environment}/verifyReceipt", "POST", 200, 1),
                ("/environments/{environment}/control/v1/clock", "GET", 401, 1), ("NotFound", "GET", 404, 1),
            ] {
                let sample = "\(count){route=\"\(route)\",method=\"\(method)\",status=\"\(status)\"} \(times)"
                #expect(lines.contains(sample), "\(sample) in \(lines.filter { $0.hasPrefix(count) })")
            }
        }
    }

    @Test func `the journal's position rises with each purchase`() async throws {
        try await StoreServer.run { server in
            let sample = "perennial_journal_position{environment=\"Sandbox\",app=\"\(TestCatalog.bundleID.rawValue)\"}"
            let before = try await Self.metrics(server).first { $0.hasPrefix(sample) }
            #expect(before == nil)
            let bought = try await server.control(
                .post, "/sandbox/control/v1/purchases",
                [
                    "bundleId": .string(TestCatalog.bundleID.rawValue), "account": "ann",
                    "productId": "film.roll",
                ])
            #expect(bought.status == 200)
            #expect(try await Self.metrics(server).contains("\(sample) 1"))
        }
    }

    @Test func `purchases and renewals are counted, each once, and anew after a reset`() async throws {
        try await StoreServer.run { server in
            func count(_ kind: String) async throws -> String? {
                let sample =
                    "perennial_journal_entries_total{environment=\"Sandbox\",app=\"com.example.magazine\",kind=\"\(kind)\"} "
                return try await Self.metrics(server).first { $0.hasPrefix(sample) }.map {
                    String($0.dropFirst(sample.count))
                }
            }
            for _ in 0..<3 { try await server.shop.buy("film.roll", as: "ann") }
            try await server.shop.buy("monthly", as: "ann")
            #expect(try await count("purchased") == "3")
            #expect(try await count("renewed") == nil)
            try await server.shop.advance(by: .minutes(12))
            try await server.shop.buy("film.roll", as: "ben")
            #expect(try await count("purchased") == "4")
            #expect(try await count("subscribed") == "1")
            #expect(try await count("renewed") == "2")
            try await server.shop.store.reset()
            try await server.shop.buy("film.roll", as: "ann")
            #expect(try await count("purchased") == "1")
            #expect(try await count("renewed") == nil)
        }
    }
}
