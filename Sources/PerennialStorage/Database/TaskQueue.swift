import Dispatch
import Synchronization

/// A bounded FIFO queue of tasks, from which threads take.
final class TaskQueue: Sendable {
    private struct State {
        /// Queued tasks; those before `next` have been taken and are nil.
        var waiting: [DatabaseTask?] = []
        var next = 0
        /// The threads that sleep. The one that fell asleep last is woken first: the others need no connections.
        var sleepers: [DispatchSemaphore] = []
        /// Threads that have found no task and haven't taken one since: asleep, or just woken.
        var idle = 0
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
    private let closing = DispatchSemaphore(value: 0)
    private let waitingMax: Int

    init(waitingMax: Int) {
        self.waitingMax = waitingMax
    }

    /// Adds a task, or fails it with `closed` or `overloaded`.
    func put(_ task: DatabaseTask) {
        let (refusal, woken) = state.withLock { state -> (StorageError?, DispatchSemaphore?) in
            if state.isClosed { return (.closedDatabase, nil) }
            guard state.count < waitingMax else {
                return (StorageError(.overloaded, "queue", "\(waitingMax) transactions wait already."), nil)
            }
            state.waiting.append(task)
            return (nil, state.sleepers.popLast())
        }
        if let refusal { task.fail(refusal) }
        woken?.signal()
    }

    /// Takes up to `max` tasks and sleeps until there is one. Returns `nil` once the queue is closed and empty.
    func take(max: Int) -> [DatabaseTask]? {
        var wakeUp: DispatchSemaphore?
        while true {
            let (taken, isOver) = state.withLock { state -> ([DatabaseTask], Bool) in
                guard state.count == 0 else {
                    if wakeUp != nil { state.idle -= 1 }
                    return (state.take(max: max), false)
                }
                if !state.isClosed {
                    if wakeUp == nil { state.idle += 1 }
                    let sleeper = wakeUp ?? DispatchSemaphore(value: 0)
                    state.sleepers.append(sleeper)
                    wakeUp = sleeper
                }
                return ([], state.isClosed)
            }
            if isOver { return nil }
            if !taken.isEmpty { return taken }
            wakeUp?.wait()
        }
    }

    /// Adds tasks that a thread has taken and not finished, also to a closed or full queue: the thread itself takes from it
    /// again.
    func putBack(_ tasks: [DatabaseTask]) {
        let woken = state.withLock { state in
            state.waiting += tasks.map(Optional.some)
            return (0..<min(tasks.count, state.sleepers.count)).compactMap { _ in state.sleepers.popLast() }
        }
        for sleeper in woken { sleeper.signal() }
    }

    /// True if a task waits while all threads are busy.
    var isContended: Bool { state.withLock { $0.idle == 0 && $0.count > 0 } }

    /// Takes a task that waits while every other thread is busy, unless it has to run alone. Doesn't wait.
    func takeWaiting() -> DatabaseTask? {
        state.withLock { state in
            guard state.idle == 0, state.count > 0, state.waiting[state.next]?.runsAlone == false else { return nil }
            return state.take(max: 1).first
        }
    }

    /// Refuses tasks from now on, and wakes all threads.
    func close() {
        let sleepers = state.withLock { state -> [DispatchSemaphore]? in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            defer { state.sleepers = [] }
            return state.sleepers
        }
        guard let sleepers else { return }
        for sleeper in sleepers { sleeper.signal() }
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
