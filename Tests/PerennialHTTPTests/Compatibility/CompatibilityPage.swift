import Foundation

/// `docs/reference/compatibility.md`, as its tests read it: a heading and the rows below it.
struct CompatibilityPage {
    struct Row: Sendable, CustomStringConvertible {
        /// An endpoint, a notification, a field.
        let subject: String
        /// `Suite: the test's name`.
        let test: String
        let difference: String
        var description: String { subject }

        var suite: String { String(test.prefix { $0 != ":" }) }
        var testName: String { String(test.dropFirst(suite.count + 2)) }
    }

    /// The project's root, four folders above this file.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private let sections: [String: [Row]]

    init() throws {
        let text = try String(
            contentsOf: Self.root.appendingPathComponent("docs/reference/compatibility.md"), encoding: .utf8)
        var sections: [String: [Row]] = [:]
        var heading = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") { heading = String(line.dropFirst(3)) }
            // The subject is code; so no header of a table is taken for a row.
            guard line.hasPrefix("| `") else { continue }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard cells.count == 3 else { continue }
            sections[heading, default: []].append(
                Row(subject: cells[0].trimmingCharacters(in: ["`"]), test: cells[1], difference: cells[2]))
        }
        self.sections = sections
    }

    var rows: [Row] { sections.values.flatMap { $0 } }
    func rows(_ heading: String) -> [Row] { sections[heading] ?? [] }
    func subjects(_ heading: String) -> Set<String> { Set(rows(heading).map(\.subject)) }

    /// Returns the third-level headings of a page below some second-level headings.
    static func headings(of path: String, below parents: Set<String>) throws -> [String] {
        let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        var isBelow = false
        return text.split(separator: "\n").compactMap { line in
            if line.hasPrefix("## ") { isBelow = parents.contains(String(line.dropFirst(3))) }
            return isBelow && line.hasPrefix("### ") ? String(line.dropFirst(4)) : nil
        }
    }

    /// The names of the tests of each suite, as the source of `Tests` has them.
    static func tests() throws -> [String: Set<String>] { try found.get() }

    private static let found = Result {
        let folder = root.appendingPathComponent("Tests")
        let heading = /^(?:@Suite.*\s)?struct (\w+Tests)\b/
        let (function, title) = (/func `([^`]+)`/, /@Test\("([^"]+)"/)
        var tests: [String: Set<String>] = [:]
        let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        while let url = walk?.nextObject() as? URL {
            guard url.pathExtension == "swift" else { continue }
            var suite = ""
            for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
                if line.contains("struct "), let match = line.firstMatch(of: heading) { suite = String(match.1) }
                if line.contains("func `"), let match = line.firstMatch(of: function) {
                    tests[suite, default: []].insert(String(match.1))
                }
                // With their target's name: those of StoreKit share names of suites with others.
                if line.contains("@Test(\""), let match = line.firstMatch(of: title) {
                    let target = url.pathComponents.dropFirst(folder.pathComponents.count).first ?? ""
                    tests["\(target).\(suite)", default: []].insert(String(match.1))
                }
            }
        }
        return tests
    }
}
