import Dispatch
import PerennialStorage
import Synchronization

/// Holds one commit of a database until it is opened: `TestStore.make(faults: { try gate.reach($0) })`.
package final class CommitGate: Sendable {
    private let remaining = Mutex<Int?>(nil)
    private let opened = DispatchSemaphore(value: 0)
    private let reached: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() {
        (reached, continuation) = AsyncStream.makeStream()
    }

    /// Holds a later commit.
    ///
    /// - Parameter count: The number of commits that pass before it.
    package func arm(after count: Int = 0) {
        remaining.withLock { $0 = count }
    }

    package func reach(_ point: FaultPoint) {
        guard point == .beforeCommit else { return }
        let isHeld = remaining.withLock { remaining in
            guard let left = remaining else { return false }
            remaining = left == 0 ? nil : left - 1
            return left == 0
        }
        guard isHeld else { return }
        continuation.yield()
        opened.wait()
    }

    /// Waits until a commit is held.
    package func untilReached() async {
        for await _ in reached { return }
    }

    package func open() {
        opened.signal()
    }

    /// Opens the gate when a number of transactions wait for the held one's locks.
    ///
    /// - Throws: ``Database/NoLockWaits``; the gate opens in this case too.
    package func open(whenWaiting count: Int64, on database: Database) async throws {
        defer { open() }
        try await database.untilWaiting(count)
    }
}

extension Database {
    package struct NoLockWaits: Error {}

    /// Waits until a number of transactions of a PostgreSQL database wait for another's lock.
    ///
    /// - Throws: ``NoLockWaits`` if they don't.
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
        throw NoLockWaits()
    }
}

/// Makes a later commit of a database fail: `TestStore.make(faults: { try fault.reach($0) })`.
package final class TestFault: Sendable {
    package struct InjectedError: Error {
        package init() {}
    }

    private let next = Mutex<(point: FaultPoint, remaining: Int, error: any Error)?>(nil)

    package init() {}

    /// Schedules a failure.
    ///
    /// - Parameter count: The number of commits that succeed before it.
    package func inject(at point: FaultPoint, after count: Int = 0, with error: any Error = InjectedError()) {
        next.withLock { $0 = (point, count, error) }
    }

    package func reach(_ point: FaultPoint) throws {
        let error = next.withLock { next -> (any Error)? in
            guard let scheduled = next, scheduled.point == point else { return nil }
            guard scheduled.remaining == 0 else {
                next?.remaining -= 1
                return nil
            }
            next = nil
            return scheduled.error
        }
        if let error { throw error }
    }
}
