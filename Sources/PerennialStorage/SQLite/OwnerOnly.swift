import Foundation
import Logging

/// The permissions of files with secrets: their owner may read and write them, and nobody else.
package enum OwnerOnly {
    private static let othersBits: mode_t = 0o077

    /// Takes everybody else's permissions off a file or folder.
    ///
    /// - Returns: Whether nobody else has any now; false where it isn't this user's to change.
    @discardableResult
    package static func restrict(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & othersBits != 0 else { return true }
        return chmod(path, status.st_mode & 0o7777 & ~othersBits) == 0
    }

    /// Makes a database's file where there is none, and restricts it and the files beside it. SQLite gives the latter the
    /// mode of the former.
    static func restrictDatabase(_ path: String, logger: Logger) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
        for file in [path, "\(path)-wal", "\(path)-shm"] where !restrict(file) {
            logger.warning(
                "others may read the database: chmod it to 600", metadata: ["file": "\(file)"])
        }
    }
}
