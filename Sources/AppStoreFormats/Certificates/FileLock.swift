import Foundation

// In a build from nothing the compiler finds the members of `stat` in this module, in others in the C library.
#if canImport(CoreFoundation)
    import CoreFoundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A lock between processes, and between objects of one: the system's lock of a file (`flock`), which ends with its holder's process.
package struct FileLock: Sendable {
    /// Reason why a lock can't be had.
    package struct Failure: Error {
        /// Error of the system; `nil` if another holder keeps the lock for longer than the limit.
        package let number: Int32?

        package var reason: String {
            number.map { String(cString: strerror($0)) } ?? "another process holds the lock"
        }
    }

    /// Microseconds between two attempts.
    private static let interval: UInt32 = 1000

    private let descriptor: Int32

    /// Waits for the lock of a file, and makes the file with mode 0600 if there is none.
    ///
    /// - Parameter limit: Longest wait. A holder may be stopped, and come back much later.
    package init(path: String, limit: Duration) throws(Failure) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(number: errno) }
        let end = ContinuousClock.now + limit
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            let isHeld = number == EWOULDBLOCK || number == EINTR
            guard isHeld, ContinuousClock.now < end else {
                close(descriptor)
                throw Failure(number: isHeld ? nil : number)
            }
            usleep(Self.interval)
        }
    }

    /// True if the path still leads to the locked file, which another process may have renamed, removed or replaced.
    package func isAt(_ path: String) -> Bool { Self.isFile(descriptor, at: path) }

    /// True if a path leads to an open file.
    package static func isFile(_ descriptor: Int32, at path: String) -> Bool {
        var (mine, present) = (stat(), stat())
        return fstat(descriptor, &mine) == 0 && stat(path, &present) == 0 && mine.st_ino == present.st_ino
            && mine.st_dev == present.st_dev
    }

    /// True for an error of file systems that have no locks, as some of a network.
    package static func isUnsupported(_ number: Int32) -> Bool {
        [ENOSYS, ENOTSUP, EOPNOTSUPP, ENOLCK].contains(number)
    }

    /// Ends the lock. Called once.
    package func release() {
        close(descriptor)
    }
}
