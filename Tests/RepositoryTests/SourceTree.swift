import Foundation

/// The project's own source, read as text.
struct SourceTree {
    struct File: Sendable {
        /// From the project's root: `Sources/Perennial/Money/Money.swift`.
        let path: String
        let lines: [String]

        /// The target it belongs to.
        var target: String { String(path.split(separator: "/")[1]) }
    }

    /// The project's root, three folders above this file.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Read once for all tests.
    private static let files = Result { try ["Sources", "Tests"].flatMap(read) }

    /// - Parameter folder: `Sources`, `Tests`, or one inside them.
    static func swiftFiles(in folder: String) throws -> [File] {
        try files.get().filter { $0.path.hasPrefix(folder + "/") }
    }

    private static func read(_ folder: String) throws -> [File] {
        let base = root.appendingPathComponent(folder)
        guard let walk = FileManager.default.enumerator(at: base, includingPropertiesForKeys: nil) else { return [] }
        return try walk.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.map { url in
            File(
                path: folder + url.path.dropFirst(base.path.count),
                lines: try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n"))
        }.sorted { $0.path < $1.path }
    }
}
