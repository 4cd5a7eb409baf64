import Foundation
import TestSupport
import Testing

@testable import PerennialHTTP

/// `docs/reference/connect-operations.md` has a row for each operation, and says what the store does with it.
///
/// Record it anew with `PERENNIAL_RECORD=1 swift test --filter ConnectOperationsPageTests`.
struct ConnectOperationsPageTests {
    private static let file = CompatibilityPage.root.appendingPathComponent("docs/reference/connect-operations.md")
    private static let marker = "<!-- The rest is made from the tables in Sources/PerennialHTTP/Connect/Schema. -->\n"

    @Test func `the page has the operations of the tables`() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let head = text.components(separatedBy: Self.marker)[0]
        let expected = head + Self.marker + Self.tables()
        if ProcessInfo.processInfo.environment["PERENNIAL_RECORD"] != nil {
            try expected.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        #expect(text == expected)
    }

    private static func tables() -> String {
        let (schema, engine) = (ConnectSchema.current, ConnectDirectory.current)
        var lines: [String] = []
        for name in schema.typeNames {
            guard let type = schema.type(name), !type.operations.isEmpty else { continue }
            lines += ["", "## `\(type.path)`", "", "| operation | since | in this store |", "|---|---|---|"]
            for operation in type.operations {
                let isServed = engine.isServed(operation)
                var words = isServed ? "served" : "refused: \(ConnectUnserved.reason(operation))"
                if operation.isDeprecated { words += "; deprecated by Apple" }
                lines.append("| `\(operation.name)` | \(operation.since) | \(words) |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
