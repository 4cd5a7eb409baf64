import Foundation
import Testing

@testable import PerennialConsole

/// The phrases of all chapters, read from their sources.
@Suite("Translations")
struct TranslationTests {
    /// A phrase as it stands in a source.
    private struct Literal {
        var place: String
        /// By the labels `en`, `fr`, `pt`, `zh`, `de`.
        var texts: [String: String]
    }

    private static let literals = Result { try read() }
    private static let labels = ["en", "fr", "pt", "zh", "de"]

    private static func read() throws -> [Literal] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Sources/PerennialConsole")
        let files = FileManager.default.enumerator(at: root.standardizedFileURL, includingPropertiesForKeys: nil)
        var literals: [Literal] = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift", file.lastPathComponent != "Phrase.swift" else { continue }
            let source = try String(contentsOf: file, encoding: .utf8)
            for start in source.ranges(of: "Phrase(") where source[..<start.lowerBound].last?.isLetter != true {
                // Phrases of tables are made of variables.
                guard source[start.upperBound...].first(where: { !$0.isWhitespace }) == "\"" else { continue }
                let line = source[..<start.lowerBound].count { $0 == "\n" } + 1
                literals.append(
                    Literal(place: "\(file.lastPathComponent):\(line)", texts: texts(source[start.upperBound...])))
            }
        }
        return literals
    }

    /// Reads `"…", fr: "…", …)`.
    private static func texts(_ source: Substring) -> [String: String] {
        var (texts, rest, label) = ([String: String](), source, "en")
        while let first = rest.first, first != ")" {
            if first == "\"" {
                rest.removeFirst()
                var text = ""
                while let next = rest.popFirst(), next != "\"" {
                    if next == "\\", let escaped = rest.popFirst() { text.append(escaped) } else { text.append(next) }
                }
                texts[label, default: ""] += text
            } else if first.isLetter {
                label = String(rest.prefix(while: \.isLetter))
                rest = rest.dropFirst(label.count)
            } else {
                rest.removeFirst()
            }
        }
        return texts
    }

    @Test("each phrase is written out in five languages")
    func complete() throws {
        let literals = try Self.literals.get()
        #expect(literals.count > 100)
        for literal in literals {
            #expect(literal.texts.keys.sorted() == Self.labels.sorted(), "\(literal)")
            #expect(literal.texts.values.allSatisfy { !$0.isEmpty && $0.trimmed == $0 }, "\(literal)")
        }
    }

    @Test("a translation has the arguments of the English text")
    func arguments() throws {
        func arguments(_ text: String) -> Set<Substring> {
            Set(text.ranges(of: /%[1-9]/).map { text[$0] })
        }
        for literal in try Self.literals.get() {
            let sets = Set(literal.texts.values.map(arguments))
            #expect(sets.count == 1, "\(literal)")
        }
    }

    @Test("a translation differs from the English text, unless the word is the same")
    func translated() throws {
        for literal in try Self.literals.get() {
            let english = literal.texts["en"] ?? ""
            for label in Self.labels.dropFirst() where literal.texts[label] == english {
                #expect(SameWords.isSame(english, in: label), "\(literal.place): \(label) \"\(english)\"")
            }
        }
    }

    @Test("Chinese is written in Chinese")
    func chinese() throws {
        for literal in try Self.literals.get() {
            let text = literal.texts["zh"] ?? ""
            let hasIdeographs = text.unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) }
            #expect(
                hasIdeographs || SameWords.isSame(text, in: "zh"), "\(literal.place): \"\(text)\"")
            #expect(!text.contains { "们产环请设删说务这订单销".contains($0) }, "simplified: \(literal.place): \"\(text)\"")
        }
    }

    /// One word alone takes its form from what it says something of: Expiré, Expirée, Expirés.
    @Test("a phrase of several words has the same translations wherever it stands")
    func consistent() throws {
        let groups = Dictionary(grouping: try Self.literals.get()) { $0.texts["en"] ?? "" }
        for (english, literals) in groups where english.contains(" ") && !SameWords.ambiguous.contains(english) {
            let translations = Set(literals.map(\.texts))
            #expect(translations.count == 1, "\(english): \(literals.map(\.place)) \(translations)")
        }
    }
}
