import Foundation

/// A folder for the files of this process's tests, removed when it exits.
package enum TemporaryFolder {
    private static let path: String = {
        let path = base.appending(path: "perennial-tests-\(UUID())").path()
        atexit { TemporaryFolder.remove() }
        return path
    }()

    /// In memory where the system has a folder there with room for all tests: every commit of a file waits for its disk.
    package static let base: URL = {
        let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
        let free = try? FileManager.default.attributesOfFileSystem(forPath: memory.path)[.systemFreeSize] as? Int64
        let hasRoom = (free ?? 0) > 2 << 30 && FileManager.default.isWritableFile(atPath: memory.path)
        return hasRoom ? memory : FileManager.default.temporaryDirectory
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
