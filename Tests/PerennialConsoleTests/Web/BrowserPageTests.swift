import Foundation
import Perennial
import Testing

@testable import PerennialConsole

/// The list of pages that the browser's tests open: in all languages, at both widths, in both schemes.
struct BrowserPageTests {
    /// The parts of paths, or whole paths, for which names in braces stand in the list.
    private static let names = [
        "sold": "x", "FILM": "x", "SILVER": "x", "MAGAZINE": "x", "group": "groups/x", "user": "team/x",
        "key": "keys/x",
        "tester": "testers/x", "notification": "notifications/x",
    ]

    /// Returns the paths of the list, without their queries and with `x` in place of names.
    private static func listed() throws -> [String] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Browser/test_pages.py").standardizedFileURL
        let text = try String(contentsOf: file, encoding: .utf8)
        let list = try #require(text.firstMatch(of: /(?s)\nPAGES = \[(.*?)\n\]/)).output.1
        return list.matches(of: /"([^"]*)"/).map { match in
            var path = String(match.output.1.prefix { $0 != "?" })
            for (name, value) in names { path = path.replacing("{\(name)}", with: value) }
            return path
        }
    }

    @Test func `each page of the console is opened in the browser's tests`() throws {
        let listed = try Self.listed()
        #expect(listed.count > 50 && !listed.contains { $0.contains("{") }, "\(listed)")
        for route in ConsoleRoutes.all(of: ConsoleChapters.all) {
            guard case .page = route.handler else { continue }
            let pattern = route.path.split(separator: "/")
            let isOpened = listed.contains { path in
                let parts = path.split(separator: "/")
                return parts.count == pattern.count
                    && zip(pattern, parts).allSatisfy { $0.first == ":" || $0 == $1 }
            }
            #expect(isOpened, "add \(route.path) to PAGES of Tests/Browser/test_pages.py")
        }
    }
}
