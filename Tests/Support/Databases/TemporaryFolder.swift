import Foundation

/// A folder for the files of this process's tests, removed when it exits.
package enum TemporaryFolder {
    private static let path: String = {
        let path = FileManager.default.temporaryDirectory.appending(path: "perennial-tests-\(UUID())").path()
        atexit { TemporaryFolder.remove() }
        return path
    }()

    /// Makes a folder inside it that nobody else uses.
    package static func make() throws -> String {
        let folder = "\(path)/\(UUID())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    private static func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
