import NIOCore
import Synchronization

/// The connections that a server has open, so that a shutdown can end those that hold it up.
package final class OpenConnections: Sendable {
    private struct Entry: Sendable {
        let loop: any EventLoop
        let guarding: NIOLoopBound<ConnectionGuard>
    }

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    package init() {}

    package var count: Int { entries.withLock { $0.count } }

    func opened(_ connection: ConnectionGuard, on loop: any EventLoop) {
        let id = ObjectIdentifier(connection)
        let entry = Entry(loop: loop, guarding: NIOLoopBound(connection, eventLoop: loop))
        entries.withLock { $0[id] = entry }
    }

    func closed(_ connection: ConnectionGuard) {
        let id = ObjectIdentifier(connection)
        entries.withLock { _ = $0.removeValue(forKey: id) }
    }

    /// Closes all connections.
    ///
    /// - Parameter say: Takes a line for each connection that is cut, before it is: the process may end with the last one.
    package func cut(_ say: ([String]) -> Void) async {
        let all = entries.withLock { Array($0.values) }
        var lines: [String] = []
        for entry in all {
            guard let line = try? await entry.loop.submit({ entry.guarding.value.words }).get() else { continue }
            lines.append(line)
        }
        say(lines.sorted())
        for entry in all { entry.loop.execute { entry.guarding.value.cut() } }
    }
}
