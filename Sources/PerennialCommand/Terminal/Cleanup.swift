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

/// Stops processes and servers and removes folders when a command ends, however it ends.
final class Cleanup: Sendable {
    /// The pending actions; `nil` after the cleanup.
    private let work = Mutex<[@Sendable () -> Void]?>([])

    /// Runs a command that adds what is to be cleaned up; cleans up at its end, or when a signal interrupts it.
    static func clearing(after run: (Cleanup) async throws -> Void) async rethrows {
        let cleanup = Cleanup()
        let signals = cleanup.clearOnSignals()
        defer {
            cleanup.clear()
            signals.forEach { $0.cancel() }
        }
        try await run(cleanup)
    }

    /// Adds an action; runs it at once after the cleanup.
    ///
    /// - Parameter clear: Must not wait for long: it also runs when the demo is interrupted.
    func add(_ clear: @escaping @Sendable () -> Void) {
        let isLate = work.withLock { work in
            work?.append(clear)
            return work == nil
        }
        if isLate { clear() }
    }

    /// Runs the actions, the last one first. A second call does nothing.
    func clear() {
        let work = work.withLock { work in
            defer { work = nil }
            return work ?? []
        }
        work.reversed().forEach { $0() }
    }

    /// Cleans up and ends the process when a signal interrupts it.
    ///
    /// - Returns: The signal sources; hold them as long as this is wanted.
    private func clearOnSignals() -> [any DispatchSourceSignal] {
        // A write to a closed pipe fails instead.
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
