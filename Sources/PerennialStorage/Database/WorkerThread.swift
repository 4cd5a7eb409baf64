import Dispatch
import Foundation

/// The threads of a database.
enum WorkerThread {
    /// The thread-local key that marks these threads.
    private static let mark = "perennial.storage.worker"
    /// Bytes of stack: a body may be deep, and macOS gives a thread only 512 KiB.
    private static let stackBytes = 4 << 20
    private static let pauseMilliseconds = 10

    /// True on a thread of a database.
    static var isCurrent: Bool { Thread.current.threadDictionary[mark] != nil }

    /// Blocks the thread for a moment before the next attempt.
    static func pause() {
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(pauseMilliseconds))
    }

    /// Starts a thread that belongs to the group until its body returns.
    static func start(_ name: String, in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
        group.enter()
        let thread = Thread {
            Thread.current.threadDictionary[mark] = true
            body()
            group.leave()
        }
        thread.name = name
        thread.stackSize = stackBytes
        thread.start()
    }
}
