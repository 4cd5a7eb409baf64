import Foundation
import Testing

@testable import PerennialCommand

/// The table of `perennial nodes list`.
struct NodesCommandTests {
    private static func node(
        _ id: Int, isAnswering: Bool = false, silent: Double = 0.2, clock: Double = 0, works: String = ""
    ) -> String {
        """
        {"id": \(id), "host": "shop-\(id)", "processId": \(id)0, "version": "0.\(id)", "started": "2026-11-26T10:00:00Z",
         "isAnswering": \(isAnswering), "silentSeconds": \(silent), "clockDifferenceSeconds": \(clock), "works": [\(works)]}
        """
    }

    private static func rows(_ nodes: String...) throws -> [String] {
        let answer = try JSONDecoder().decode(
            NodesCommand.Answer.self, from: Data("{\"nodes\": [\(nodes.joined(separator: ","))]}".utf8))
        return answer.table.split(separator: "\n").map(String.init)
    }

    @Test func `each node is listed with its version, its state and its work`() throws {
        let rows = try Self.rows(
            Self.node(
                1, isAnswering: true,
                works: """
                    {"kind": "renewals", "environment": "Sandbox"},
                    {"kind": "rollUps", "environment": "Production", "bundleId": "com.example.camera"}
                    """),
            Self.node(2, silent: 2.5), Self.node(3, clock: -3600))
        #expect(rows.count == 4)
        for word in ["NODE", "HOST", "PROCESS", "VERSION", "STARTED", "STATE", "WORK"] {
            #expect(rows[0].contains(word))
        }
        for word in [
            "1*", "shop-1", "10", "0.1", "alive", "renewals of Sandbox, roll-ups of Production com.example.camera",
        ] { #expect(rows[1].contains(word), "\(rows[1])") }
        #expect(rows[2].contains("silent for 2.5 s") && rows[2].contains("requests"))
        #expect(rows[3].contains("alive, clock -3600.0 s off"))
    }

    @Test func `a node that is alone does everything`() throws {
        #expect(try Self.rows(Self.node(1, isAnswering: true)).last?.contains("all") == true)
    }
}
