import AppStoreFormats
import Foundation

/// The new content of a file, in a file beside it until it is complete.
///
/// Its writer holds the system's lock of that file (`flock`), which ends with the process. So what a process has left is told from what
/// another one is writing, also if both have the same number, as the first processes of two containers.
package enum UnfinishedFile {
    private static let ending = ".unfinished"
    /// Ending of earlier versions, which held no lock.
    private static let earlierEnding = ".new"
    /// Names that are tried: another process may find a file before its lock, and remove it.
    private static let maximumAttempts = 8

    private static let process = ProcessInfo.processInfo.processIdentifier
    /// Name of this process in its files.
    private static let writer = "\(process)-\(ProcessInfo.processInfo.globallyUniqueString.suffix(8))"

    /// Makes the file beside a path, empty and locked.
    ///
    /// - Throws: ``FileError``.
    package static func begin(_ path: String) throws(FileError) -> OutputFile {
        for attempt in 1...maximumAttempts {
            let file = try OutputFile(path: "\(path).\(writer)-\(attempt)\(ending)", at: .beginning)
            if file.lock(), file.isAtPath { return file }
        }
        throw FileError(.locked, path: path, reason: "another process removes each unfinished file")
    }

    /// Removes what processes that ended during a write of a file have left.
    static func removeAbandoned(of name: String, in folder: URL) {
        for other in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where other.hasPrefix(name + ".") {
            let rest = other.dropFirst(name.count + 1)
            let path = folder.appendingPathComponent(other).path
            // A file of a longer name has a dot more.
            if rest.hasSuffix(ending), !rest.dropLast(ending.count).contains(".") {
                removeUnlocked(path)
            } else if rest.hasSuffix(earlierEnding), let id = rest.split(separator: "-").first,
                let id = Int32(id, radix: 10), id == process || OutputFile.hasEnded(process: id)
            {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
    }

    /// Removes a file unless a process holds its lock.
    private static func removeUnlocked(_ path: String) {
        guard let lock = try? FileLock(path: path, limit: .zero) else { return }
        defer { lock.release() }
        // Its writer may have finished it meanwhile, and begun another one of this name.
        if lock.isAt(path) { try? FileManager.default.removeItem(atPath: path) }
    }
}
