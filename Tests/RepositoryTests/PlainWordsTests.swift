import Foundation
import Testing

/// One concept, one word: the words of `PlainWords` stay out of sources, tests and pages.
struct PlainWordsTests {
    /// The numbers of lines that are still to be mended.
    private static let linesAllowed = (words: 0, identifiers: 0)

    private static let texts = Result {
        try ["Sources", "Tests", "Benchmarks"].flatMap(SourceTree.swiftFiles) + SourceTree.pages()
            + SourceTree.project.files(in: ["Tests", "Examples", "Benchmarks", "scripts"], extensions: ["py"])
    }

    /// Returns the lines that use one of some words, as whole words.
    private static func lines(with words: [String]) throws -> [String] {
        let set = Set(words)
        let lengths = Set(words.map(\.utf8.count))
        return try lines(in: { $0.contains(anyOf: words) }) { line in
            line.utf8.split { !Self.isPart(ofWord: $0) }.lazy.filter { lengths.contains($0.count) }
                .map { String(Substring($0)) }.first(where: set.contains)
        }
    }

    /// Returns the lines of some files in which a word is found that isn't allowed there.
    private static func lines(in isSearched: (SourceTree.File) -> Bool, where word: (String) -> String?) throws
        -> [String]
    {
        let files = try texts.get().filter { !$0.path.hasPrefix("Tests/RepositoryTests/PlainWords") && isSearched($0) }
        return files.flatMap { file in
            file.lines.enumerated().compactMap { index, line -> String? in
                guard let word = word(line) else { return nil }
                let isAllowed = PlainWords.allowed.contains {
                    ($0.path.isEmpty || file.path.contains($0.path)) && ($0.part.isEmpty || line.contains($0.part))
                }
                return isAllowed
                    ? nil : "\(file.path):\(index + 1): \(word): \(line.trimmingCharacters(in: .whitespaces))"
            }
        }
    }

    private static func isPart(ofWord byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: byte >= 0x80
        }
    }

    @Test func `sentences name their subject`() throws {
        let found = try Self.lines(with: PlainWords.words + PlainWords.words.map(\.capitalized))
        #expect(found.count <= Self.linesAllowed.words, "\(found.count):\n\(found.joined(separator: "\n"))")
    }

    @Test func `sentences of comments don't open with a clause in place of a noun`() throws {
        let opening = #/(?:^\s*///? |\. )(?:What|Those (?:that|who|which)|So many) /#
        let found = try Self.lines(
            in: { $0.path.hasPrefix("Sources/") && $0.contains(anyOf: ["What ", "Those ", "So many "]) },
            where: { line in
                let isComment = line.drop { $0 == " " }.hasPrefix("//")
                return isComment ? line.firstMatch(of: opening).map { String($0.0) } : nil
            })
        #expect(found.isEmpty, "\(found.count):\n\(found.joined(separator: "\n"))")
    }

    @Test func `identifiers have their standard names`() throws {
        let found = try Self.lines(with: Array(PlainWords.identifiers.keys))
        #expect(found.count <= Self.linesAllowed.identifiers, "\(found.count):\n\(found.joined(separator: "\n"))")
    }

    @Test func `no identifier is made of a word with a standard one`() throws {
        let parts = PlainWords.parts.keys.flatMap { [$0, $0.capitalized] }
        let found = try Self.lines(in: { $0.contains(anyOf: parts) }) { line in
            PlainWords.parts.keys.first { Self.identifier(in: line, isMadeOf: $0) }
        }
        #expect(found.isEmpty, "\(found.count):\n\(found.joined(separator: "\n"))")
    }

    @Test func `no file is named with a word that has a standard one`() throws {
        let files =
            try ["Sources", "Tests", "Benchmarks"].flatMap(SourceTree.swiftFiles).map(\.path)
            + SourceTree.project.files(in: ["Tests", "Examples"], extensions: ["py", "md"]).map(\.path)
        let found = files.filter { path in
            let name = path.split(separator: "/").last?.prefix { $0 != "." } ?? ""
            let isIdentifier = PlainWords.identifiers[String(name)] != nil
            let parts = Array(PlainWords.parts.keys) + PlainWords.words
            return isIdentifier || parts.contains { Self.identifier(in: String(name), isMadeOf: $0) }
        }
        #expect(found == [])
    }

    @Test(arguments: [
        ("struct DeedPhrases {", true), ("let changedBeforeDeed = 1", true), ("case deeds", true),
        ("let deed = 1", true),
        ("let deedlyName = 1", false), ("let indeed = 1", false), ("// outstanding deed", true),
    ])
    func `a part of an identifier is found`(line: String, isFound: Bool) {
        #expect(Self.identifier(in: line, isMadeOf: "deed") == isFound)
    }

    /// Returns true if an identifier in a line has a word, or its plural, among those that it is made of.
    private static func identifier(in line: String, isMadeOf word: String) -> Bool {
        [(word, false), (word.capitalized, true)].contains { spelling, isInner in
            var rest = line[...]
            while let found = rest.range(of: spelling) {
                let before = found.lowerBound == line.startIndex ? nil : line[line.index(before: found.lowerBound)]
                rest = line[found.upperBound...]
                let after = rest.hasPrefix("s") ? rest.dropFirst().first : rest.first
                let begins = isInner || before?.isLetter != true
                if begins, after?.isLowercase != true { return true }
            }
            return false
        }
    }

    @Test func `names of tests fit in a line of 80 characters`() throws {
        let long = try SourceTree.swiftFiles(in: "Tests").flatMap { file in
            Self.declarations(file.lines).compactMap(Self.name(in:)).filter { $0.count > 80 }.map {
                "\(file.path): \($0)"
            }
        }
        #expect(long.count <= Self.longNamesAllowed, "\(long.count):\n\(long.joined(separator: "\n"))")
    }

    private static let longNamesAllowed = 0

    @Test(arguments: [
        ("    @Test func `a refund ends access`() {", "a refund ends access"),
        (#"    @Test("A refund ends access")"#, "A refund ends access"),
        (#"    @Test("A refund ends access", arguments: [1, 2])"#, "A refund ends access"),
        (#"@Suite("Refunds")"#, "Refunds"), (#"    #expect(call("a") == "b")"#, nil), ("    func refunds() {", nil),
    ])
    func `the name of a test is its function's or its title`(line: String, name: String?) {
        #expect(Self.name(in: line) == name)
    }

    /// Returns lines, with a title that stands on a line of its own behind its attribute.
    private static func declarations(_ lines: [String]) -> [String] {
        zip([""] + lines, lines).map { previous, line in
            let isOpen = previous.hasSuffix("@Test(") || previous.hasSuffix("@Suite(")
            return isOpen ? previous + line.drop { $0 == " " } : line
        }
    }

    @Test func `a title on the line after its attribute is found`() {
        let lines = ["    @Test(", #"        "A refund ends access", arguments: [1])"#, "    func refund() {"]
        #expect(Self.declarations(lines).compactMap(Self.name(in:)) == ["A refund ends access"])
    }

    /// Returns the name between backticks or the title of a test or suite that a line declares.
    private static func name(in line: String) -> String? {
        guard line.contains("func `") || line.contains("@Test(\"") || line.contains("@Suite(\"") else { return nil }
        return line.firstMatch(of: /func `([^`]+)`|@(?:Test|Suite)\("((?:[^"\\]|\\.)+)"/).flatMap { match in
            (match.1 ?? match.2).map(String.init)
        }
    }
}
