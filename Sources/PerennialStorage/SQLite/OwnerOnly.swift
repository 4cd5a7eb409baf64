import Foundation
import Logging

/// Permissions of files with secrets: only their owner may read and write them.
package enum OwnerOnly {
    private static let othersBits: mode_t = 0o077

    /// Removes the permissions of group and others from a file or folder.
    ///
    /// - Returns: False if they have some and this user can't change them.
    @discardableResult
    package static func restrict(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & othersBits != 0 else { return true }
        return chmod(path, status.st_mode & 0o7777 & ~othersBits) == 0
    }

    /// Creates a database's file if it is absent, and restricts it and the files beside it.
    ///
    /// SQLite gives the log and the shared memory the mode of the database.
    static func restrictDatabase(_ path: String, logger: Logger) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
        for file in [path, "\(path)-wal", "\(path)-shm"] where !restrict(file) {
            logger.warning(
                "others may read the database: chmod it to 600", metadata: ["file": "\(file)"])
        }
    }
}
