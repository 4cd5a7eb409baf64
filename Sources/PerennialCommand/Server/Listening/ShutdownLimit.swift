import Foundation
import Logging
import PerennialHTTP
import ServiceLifecycle

/// Ends a shutdown that takes too long: closes the open connections, then ends the process.
///
/// Committed work is on disk by then; other work was never acknowledged.
struct ShutdownLimit: Service {
    /// The time for work to end after its connections were closed. With the eight seconds before, it stays within the ten
    /// that Docker grants.
    static let lastWait = TimeInterval(1.5)
    /// The time for the server to end after its connections were closed; then its work is cancelled.
    static let cancellationDelay = Duration.milliseconds(500)

    let seconds: Int
    let connections: OpenConnections
    /// Removes files before the process is ended.
    let abandon: @Sendable () -> Void

    /// Starts the limit when the shutdown begins.
    func run() async throws {
        // A cancelled server has no shutdown to limit.
        guard (try? await gracefulShutdown()) != nil else { return }
        Task.detached { await cut() }
        // On a thread of its own: the work that delays the shutdown may block the others.
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: TimeInterval(seconds) + Self.lastWait)
            Terminal.error("error: the server was ended after \(seconds) seconds: work was still running")
            abandon()
            _exit(EXIT_FAILURE)
        }
    }

    private func cut() async {
        try? await Task.sleep(for: .seconds(seconds))
        await connections.cut { cut in
            guard !cut.isEmpty else { return }
            Terminal.warn("the shutdown took longer than \(seconds) seconds, so this was cut:")
            for line in cut.prefix(Self.linesMaximum) { Terminal.error("  \(line)") }
            if cut.count > Self.linesMaximum { Terminal.error("  and \(cut.count - Self.linesMaximum) more") }
        }
    }

    private static let linesMaximum = 20
}
