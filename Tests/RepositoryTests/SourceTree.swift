import Foundation

/// The text files of a source tree: the project's own by default.
struct SourceTree: Sendable {
    struct File: Sendable {
        /// The path from the tree's root: `Sources/Perennial/Money/Money.swift`.
        let path: String
        let text: String
        let lines: [String]

        init(path: String, text: String) {
            (self.path, self.text) = (path, text)
            lines = text.components(separatedBy: "\n")
        }

        init(path: String, lines: [String]) { self.init(path: path, text: lines.joined(separator: "\n")) }

        /// The folder that contains the file.
        var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }
        /// The first two parts of the path: `Sources/Perennial`.
        var target: String { path.split(separator: "/").prefix(2).joined(separator: "/") }

        /// Returns true if the text has one of some parts: a quick look before a search in each line.
        func contains(anyOf parts: some Sequence<String>) -> Bool {
            text.withCString { text in parts.contains { strstr(text, $0) != nil } }
        }
    }

    let root: URL

    /// The project's tree, three folders above this file.
    static let project = SourceTree(
        root: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent())

    /// The project's Swift files, read once for all tests.
    private static let swift = Result {
        try project.files(in: ["Sources", "Tests", "Benchmarks"], extensions: ["swift"])
    }

    /// Returns the project's Swift files of a folder.
    ///
    /// - Parameter folder: `Sources`, `Tests`, `Benchmarks`, or a folder inside them.
    static func swiftFiles(in folder: String) throws -> [File] {
        try swift.get().filter { $0.path.hasPrefix(folder + "/") }
    }

    /// Returns the project's pages: README and its neighbours, `docs`, and the READMEs beside code.
    static func pages() throws -> [File] {
        let top = try FileManager.default.contentsOfDirectory(atPath: project.root.path)
            .filter { $0.hasSuffix(".md") }.map { try project.file($0) }
        return try top + project.files(in: ["docs", "Examples", "Sources", "Tests"], extensions: ["md"])
    }

    /// Reads the files below some folders, in the order of their paths.
    ///
    /// Fixtures are other programs' files, so they are left out.
    func files(in folders: [String], extensions: Set<String>) throws -> [File] {
        try folders.flatMap { folder -> [File] in
            guard let paths = FileManager.default.enumerator(atPath: root.appending(path: folder).path) else {
                return []
            }
            return try paths.compactMap { $0 as? String }
                .filter { extensions.contains(($0 as NSString).pathExtension) }
                .filter { !$0.hasPrefix("Fixtures/") && !$0.contains("/Fixtures/") }
                .sorted().map { try file("\(folder)/\($0)") }
        }
    }

    func file(_ path: String) throws -> File {
        let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        return File(path: path, text: text)
    }
}
