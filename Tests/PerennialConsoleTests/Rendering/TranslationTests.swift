import Foundation
import Perennial
import Testing

@testable import PerennialConsole

/// The phrases of all chapters, read from their sources.
@Suite("Translations")
struct TranslationTests {
    /// A phrase as it stands in a source.
    private struct Literal {
        var place: String
        /// The languages by the labels `en`, `fr`, `pt`, `zh`, `de`.
        var texts: [String: String]
    }

    private static let literals = Result { try read() }
    private static let labels = ["en", "fr", "pt", "zh", "de"]

    /// Returns the console's sources, by the names of their files.
    private static func sources() throws -> [(name: String, text: String)] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Sources/PerennialConsole")
        let files = FileManager.default.enumerator(at: root.standardizedFileURL, includingPropertiesForKeys: nil)
        var sources: [(name: String, text: String)] = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift", file.lastPathComponent != "Phrase.swift" else { continue }
            sources.append((file.lastPathComponent, try String(contentsOf: file, encoding: .utf8)))
        }
        return sources
    }

    private static func read() throws -> [Literal] {
        var literals: [Literal] = []
        for (name, source) in try sources() {
            for start in source.ranges(of: "Phrase(") where source[..<start.lowerBound].last?.isLetter != true {
                // Phrases of tables are made of variables.
                guard source[start.upperBound...].first(where: { !$0.isWhitespace }) == "\"" else { continue }
                let line = source[..<start.lowerBound].count { $0 == "\n" } + 1
                literals.append(
                    Literal(place: "\(name):\(line)", texts: texts(source[start.upperBound...])))
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

    // MARK: - Words that no phrase literal has

    /// Values that stand as they are in every language: IDs, codes, numbers, and names of Apple's protocols and devices.
    private static let languageless: Set<String> = [
        "$0", "$0.month", "id", "line.rate", "month", "point.number", "transaction.id", "$0.id.rawValue",
        "NotificationType.didRenew.rawValue", "app.bundleID.rawValue", "base.rawValue", "bundleID.rawValue",
        "closing.bankCurrency.rawValue", "contribution.app.rawValue", "currency.rawValue", "device.family.rawValue",
        "device.rawValue", "environment.kind.rawValue", "id.rawValue", "money.currency.rawValue",
        "permission.rawValue", "rate", "rate.rawValue", "region.rawValue", "result.bundleID.rawValue",
        "total.currency.rawValue", "transaction.productID.rawValue",
    ]

    /// Raw values that a tooltip shows beside their words.
    private static let besideWords: Set<String> = ["measure", "entry.kind.rawValue"]

    @Test("what a page shows of an enumeration are words, not its raw values")
    func rawValues() throws {
        var found: Set<String> = []
        for (name, source) in try Self.sources() {
            for line in source.split(separator: "\n") {
                let values =
                    line.matches(of: /\.data\([^()]*?([A-Za-z0-9_.$?]+\.(?:rawValue|title))\b/).map { ($0.range, $0.1) }
                    + line.matches(of: /\.data\("\\\(([A-Za-z0-9_.$]+)\)"\)/).map { ($0.range, $0.1) }
                for (range, value) in values {
                    // One bare parameter may be anything: an ID that is mapped.
                    let value = String(value.replacing("?", with: ""))
                    guard value != "$0.rawValue" else { continue }
                    let isTooltip = line[..<range.lowerBound].hasSuffix("title: ") && Self.besideWords.contains(value)
                    #expect(isTooltip || Self.languageless.contains(value), "\(name): \(value)")
                    found.insert(value)
                }
            }
        }
        #expect(found == Self.languageless.union(Self.besideWords))
    }

    @Test("each case of an enumeration on a page has words of its own", arguments: Language.allCases)
    func cases(language: Language) {
        func check<Case: CaseIterable>(_ type: Case.Type, _ name: (Case) -> Phrase) {
            let texts = Set(type.allCases.map { name($0).text(in: language) })
            #expect(texts.count == type.allCases.count, "\(type)")
            #expect(!texts.contains(Words.amount.text(in: language)), "\(type)")
        }
        check(Posting.Account.self, LedgerWords.name(of:))
        check(MoneyRule.self, LedgerWords.title(of:))
        check(StatisticMeasure.self, MeasurePhrases.name)
        check(AppliedOffer.PaymentMode.self, \.phrase)
    }

    @Test("regions of financial reports are named in the visitor's language")
    func regions() {
        func names(_ code: String) -> [String] {
            Language.allCases.map {
                TextFormatter($0, now: Instant(milliseconds: 0)).string(.region(FinancialRegion(rawValue: code), $0))
            }
        }
        #expect(
            names("WW") == [
                "Rest of world (WW)", "Reste du monde (WW)", "Resto do mundo (WW)", "世界其他地區 (WW)",
                "Übrige Welt (WW)",
            ])
        #expect(names("BR")[0] == "Brazil (BR)" && names("BR")[4] == "Brasilien (BR)")
        for info in FinancialRegion.all { #expect(Set(names(info.region.rawValue)).count > 1, "\(info)") }
        #expect(names("ZZ") == Array(repeating: "ZZ", count: 5))
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
