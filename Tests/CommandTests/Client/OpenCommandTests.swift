import Foundation
import Perennial
import TestSupport
import Testing

@testable import PerennialCommand

/// The commands about the store as a whole: its console and its status.
struct OpenCommandTests {
    @Test func `the link to the console is printed, another one each time`() async throws {
        try await RunningStore.run { store in
            var links: Set<String> = []
            for _ in 0..<2 {
                let report = try await store.run("open", "--print")
                let path = try #require(try JSONValue(report.json)["path"]?.text)
                #expect(report.words == store.url + path)
                #expect(try JSONValue(report.json)["expires"]?.text != nil)
                links.insert(report.words)
            }
            #expect(links.count == 2)
        }
    }

    @Test func `the status names the store, its environments and what waits`() async throws {
        try await RunningStore.run { store in
            _ = try await store.buy("film.roll")
            let report = try await store.run("status")
            #expect(report.succeeded)
            let lines = report.words.split(separator: "\n").map(String.init)
            #expect(lines.contains { $0.hasPrefix("url ") && $0.hasSuffix(store.url) }, "\(report.words)")
            #expect(lines.contains { $0.hasPrefix("state ") && $0.hasSuffix("ready to sell") }, "\(report.words)")
            #expect(lines.contains { $0.hasPrefix("version ") && $0.hasSuffix(Version.current) }, "\(report.words)")
            #expect(lines.contains { $0.hasPrefix("ENVIRONMENT ") && $0.contains("WAITS") }, "\(report.words)")
            for name in ["Production", "Sandbox", "staging"] {
                #expect(lines.contains { $0.hasPrefix("\(name) ") }, "\(report.words)")
            }
            #expect(try JSONValue(report.json)["ready"] == true)
        }
    }
}
