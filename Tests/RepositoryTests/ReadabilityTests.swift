import Foundation
import Testing

/// The measures by which a newcomer finds the way: doc comments, files, folders, duplicates.
struct ReadabilityTests {
    private static let sources = Result { try SourceTree.swiftFiles(in: "Sources") }
    private static let duplicates = Result { SourceMeasures(files: try sources.get()).duplicates() }
    /// The targets of `Sources`, `Tests` and `Benchmarks`.
    private static let targets =
        (try? ["Sources", "Tests"].flatMap { folder in
            Set(try SourceTree.swiftFiles(in: folder).map(\.target)).sorted()
        } + ["Benchmarks"]) ?? []

    /// The share of doc comments that may open with a clause.
    private static let clausesAllowed = 0.02

    @Test(arguments: targets)
    func `doc comments open with a verb or a noun`(target: String) throws {
        let (count, clauses) = SourceMeasures(files: try SourceTree.swiftFiles(in: target)).openings()
        let share = Double(clauses.count) / Double(max(count, 1))
        #expect(
            share <= Self.clausesAllowed,
            "\(clauses.count) of \(count):\n\(clauses.map(\.description).joined(separator: "\n"))")
    }

    @Test func `the clauses are told from verbs and nouns`() {
        let file = SourceTree.File(
            path: "a.swift",
            lines: [
                "/// What is sold.", "let a = 1", "/// Returns it.", "/// What follows is the same comment.",
                "let b = 1",
                "    /// `nil` without a price.", "let c = 1", "/// All that is due.", "let d = 1", "/// Itself.",
                "let e = 1", "/// In bytes.", "let f = 1", "/// True if it is empty.",
            ])
        let (count, clauses) = SourceMeasures(files: [file]).openings()
        #expect(count == 7)
        #expect(clauses.map(\.line) == [1, 8, 12])
    }

    @Test func `files under 40 lines are one idea of their own`() throws {
        let short = SourceMeasures(files: try Self.sources.get()).shortFragments
        let unexplained = short.filter { path in
            !Exceptions.shortFiles.keys.contains { path == $0 || ($0.hasSuffix("/") && path.hasPrefix($0)) }
        }
        #expect(unexplained == [], "\(unexplained.count)")
    }

    @Test func `folders contain more than one file`() throws {
        let folders = SourceMeasures(files: try Self.sources.get()).singleFileFolders
        #expect(folders.filter { Exceptions.singleFileFolders[$0] == nil } == [])
    }

    @Test func `a folder of two files is a chapter, or has a reason`() throws {
        let chapters = Set(Chapter.all.map(\.name))
        let folders = SourceMeasures(files: try Self.sources.get()).twoFileFolders.filter { folder in
            !chapters.contains(folder.split(separator: "/").last.map(String.init) ?? "")
        }
        #expect(folders.filter { Exceptions.twoFileFolders[$0] == nil } == [])
        #expect(Exceptions.twoFileFolders.keys.filter { !folders.contains($0) } == [], "reasons that aren't needed")
    }

    @Test func `a type's name stands in one target`() throws {
        let repeated = SourceMeasures(files: try Self.sources.get()).repeatedTypes
        let unexplained = repeated.filter { Exceptions.repeatedTypes[$0.name] == nil }
        #expect(unexplained.isEmpty, "\(unexplained.map { "\($0.name): \($0.targets)" })")
        let names = Set(repeated.map(\.name))
        #expect(Exceptions.repeatedTypes.keys.filter { !names.contains($0) } == [], "reasons that aren't needed")
    }

    @Test func `a type that two targets declare is found, unless it is private or inside another`() {
        func file(_ target: String, _ lines: [String]) -> SourceTree.File {
            SourceTree.File(path: "Sources/\(target)/File.swift", lines: lines)
        }
        let files = [
            file("A", ["package struct One {", "    struct Inside {}", "}", "enum Two {}", "private struct Three {}"]),
            file("B", ["@MainActor public final class One {}", "struct Inside {}", "struct Three {}"]),
            file("B", ["typealias One = Int", "extension Two {}"]),
        ]
        let found = SourceMeasures(files: files).repeatedTypes
        #expect(found.map(\.name) == ["One"])
        #expect(found.first?.targets == ["Sources/A", "Sources/B"])
    }

    @Test func `no run of six lines stands twice without a reason`() throws {
        let runs = try Self.duplicates.get().filter { run in
            !Exceptions.duplicates.contains { $0.covers(run.paths) }
        }
        #expect(runs.isEmpty, "\(runs.count):\n\(runs.map(\.description).joined(separator: "\n"))")
    }

    @Test func `every exception is still needed`() throws {
        let measures = SourceMeasures(files: try Self.sources.get())
        let (short, folders) = (measures.shortFragments, measures.singleFileFolders)
        for path in Exceptions.shortFiles.keys {
            #expect(short.contains { $0 == path || path.hasSuffix("/") && $0.hasPrefix(path) }, "\(path)")
        }
        for folder in Exceptions.singleFileFolders.keys { #expect(folders.contains(folder), "\(folder)") }
        let runs = try Self.duplicates.get()
        for exception in Exceptions.duplicates {
            #expect(runs.contains { exception.covers($0.paths) }, "\(exception)")
        }
    }

    @Test(arguments: [
        (true, ["Sources/A/One.swift", "Sources/B/Two.swift"]), (true, ["Sources/B/Two.swift", "Sources/A/One.swift"]),
        (false, ["Sources/A/One.swift", "Sources/A/Two.swift"]),
        (false, ["Sources/B/Two.swift", "Sources/B/Two.swift"]),
        (false, ["Sources/A/One.swift", "Sources/C/Two.swift"]),
    ])
    func `an exception between two places needs an end of the run in each`(isCovered: Bool, paths: [String]) {
        #expect(Exceptions.Repetition.between("A/", "B/", "").covers(paths) == isCovered)
        #expect(
            Exceptions.Repetition.among("A/", "B/", reason: "").covers(paths) == !paths.contains { $0.contains("C/") })
    }

    @Test func `a short file is one idea if it declares what its name says`() {
        let whole = SourceTree.File(path: "Sources/A/Trail.swift", lines: ["/// A trail.", "struct Trail {", "}", ""])
        let part = SourceTree.File(path: "Sources/A/Trail+Ends.swift", lines: ["extension Trail {", "}"])
        let two = SourceTree.File(path: "Sources/A/Ends.swift", lines: ["struct Start {}", "package enum Other {}"])
        let both = SourceTree.File(path: "Sources/A/Both.swift", lines: ["struct Both {}", "struct Other {}"])
        #expect(SourceMeasures(files: [whole, part, two, both]).shortFragments == [part.path, two.path, both.path])
    }

    @Test func `a run that stands twice is found once, with its length`() {
        let run = (1...8).map { "call(number\($0))" }
        let file = SourceTree.File(path: "a.swift", lines: ["one()"] + run + ["// a remark", "", "two()"] + run)
        let other = SourceTree.File(path: "b.swift", lines: Array(run.prefix(5)))
        let found = SourceMeasures(files: [file, other]).duplicates()
        #expect(found.map(\.length) == [8])
        #expect(found.first?.lines == [2, 13])
    }

    /// Prints the measures of other trees: `MEASURE=.build/checkouts/hummingbird/Sources swift test --filter Readability`.
    @Test(
        arguments: (ProcessInfo.processInfo.environment["MEASURE"] ?? "Sources").split(separator: ":").map(String.init))
    func `a tree is measured`(folder: String) throws {
        let tree = folder.hasPrefix("/") ? SourceTree(root: URL(filePath: "/")) : .project
        let files = try tree.files(in: [folder], extensions: ["swift"])
        let measures = SourceMeasures(files: files)
        let (count, clauses) = measures.openings()
        #expect(count > 0)
        guard ProcessInfo.processInfo.environment["MEASURE"] != nil else { return }
        print(
            """
            \(folder): \(files.count) files, \(count) doc comments, \(clauses.count) open with a clause, \
            \(measures.shortFiles.count) files under 40 lines, \(measures.singleFileFolders.count) folders of one file, \
            \(measures.duplicates().count) runs of six lines that stand twice
            """)
    }
}
