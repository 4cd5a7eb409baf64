import Foundation
import Testing

/// The pages: every one can be reached, and every link and path leads somewhere.
struct DocumentationTests {
    /// A link of a page to another file, with the heading it names.
    private struct Link {
        let page: String
        let target: String
        /// The path from the project's root.
        let path: String
        let anchor: String?
    }

    private static let pages = Result { try SourceTree.pages() }

    /// Returns the relative links of a page, outside of code.
    private static func links(of page: SourceTree.File) -> [Link] {
        prose(of: page).flatMap { line in
            line.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
        }.filter { !$0.contains("://") && !$0.hasPrefix("mailto:") }.map { target in
            let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let path = parts[0].isEmpty ? page.path : normalized("\(page.folder)/\(parts[0])")
            return Link(page: page.path, target: target, path: path, anchor: parts.count > 1 ? parts[1] : nil)
        }
    }

    /// The lines that aren't in a block of code, without code spans.
    private static func prose(of page: SourceTree.File) -> [String] {
        var isCode = false
        return page.lines.filter { line in
            if line.hasPrefix("```") { isCode.toggle() }
            return !isCode && !line.hasPrefix("    ")
        }.map { $0.replacing(/`[^`]*`/, with: "`code`") }
    }

    private static func normalized(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") {
            if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }

    /// The anchors that GitHub makes of a page's headings.
    private static func anchors(of page: SourceTree.File) -> Set<String> {
        Set(
            page.lines.filter { $0.hasPrefix("#") }.map { line in
                let heading = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
                return heading.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
                    .replacing(" ", with: "-")
            })
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: SourceTree.project.root.appending(path: path).path)
    }

    /// The newcomers' tasks with a part of the lines that decide them.
    private static let deciding: [(task: String, text: String)] = [
        (
            "the length of Sandbox's shortened periods",
            "case .monthlyRenewalEveryFiveMinutes: .months(week: .minutes(3)"
        ),
        ("when verifyReceipt answers 21006", "latestExpired:"),
        ("the retry schedule of notifications", "[.hours(1), .hours(12), .hours(24), .hours(48), .hours(72)]"),
        ("the term that a product ID contains", "case \"m\", \"mo\", \"mon\", \"month\", \"months\": (.month, 1)"),
        ("how a refund ends access to content", "applyingKnownRefunds(known).cancellationDate != nil"),
    ]

    @Test func `the paths of the newcomers' tasks lead to files`() throws {
        let page = try SourceTree.project.file("docs/decisions/0013-newcomer-measures.md")
        let rows = page.lines.drop { $0 != "### Perennial" }.prefix { $0 != "### Neighbours" }
            .filter { $0.hasPrefix("| ") && $0.contains(".swift`") }
        #expect(rows.count == 5)
        for row in rows {
            let steps = row.matches(of: /`([^`]+\.swift)`/).map { String($0.1) }
            let target = steps.first.map { $0.prefix { $0 != "/" } } ?? ""
            for step in steps {
                let path = step.hasPrefix("\(target)/") ? "Sources/\(step)" : "/\(step)"
                let found = try SourceTree.swiftFiles(in: "Sources/\(target)").filter {
                    $0.path == path || $0.path.hasSuffix(path)
                }
                #expect(!found.isEmpty, "\(step)")
            }
            // The last file decides, and no earlier one.
            let texts = try steps.map { step in
                let path = step.hasPrefix("\(target)/") ? "Sources/\(step)" : "/\(step)"
                return try SourceTree.swiftFiles(in: "Sources/\(target)").filter {
                    $0.path == path || $0.path.hasSuffix(path)
                }.flatMap(\.lines).joined(separator: "\n")
            }
            let decides = Self.deciding.first { row.contains("| \($0.task) |") }?.text ?? "no text for this task"
            #expect(texts.map { $0.contains(decides) } == texts.indices.map { $0 == texts.count - 1 }, "\(row)")
            // The number of files opened stands in the last column.
            #expect(row.split(separator: "|").last?.trimmingCharacters(in: .whitespaces) == "\(steps.count)")
        }
    }

    @Test func `every link of a page leads to a file and a heading`() throws {
        let pages = Dictionary(uniqueKeysWithValues: try Self.pages.get().map { ($0.path, $0) })
        for link in pages.values.flatMap(Self.links) {
            #expect(Self.exists(link.path), "\(link.page): \(link.target)")
            guard let anchor = link.anchor, let page = pages[link.path] else { continue }
            #expect(Self.anchors(of: page).contains(anchor), "\(link.page): \(link.target)")
        }
    }

    @Test func `every page is reached from the README`() throws {
        let pages = Dictionary(uniqueKeysWithValues: try Self.pages.get().map { ($0.path, $0) })
        var reached: Set<String> = ["README.md"]
        var next = reached
        while !next.isEmpty {
            let found = Set(next.compactMap { pages[$0] }.flatMap(Self.links).map(\.path))
            next = found.subtracting(reached)
            reached.formUnion(next)
        }
        let all = pages.keys.filter { $0.hasPrefix("docs/") || !$0.contains("/") }
        #expect(all.filter { !reached.contains($0) }.sorted() == [])
    }

    @Test func `the README's first links lead to every kind of page`() throws {
        let readme = try SourceTree.project.file("README.md")
        let targets = Self.links(of: readme).map(\.path)
        for folder in ["docs/tutorial/", "docs/how-to/", "docs/reference/", "docs/decisions"] {
            #expect(targets.contains { $0.hasPrefix(folder) }, "\(folder)")
        }
    }

    /// The paths that pages name and a build or a store makes.
    private static let made = ["Examples/Magazine/content/generated"]

    private static let roots = ["docs/", "Sources/", "Tests/", "Benchmarks/", "Examples/", "scripts/"]

    @Test func `every path that a page or a comment names exists`() throws {
        let path = /(?:^|[\s`("])((?:docs|Sources|Tests|Benchmarks|Examples|scripts)\/[\w\/.+-]*[\w\/])/
        let swift = try ["Sources", "Tests", "Benchmarks"].flatMap(SourceTree.swiftFiles)
            .filter { !$0.path.hasPrefix("Tests/RepositoryTests/") }
        for file in try Self.pages.get() + swift {
            for (index, line) in file.lines.enumerated() {
                if file.path.hasSuffix(".swift"), !line.contains("//") { continue }
                guard line.contains("/"), Self.roots.contains(where: { line.contains($0) }) else { continue }
                for match in line.matches(of: path) {
                    let named = String(match.1)
                    let isMade = Self.made.contains { named.hasPrefix($0) }
                    #expect(isMade || Self.exists(named), "\(file.path):\(index + 1): \(named)")
                }
            }
        }
    }

    @Test func `every heading of Apple's behaviour that is cited exists`() throws {
        let page = try SourceTree.project.file("docs/reference/apple-behaviour.md")
        let headings = Set(
            page.lines.filter { $0.hasPrefix("#") }.map {
                $0.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)
            })
        let citation = /apple-behaviour\.md, ((?:(?:, | and )?"[^"]+")+)/
        for file in try ["Sources", "Tests"].flatMap(SourceTree.swiftFiles) {
            // A citation may go on in the next line of a comment.
            let text = file.lines.joined(separator: "\n").replacing(/\n\s*\/\/\/? ?/, with: " ")
            for match in text.matches(of: citation) {
                for heading in match.1.matches(of: /"([^"]+)"/) {
                    #expect(headings.contains(String(heading.1)), "\(file.path): \(heading.1)")
                }
            }
        }
    }

    @Test func `every operation of the control API is in its reference`() throws {
        let pages = try ["control", "notifications"].map { try SourceTree.project.file("docs/reference/\($0).md") }
        let rows = pages.flatMap(\.lines).filter { $0.hasPrefix("| `") }
        var operations = 0
        for file in try SourceTree.swiftFiles(in: "Sources/PerennialHTTP/Control") {
            let text = file.lines.joined(separator: "\n")
            // The beginnings that several routes of a file share.
            let constants = Dictionary(
                text.matches(of: /let (\w+) = "([^"]+)"/).map { (String($0.1), String($0.2)) }
            ) { first, _ in first }
            for match in text.matches(of: /routes\.(?:get|post|put|delete)\(\s*"([^"]+)"/) {
                let path = constants.merging(["path": "notifications"]) { own, other in
                    own.hasSuffix(other) ? other : own
                }.reduce(String(match.1)) {
                    $0.replacing("\\(\($1.key))", with: $1.value)
                }
                let parts = path.split(separator: "/").filter { !$0.hasPrefix(":") }
                #expect(rows.contains { row in parts.allSatisfy { row.contains($0) } }, "\(file.path): \(match.1)")
                operations += 1
            }
        }
        #expect(operations > 50)
    }

    @Test func `every symbol of a DocC catalogue is public`() throws {
        let catalogues = try Self.pages.get().filter { $0.folder.hasSuffix(".docc") }
        #expect(catalogues.count == 3)
        for page in catalogues {
            let lines = try SourceTree.swiftFiles(in: page.target).flatMap(\.lines)
            let declarations = lines.filter { $0.hasPrefix("public ") || $0.hasPrefix("open ") }.compactMap {
                $0.firstMatch(of: /^(?:public|open) (?:final )?(?:struct|class|enum|protocol|actor) (\w+)/)
                    .map { String($0.1) }
            }
            let symbols = page.lines.flatMap { line in line.matches(of: /``(\w+)``/).map { String($0.1) } }
            #expect(symbols.count > 10)
            let missing = Set(symbols).subtracting(declarations).subtracting(
                page.target.split(separator: "/").map(String.init))
            #expect(missing.sorted() == [], "\(page.path)")
        }
    }

    @Test func `no test or comment cites a sheet outside of the repository`() throws {
        let citation = try Regex(
            #"[Ff]acts? sheet|[Ff]acts [0-9]+\.[0-9]|[Ss]ections? [0-9.]+ of the facts|func `[0-9]+\.[0-9]+ "#)
        let found = try ["Sources", "Tests", "Benchmarks"].flatMap(SourceTree.swiftFiles)
            .filter {
                $0.contains(anyOf: ["sheet", "acts ", "the facts", "func `"])
                    && !$0.path.hasPrefix("Tests/RepositoryTests/")
            }.flatMap { file in
                file.lines.enumerated().filter { $0.element.contains(citation) }.map { "\(file.path):\($0.offset + 1)" }
            }
        #expect(found.count <= Self.citationsAllowed, "\(found.joined(separator: "\n"))")
    }

    private static let citationsAllowed = 0
}
