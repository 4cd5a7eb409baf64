import Foundation

/// The measures of `docs/decisions/0013-newcomer-measures.md`, taken from a tree's Swift files.
struct SourceMeasures {
    let files: [SourceTree.File]

    // MARK: - Doc comments

    /// A doc comment that opens with a clause, a pronoun, a preposition or an adverb in place of a verb or a noun. *True if* of a
    /// Boolean is allowed: its subject is the value.
    struct Opening: CustomStringConvertible {
        let path: String
        let line: Int
        let text: String
        var description: String { "\(path):\(line): \(text)" }
    }

    /// The words that open a clause or stand for a noun.
    static let clauses: Set<String> = [
        "what", "who", "whom", "whose", "which", "where", "when", "how", "whether", "whatever", "whoever", "wherever",
        "whichever", "whenever", "it", "its", "he", "his", "she", "her", "they", "their", "them", "we", "our", "you",
        "this", "that", "these", "those", "such", "nobody", "somebody", "anybody", "everybody", "someone", "anyone",
        "everyone", "nothing", "something", "anything", "everything",
    ]

    /// The prepositions, adverbs and negations that open a fragment: *In bytes.* has no subject.
    static let fragments: Set<String> = [
        "in", "on", "at", "by", "of", "for", "from", "with", "without", "since", "before", "after", "while", "as",
        "over",
        "under", "between", "below", "above", "beside", "never", "not", "no", "only", "also", "there", "more", "too",
        "so",
    ]

    /// The number of doc comments, and those that don't open with a verb or a noun.
    func openings() -> (count: Int, clauses: [Opening]) {
        var count = 0
        var found: [Opening] = []
        for file in files {
            var isInside = false
            for (index, line) in file.lines.enumerated() {
                let text = line.drop { $0 == " " || $0 == "\t" }
                guard text.hasPrefix("///") else {
                    isInside = false
                    continue
                }
                defer { isInside = true }
                guard !isInside else { continue }
                count += 1
                let sentence = text.dropFirst(3).drop { $0 == " " }
                let first = sentence.prefix { $0.isLetter }.lowercased()
                let isAll = sentence.hasPrefix("All that ") || sentence.hasPrefix("All who ")
                if Self.clauses.contains(first) || Self.fragments.contains(first) || isAll {
                    found.append(Opening(path: file.path, line: index + 1, text: String(sentence)))
                }
            }
        }
        return (count, found)
    }

    // MARK: - Files and folders

    /// The paths of files with fewer than 40 lines.
    var shortFiles: [String] { short.map(\.path) }

    /// The paths of short files without an idea of their own: those that don't declare exactly one type or function, named like
    /// the file.
    var shortFragments: [String] {
        let declaration = Self.declaration
        return short.filter { file in
            let names = file.lines.compactMap { $0.firstMatch(of: declaration).map { String($0.1) } }
            return names != [file.path.split(separator: "/").last.map { String($0.dropLast(".swift".count)) } ?? ""]
        }.map(\.path)
    }

    /// A declaration outside of all others that the target sees.
    private static var declaration: Regex<(Substring, Substring)> {
        /^(?:@\w+(?:\([^)]*\))? )*(?:(?:public|package|internal|final|indirect|open) )*(?:struct|class|enum|protocol|actor|func|typealias) (\w+)/
    }

    /// The types that are declared in more than one target, outside of other types and not privately.
    var repeatedTypes: [(name: String, targets: [String])] {
        let declaration = Self.declaration
        var targets: [String: Set<String>] = [:]
        for file in files {
            for line in file.lines {
                guard let name = line.firstMatch(of: declaration)?.1, name.first?.isUppercase == true else { continue }
                targets[String(name), default: []].insert(file.target)
            }
        }
        return targets.filter { $0.value.count > 1 }.map { ($0.key, $0.value.sorted()) }.sorted { $0.name < $1.name }
    }

    private var short: [SourceTree.File] {
        files.filter { $0.lines.count - ($0.lines.last == "" ? 1 : 0) < 40 }
    }

    /// The folders that contain one Swift file and no folder with Swift files.
    var singleFileFolders: [String] { leaves(with: 1) }

    /// The folders that contain two Swift files and no folder with Swift files.
    var twoFileFolders: [String] { leaves(with: 2) }

    private func leaves(with count: Int) -> [String] {
        let byFolder = Dictionary(grouping: files, by: \.folder)
        return byFolder.filter { folder, inside in
            inside.count == count && !byFolder.keys.contains { $0.hasPrefix(folder + "/") }
        }.keys.sorted()
    }

    // MARK: - Duplicates

    /// The same lines of code in two places.
    struct Duplicate: CustomStringConvertible {
        let paths: [String]
        let lines: [Int]
        let length: Int
        var description: String { "\(length) lines: \(paths[0]):\(lines[0]) ~ \(paths[1]):\(lines[1])" }
    }

    /// Finds the runs of at least `length` lines of code that stand in two places.
    ///
    /// Blank lines, comments, imports and lines of punctuation are passed over, and indentation isn't compared.
    func duplicates(length: Int = 6) -> [Duplicate] {
        struct Line {
            /// The same number for the same text.
            let id: Int
            let number: Int
        }
        var ids: [Substring: Int] = [:]
        let code = files.map { file in
            file.lines.enumerated().compactMap { index, line -> Line? in
                let text = Self.trimmed(line)
                guard text.utf8.contains(where: { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }),
                    !text.hasPrefix("//"), !text.hasPrefix("import ")
                else { return nil }
                let id = ids[text] ?? ids.count
                ids[text] = id
                return Line(id: id, number: index + 1)
            }
        }
        var places: [[Int]: [(file: Int, start: Int)]] = [:]
        for (file, lines) in code.enumerated() where lines.count >= length {
            for start in 0...(lines.count - length) {
                places[lines[start..<start + length].map(\.id), default: []].append((file, start))
            }
        }
        var pairs: Set<[Int]> = []
        for found in places.values where found.count > 1 {
            for (index, one) in found.enumerated() {
                for other in found[(index + 1)...] where one.file != other.file || other.start - one.start >= length {
                    pairs.insert([one.file, one.start, other.file, other.start])
                }
            }
        }
        // A run that goes on is one run: only its first window counts.
        return pairs.filter { !pairs.contains([$0[0], $0[1] - 1, $0[2], $0[3] - 1]) }.map { pair in
            var windows = 1
            while pairs.contains([pair[0], pair[1] + windows, pair[2], pair[3] + windows]) { windows += 1 }
            return Duplicate(
                paths: [files[pair[0]].path, files[pair[2]].path],
                lines: [code[pair[0]][pair[1]].number, code[pair[2]][pair[3]].number], length: length + windows - 1)
        }.sorted { ($0.paths[0], $0.lines[0], $0.paths[1]) < ($1.paths[0], $1.lines[0], $1.paths[1]) }
    }

    /// Returns a line without spaces at its ends.
    private static func trimmed(_ line: String) -> Substring {
        var bytes = line.utf8[...]
        while let first = bytes.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") { bytes.removeFirst() }
        while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
        return Substring(bytes)
    }
}
