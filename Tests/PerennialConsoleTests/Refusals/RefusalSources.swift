import Foundation

@testable import PerennialConsole

/// A refusal as it stands in the source of a use case.
struct RefusalSource {
    /// `Family.swift:27`.
    var place: String
    /// The sentence, with a sample for each value: one for each text that a value may have.
    var sentences: [String]
}

/// Finds the refusals in the sources of rules and use cases.
struct RefusalSources {
    private let text: [Character]
    private let name: String

    /// Returns all calls of initialisers of error types, and of functions that make errors.
    ///
    /// - Parameter makers: `StoreError`, `refusal`.
    static func all(of makers: [String], in folders: [String]) throws -> [RefusalSource] {
        let root = URL(filePath: #filePath).appending(path: "../../../../Sources").standardizedFileURL
        var found: [RefusalSource] = []
        for folder in folders {
            let files = FileManager.default.enumerator(
                at: root.appending(path: folder), includingPropertiesForKeys: nil)
            while let file = files?.nextObject() as? URL {
                guard file.pathExtension == "swift" else { continue }
                let source = try String(contentsOf: file, encoding: .utf8)
                guard makers.contains(where: { source.contains($0 + "(") }) else { continue }
                found += RefusalSources(text: Array(source), name: file.lastPathComponent).refusals(of: makers)
            }
        }
        return found
    }

    private func refusals(of makers: [String]) -> [RefusalSource] {
        let openings = makers.map { Array($0 + "(") }
        var found: [RefusalSource] = []
        var (index, line) = (0, 1)
        while index < text.count {
            if text[index] == "\n" { line += 1 }
            let isWordStart = index == 0 || !(text[index - 1].isLetter || text[index - 1] == ".")
            if isWordStart, let opening = openings.first(where: { text[index...].starts(with: $0) }) {
                let arguments = arguments(from: index + opening.count).list
                // The reason is the last one, after the code and the subject.
                if let reason = arguments.last, reason.first == "\"" || reason.contains(" ? \"") {
                    found.append(RefusalSource(place: "\(name):\(line)", sentences: Self.sentences(of: reason)))
                }
            }
            index += 1
        }
        return found
    }

    /// Reads the arguments of a call up to its closing parenthesis.
    private func arguments(from start: Int) -> (list: [String], end: Int) {
        var (list, depth, index, first) = ([String](), 0, start, start)
        func add(upTo end: Int) {
            let argument = String(text[first..<end]).trimmed
            // A label in front, other than a ternary's colon.
            if argument.firstMatch(of: /^[a-zA-Z]+:\s/) == nil { list.append(argument) }
        }
        while index < text.count {
            switch text[index] {
            case "\"":
                index = end(ofString: index)
                continue
            case "(", "[", "{": depth += 1
            case ")", "]", "}":
                if depth == 0 {
                    add(upTo: index)
                    return (list, index)
                }
                depth -= 1
            case "," where depth == 0:
                add(upTo: index)
                first = index + 1
            default: break
            }
            index += 1
        }
        return (list, index)
    }

    /// Returns the place behind a literal's closing quotation mark.
    private func end(ofString start: Int) -> Int {
        let isLong = text[start...].starts(with: Array(#"""""#))
        var index = start + (isLong ? 3 : 1)
        while index < text.count {
            if text[index] == "\\" {
                let isValue = index + 1 < text.count && text[index + 1] == "("
                index = isValue ? arguments(from: index + 2).end + 1 : index + 2
            } else if text[index] == "\"", !isLong || text[index...].starts(with: Array(#"""""#)) {
                return index + (isLong ? 3 : 1)
            } else {
                index += 1
            }
        }
        return index
    }

    // MARK: - Sentences

    /// Returns the texts that an expression of literals may have.
    private static func sentences(of expression: String) -> [String] {
        let source = RefusalSources(text: Array(expression), name: "")
        let literals = source.literals()
        if expression.first == "\"" {
            // Literals with plus signs between them.
            return literals.reduce([""]) { texts, more in texts.flatMap { text in more.map { text + $0 } } }
        }
        return literals.flatMap { $0 }
    }

    /// Returns the texts of each literal of the outermost level.
    private func literals() -> [[String]] {
        var (found, index) = ([[String]](), 0)
        while index < text.count {
            guard text[index] == "\"" else {
                index += 1
                continue
            }
            let end = end(ofString: index)
            let isLong = text[index...].starts(with: Array(#"""""#))
            let inside = Array(text[(index + (isLong ? 3 : 1))..<(end - (isLong ? 3 : 1))])
            found.append(RefusalSources(text: inside, name: "").samples())
            index = end
        }
        return found
    }

    /// Fills the values of a literal: with the texts in an expression, else with a sample.
    private func samples() -> [String] {
        var (texts, index, number) = ([""], 0, 0)
        while index < text.count {
            guard text[index] == "\\", index + 1 < text.count else {
                texts = texts.map { $0 + String(text[index]) }
                index += 1
                continue
            }
            if text[index + 1] == "(" {
                let (_, end) = arguments(from: index + 2)
                number += 1
                let inner = RefusalSources(text: Array(text[(index + 2)..<end]), name: "").literals().flatMap { $0 }
                let values = inner.isEmpty ? ["X\(number)"] : inner
                texts = texts.flatMap { text in values.map { text + $0 } }
                index = end + 1
            } else {
                texts = texts.map { $0 + String(text[index + 1]) }
                index += 2
            }
        }
        return texts
    }
}
