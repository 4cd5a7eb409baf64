import Dispatch
import Synchronization

/// Work that waits for a thread, first come, first served, up to a limit.
final class WorkQueue: Sendable {
    private struct State {
        /// What was put; what has been taken since is nil, up to `next`.
        var waiting: [Work?] = []
        var next = 0
        var sleepers = 0
        var isClosed = false

        /// Places of taken work that are kept before the array is shortened.
        static let takenMax = 1024

        var count: Int { waiting.count - next }

        mutating func take(max: Int) -> [Work] {
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

    /// Adds a piece of work, or fails it with `closed` or `overloaded`.
    func put(_ work: Work) {
        let (refusal, wakes) = state.withLock { state -> (StorageError?, Bool) in
            if state.isClosed { return (.closedDatabase, false) }
            guard state.count < waitingMax else {
                return (StorageError(.overloaded, "queue", "\(waitingMax) transactions wait already."), false)
            }
            state.waiting.append(work)
            guard state.sleepers > 0 else { return (nil, false) }
            state.sleepers -= 1
            return (nil, true)
        }
        if let refusal { work.fail(refusal) }
        if wakes { wakeUp.signal() }
    }

    /// Takes all that waits, up to a number, sleeping until there is something. Nil when the queue is closed and empty.
    func take(max: Int) -> [Work]? {
        while true {
            let (taken, isOver) = state.withLock { state -> ([Work], Bool) in
                guard state.count == 0 else { return (state.take(max: max), false) }
                if !state.isClosed { state.sleepers += 1 }
                return ([], state.isClosed)
            }
            if isOver { return nil }
            if !taken.isEmpty { return taken }
            wakeUp.wait()
        }
    }

    /// Refuses work from now on, and wakes all threads.
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

    /// Whether nothing will be added any more.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Holds up a thread for so long, or until the queue is closed.
    func pause(milliseconds: Int) {
        guard closing.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return }
        // The next thread that pauses must find it closed as well.
        closing.signal()
    }
}
