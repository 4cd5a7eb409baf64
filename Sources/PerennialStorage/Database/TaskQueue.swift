import Dispatch
import Synchronization

/// A bounded FIFO queue of tasks, from which threads take.
final class TaskQueue: Sendable {
    private struct State {
        /// Queued tasks; those before `next` have been taken and are nil.
        var waiting: [DatabaseTask?] = []
        var next = 0
        var sleepers = 0
        var isClosed = false

        /// Taken places that are kept before the array is shortened.
        static let takenMax = 1024

        var count: Int { waiting.count - next }

        mutating func take(max: Int) -> [DatabaseTask] {
            let end = min(waiting.count, next + max)
            let taken = waiting[next..<end].compactMap(\.self)
            for index in next..<end { waiting[index] = nil }
            next = end
            if next == waiting.count {
                waiting.removeAll(keepingCapacity: true)
                next = 0
            } else if next > Self.takenMax {
                waiting.removeFirst(next)
                next = 0
            }
            return taken
        }
    }

    private let state = Mutex(State())
    private let wakeUp = DispatchSemaphore(value: 0)
    private let closing = DispatchSemaphore(value: 0)
    private let waitingMax: Int

    init(waitingMax: Int) {
        self.waitingMax = waitingMax
    }

    /// Adds a task, or fails it with `closed` or `overloaded`.
    func put(_ task: DatabaseTask) {
        let (refusal, wakes) = state.withLock { state -> (StorageError?, Bool) in
            if state.isClosed { return (.closedDatabase, false) }
            guard state.count < waitingMax else {
                return (StorageError(.overloaded, "queue", "\(waitingMax) transactions wait already."), false)
            }
            state.waiting.append(task)
            guard state.sleepers > 0 else { return (nil, false) }
            state.sleepers -= 1
            return (nil, true)
        }
        if let refusal { task.fail(refusal) }
        if wakes { wakeUp.signal() }
    }

    /// Takes up to `max` tasks and sleeps until there is one. Returns `nil` once the queue is closed and empty.
    func take(max: Int) -> [DatabaseTask]? {
        while true {
            let (taken, isOver) = state.withLock { state -> ([DatabaseTask], Bool) in
                guard state.count == 0 else { return (state.take(max: max), false) }
                if !state.isClosed { state.sleepers += 1 }
                return ([], state.isClosed)
            }
            if isOver { return nil }
            if !taken.isEmpty { return taken }
            wakeUp.wait()
        }
    }

    /// Refuses tasks from now on, and wakes all threads.
    func close() {
        let sleepers = state.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            defer { state.sleepers = 0 }
            return state.sleepers
        }
        guard let sleepers else { return }
        for _ in 0..<sleepers { wakeUp.signal() }
        closing.signal()
    }

    /// True once no further task is accepted.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Blocks the thread for a time, or until the queue is closed.
    func pause(milliseconds: Int) {
        guard closing.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return }
        // The next thread that pauses must find it closed as well.
        closing.signal()
    }
}
