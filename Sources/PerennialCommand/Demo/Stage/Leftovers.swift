import Dispatch
import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What has to go when the demo ends, however it ends: processes, folders, servers.
final class Leftovers: Sendable {
    /// `nil` once all is cleared up.
    private let work = Mutex<[@Sendable () -> Void]?>([])

    /// What comes when all is cleared up goes at once.
    ///
    /// - Parameter clear: Must not wait for long: it also runs when the demo is interrupted.
    func add(_ clear: @escaping @Sendable () -> Void) {
        let isLate = work.withLock { work in
            work?.append(clear)
            return work == nil
        }
        if isLate { clear() }
    }

    /// Clears up, the last thing first. A second time there is nothing left to do.
    func clear() {
        let work = work.withLock { work in
            defer { work = nil }
            return work ?? []
        }
        work.reversed().forEach { $0() }
    }

    /// Clears up where the demo is interrupted, and ends it.
    ///
    /// - Returns: To be held as long as this is wanted.
    func clearOnSignals() -> [any DispatchSourceSignal] {
        // A closed pipe is told by the write that fails.
        signal(SIGPIPE, SIG_IGN)
        return [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [self] in
                clear()
                exit(128 + number)
            }
            source.resume()
            return source
        }
    }
}
