import Foundation
import Logging
import PerennialHTTP
import ServiceLifecycle

/// Ends a shutdown that takes too long: closes the connections that hold it up, and ends the process where that doesn't
/// help. What was committed is on disk by then; what was not was never acknowledged.
struct ShutdownLimit: Service {
    /// For what runs to end after its connections were closed. With the eight seconds before, it ends within the ten that
    /// Docker grants.
    static let lastWait = TimeInterval(1.5)
    /// For the server to end once its connections were closed; then what still runs is cancelled.
    static let cancellationDelay = Duration.milliseconds(500)

    let seconds: Int
    let connections: OpenConnections
    /// Leaves nothing behind that must not stay, where the process has to be ended.
    let abandon: @Sendable () -> Void

    /// Begun by the shutdown, it doesn't hold it up.
    func run() async throws {
        // A cancelled server has no shutdown to limit.
        guard (try? await gracefulShutdown()) != nil else { return }
        Task.detached { await cut() }
        // On a thread of its own: what holds the shutdown up may hold the others.
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
