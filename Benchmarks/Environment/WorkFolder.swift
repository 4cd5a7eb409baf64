import Foundation

/// A folder for the databases and files of a run, gone when the run ends.
struct WorkFolder: Sendable {
    let root: String

    init(in parent: String) throws {
        root = URL(fileURLWithPath: parent).appendingPathComponent("bench-\(UUID().uuidString.lowercased())").path
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    }

    func path(_ name: String) -> String { "\(root)/\(name)" }

    func remove() {
        try? FileManager.default.removeItem(atPath: root)
    }
}

/// Why nothing could be measured.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
