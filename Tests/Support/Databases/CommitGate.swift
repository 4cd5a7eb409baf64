import Dispatch
import PerennialStorage
import Synchronization

/// Holds one commit of a database until it is told to go on: `TestStore.make(faults: { try gate.reach($0) })`.
package final class CommitGate: Sendable {
    private let spared = Mutex<Int?>(nil)
    private let opened = DispatchSemaphore(value: 0)
    private let reached: AsyncStream<Void>
    private let tell: AsyncStream<Void>.Continuation

    package init() {
        (reached, tell) = AsyncStream.makeStream()
    }

    /// - Parameter count: How many commits go through before the one that is held.
    package func arm(after count: Int = 0) {
        spared.withLock { $0 = count }
    }

    package func reach(_ point: FaultPoint) {
        guard point == .beforeCommit else { return }
        let isHeld = spared.withLock { spared in
            guard let left = spared else { return false }
            spared = left == 0 ? nil : left - 1
            return left == 0
        }
        guard isHeld else { return }
        tell.yield()
        opened.wait()
    }

    /// Waits until a commit is held.
    package func untilReached() async {
        for await _ in reached { return }
    }

    package func open() {
        opened.signal()
    }

    /// Lets the commit go on once so many transactions wait for its locks.
    ///
    /// - Throws: ``Database/NobodyWaits``; the commit goes on all the same.
    package func open(whenWaiting count: Int64, on database: Database) async throws {
        defer { open() }
        try await database.untilWaiting(count)
    }
}

extension Database {
    package struct NobodyWaits: Error {}

    /// Waits until so many transactions of a PostgreSQL database wait for another one's lock.
    ///
    /// - Throws: ``NobodyWaits`` where they never do.
    package func untilWaiting(_ count: Int64) async throws {
        for _ in 0..<20_000 {
            let waiting = try await read { connection in
                try connection.first(
                    """
                    SELECT COUNT(*) FROM pg_stat_activity
                    WHERE datname = current_database() AND wait_event_type = 'Lock'
                    """
                ) { try $0.integer(0) }
            }
            if let waiting, waiting >= count { return }
            await Task.yield()
        }
        throw NobodyWaits()
    }
}
