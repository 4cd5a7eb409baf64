import Dispatch
import Synchronization

/// A bounded FIFO queue of tasks, from which threads take.
final class TaskQueue: Sendable {
    /// How many threads may be in a turn, so that tasks gather for the next one meanwhile and run together.
    struct Pace {
        /// Threads that run bodies.
        let runningMax: Int
        /// Threads that run bodies, or wait for their commits.
        let inFlightMax: Int
        /// Milliseconds after which a task waits for no other thread.
        let patienceMilliseconds: Int
    }

    private struct State {
        /// Queued tasks; those before `next` have been taken and are nil.
        var waiting: [DatabaseTask?] = []
        var next = 0
        /// The threads that sleep. The one that fell asleep last is woken first: the others need no connections.
        var sleepers: [DispatchSemaphore] = []
        /// Threads that have found no task and haven't taken one since: asleep, or just woken.
        var idle = 0
        /// Threads that sleep until the oldest task has waited long enough.
        var watchers = 0
        var (running, inFlight) = (0, 0)
        var isClosed = false

        /// Returns the milliseconds until a turn may begin; `nil` if one may begin now.
        func pause(_ pace: Pace?) -> Int? {
            guard let pace, !isClosed, let oldest = waiting[next], !oldest.runsAlone else { return nil }
            guard running >= pace.runningMax || inFlight >= pace.inFlightMax else { return nil }
            let left = pace.patienceMilliseconds - oldest.ageMilliseconds
            return left > 0 ? left : nil
        }

        /// Takes the oldest task with those behind it that are announced as it is, up to so many; alone if it has to run alone.
        mutating func takeRound(max: Int) -> [DatabaseTask] {
            let together = waiting[next...].prefix(max).prefix {
                $0?.runsAlone == false && $0?.announced.isEmpty == false
            }
            return take(max: Swift.max(1, together.count))
        }

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

    /// A group goes on for announced tasks that make it larger by this part of it.
    private static let worthwhileShare = 4

    private let state = Mutex(State())
    private let closing = DispatchSemaphore(value: 0)
    private let waitingMax: Int
    private let pace: Pace?

    init(waitingMax: Int, pace: Pace? = nil) {
        self.waitingMax = waitingMax
        self.pace = pace
    }

    /// Adds a task, or fails it with `closed` or `overloaded`.
    func put(_ task: DatabaseTask) {
        let (refusal, woken) = state.withLock { state -> (StorageError?, DispatchSemaphore?) in
            if state.isClosed { return (.closedDatabase, nil) }
            guard state.count < waitingMax else {
                return (StorageError(.overloaded, "queue", "\(waitingMax) transactions wait already."), nil)
            }
            state.waiting.append(task)
            // The thread that watches wakes up by itself.
            return (nil, state.watchers == 0 || state.pause(pace) == nil ? state.sleepers.popLast() : nil)
        }
        if let refusal { task.fail(refusal) }
        woken?.signal()
    }

    /// Takes up to `max` tasks and sleeps until there is one. Returns `nil` once the queue is closed and empty.
    func take(max: Int) -> [DatabaseTask]? {
        take(inTurn: false) { $0.take(max: max) }
    }

    /// Takes tasks for a turn, which ``endBodies()`` and ``endTurn()`` end: see ``Pace``. Sleeps until there is one and it may
    /// begin.
    ///
    /// - Parameter max: The most of them. There are several only if all of them are announced.
    /// - Returns: `nil` once the queue is closed and empty.
    func takeTurn(max: Int) -> [DatabaseTask]? {
        take(inTurn: true) { $0.takeRound(max: max) }
    }

    /// Notes that a turn's bodies have run.
    func endBodies() {
        let woken = state.withLock { state -> DispatchSemaphore? in
            state.running -= 1
            return state.count > 0 && state.pause(pace) == nil ? state.sleepers.popLast() : nil
        }
        woken?.signal()
    }

    /// Notes that a turn's commit is answered. Its thread takes the next task.
    func endTurn() {
        state.withLock { $0.inFlight -= 1 }
    }

    private func take(inTurn: Bool, _ choose: (inout State) -> [DatabaseTask]) -> [DatabaseTask]? {
        var wakeUp: DispatchSemaphore?
        while true {
            let (taken, pause, woken) = state.withLock { state -> ([DatabaseTask]?, Int?, DispatchSemaphore?) in
                let pause = inTurn && state.count > 0 ? state.pause(pace) : nil
                if state.count > 0, pause == nil {
                    if wakeUp != nil { state.idle -= 1 }
                    let taken = choose(&state)
                    guard inTurn else { return (taken, nil, nil) }
                    state.running += 1
                    state.inFlight += 1
                    return (
                        taken, nil, state.count > 0 && state.pause(pace) == nil ? state.sleepers.popLast() : nil
                    )
                }
                if state.isClosed { return (nil, nil, nil) }
                if wakeUp == nil { state.idle += 1 }
                let sleeper = wakeUp ?? DispatchSemaphore(value: 0)
                state.sleepers.append(sleeper)
                if pause != nil { state.watchers += 1 }
                wakeUp = sleeper
                return ([], pause, nil)
            }
            woken?.signal()
            guard let taken, taken.isEmpty else { return taken }
            if let wakeUp { sleep(wakeUp, milliseconds: pause) }
        }
    }

    /// Sleeps until the thread is woken, or for a time if there is one.
    private func sleep(_ sleeper: DispatchSemaphore, milliseconds: Int?) {
        guard let milliseconds else { return sleeper.wait() }
        let isWoken = sleeper.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
        let isBeingWoken = state.withLock { state in
            state.watchers -= 1
            guard !isWoken else { return false }
            let place = state.sleepers.firstIndex { $0 === sleeper }
            if let place { state.sleepers.remove(at: place) }
            return place == nil
        }
        if isBeingWoken { sleeper.wait() }
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

    /// True if a task waits while all threads that may run are busy.
    var isContended: Bool { state.withLock { isContended($0) } }

    private func isContended(_ state: State) -> Bool {
        state.count > 0 && (state.idle == 0 || state.running >= pace?.runningMax ?? .max)
    }

    /// Takes waiting tasks that nothing else would run at once, for a group that has so many already; none that have to run
    /// alone. Doesn't wait.
    ///
    /// - Returns: One task, or several that are announced. Announced ones cost the group a round trip, so it doesn't wait for a
    ///   few of them.
    func takeWaiting(max: Int, beside groupCount: Int) -> [DatabaseTask] {
        state.withLock { state in
            guard isContended(state), let oldest = state.waiting[state.next], !oldest.runsAlone else { return [] }
            guard oldest.announced.isEmpty || state.count >= groupCount / Self.worthwhileShare else { return [] }
            return state.takeRound(max: max)
        }
    }

    /// The number of tasks that no thread has taken.
    var waitingCount: Int { state.withLock { $0.count } }

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
