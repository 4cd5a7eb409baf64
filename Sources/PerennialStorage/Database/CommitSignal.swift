import Synchronization

/// Tells this process's watchers that a transaction was committed. While there are none, a commit costs one load.
package final class CommitSignal: Sendable {
    private struct Watchers {
        var wakes: [Int: @Sendable () -> Void] = [:]
        var next = 0
    }

    private let watchers = Mutex(Watchers())
    private let isWatched = Atomic(false)

    init() {}

    /// Calls a function after each commit, on the committer's thread: it has to return at once.
    ///
    /// - Returns: The number to end it with.
    package func add(_ wake: @escaping @Sendable () -> Void) -> Int {
        watchers.withLock { watchers in
            watchers.next += 1
            watchers.wakes[watchers.next] = wake
            isWatched.store(true, ordering: .releasing)
            return watchers.next
        }
    }

    package func remove(_ number: Int) {
        watchers.withLock { watchers in
            watchers.wakes[number] = nil
            isWatched.store(!watchers.wakes.isEmpty, ordering: .releasing)
        }
    }

    /// Tells the watchers of a commit.
    func flush() {
        guard isWatched.load(ordering: .acquiring) else { return }
        for wake in watchers.withLock({ Array($0.wakes.values) }) { wake() }
    }
}
