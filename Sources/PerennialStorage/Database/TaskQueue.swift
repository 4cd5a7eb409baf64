import Dispatch
import Synchronization

/// A bounded FIFO queue of tasks, from which threads take.
final class TaskQueue: Sendable {
    /// The rules for the beginning of a turn: tasks gather until then, and run together.
    ///
    /// A turn that begins while another one's commit waits in the server's queue has fewer tasks, and waits there behind it. So
    /// it begins when its own commit will come as the other one ends, as far as that is known from the turns before.
    struct Pace {
        /// Threads that run bodies.
        let runningMax: Int
        /// Threads that wait for commits.
        let committingMax: Int
        /// Milliseconds after which a task doesn't wait for other bodies.
        let waitMilliseconds: Int
        /// Milliseconds after which a task doesn't wait for commits.
        let commitWaitMilliseconds: Int
        /// Threads that run tasks that have to run alone: they may wait for locks for long, and the others mustn't wait for them.
        let aloneMax: Int
        /// The workers that run tasks of one journal.
        let aloneOfJournalMax: Int
    }

    /// The locks for which a task that has to run alone may wait.
    private struct Alone: Hashable {
        var journal: AppKey?
        /// The first announced statement, which locks a customer. Two of one customer would wait for each other anyway, and for
        /// the transaction that made both run alone.
        var lock: AnnouncedRead?

        init(_ task: DatabaseTask) { (journal, lock) = (task.journal, task.announced.first) }
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
        var (running, committing) = (0, 0)
        /// The time at which the last commit began.
        var commitBegan = 0
        /// The nanoseconds that a turn's bodies usually take, and its commit.
        var (usualRun, usualCommit) = (0, 0)
        /// Tasks that have to run alone, and the locks for which those that do may wait.
        var alone: [DatabaseTask] = []
        var runningAlone: [Alone] = []
        var isClosed = false

        /// Returns the nanoseconds until a turn may begin; `nil` if one may begin now.
        func pause(_ pace: Pace?) -> Int? {
            guard let pace, !isClosed, let oldest = waiting[next] else { return nil }
            guard running >= pace.runningMax || committing > 0 else { return nil }
            let age = oldest.ageNanoseconds
            var left = 0
            if running >= pace.runningMax { left = pace.waitMilliseconds * 1_000_000 - age }
            if committing > 0 {
                let longest = pace.commitWaitMilliseconds * 1_000_000 - age
                let isFull = committing >= pace.committingMax
                left = max(
                    left,
                    isFull
                        ? longest : min(longest, commitBegan + usualCommit - Self.leadingRuns * usualRun - Self.now)
                )
            }
            return left > 0 ? left : nil
        }

        /// The next turn begins so many times of its usual run before the commit in front of it ends: the run itself, and the
        /// way to the server, which a run of one round trip takes too.
        private static let leadingRuns = 2

        /// The uptime in nanoseconds.
        static var now: Int { Int(DispatchTime.now().uptimeNanoseconds) }

        /// Returns a thread to wake for the tasks that wait, if one may begin a turn or none watches them.
        mutating func nextSleeper(_ pace: Pace?) -> DispatchSemaphore? {
            guard count > 0, watchers == 0 || pause(pace) == nil else { return nil }
            return sleepers.popLast()
        }

        /// Takes the oldest task with those behind it that are announced as it is, up to so many.
        mutating func takeRound(max: Int) -> [DatabaseTask] {
            let together = waiting[next...].prefix(max).prefix { $0?.announced.isEmpty == false }
            return take(max: Swift.max(1, together.count))
        }

        /// Takes the oldest task that has to run alone and may begin now.
        mutating func takeAlone(_ pace: Pace?) -> DatabaseTask? {
            guard let pace, runningAlone.count < pace.aloneMax else { return nil }
            let place = alone.firstIndex { task in
                let new = Alone(task)
                guard new.lock == nil || !runningAlone.contains(where: { $0.lock == new.lock }) else { return false }
                return new.journal == nil || runningAlone.count { $0.journal == new.journal } < pace.aloneOfJournalMax
            }
            guard let place else { return nil }
            runningAlone.append(Alone(alone[place]))
            return alone.remove(at: place)
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
    /// A turn changes the usual times by this part of the difference.
    private static let smoothing = 8

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
            return (nil, state.nextSleeper(pace))
        }
        if let refusal { task.fail(refusal) }
        woken?.signal()
    }

    /// Takes up to `max` tasks and sleeps until there is one. Returns `nil` once the queue is closed and empty.
    func take(max: Int) -> [DatabaseTask]? {
        take(inTurn: false) { $0.take(max: max) }
    }

    /// Takes tasks for a turn, or one that has to run alone: see ``Pace``. Sleeps until there is one and it may begin.
    ///
    /// ``beginCommit(ranSince:)`` and ``endCommit(begun:)`` end a turn, or ``endRun()``; ``endAlone(_:)`` ends the other one's.
    ///
    /// - Parameter max: The most of them. There are several only if all of them are announced.
    /// - Returns: `nil` once the queue is closed and empty.
    func takeTurn(max: Int) -> [DatabaseTask]? {
        take(inTurn: true) { $0.takeRound(max: max) }
    }

    /// Notes that a turn's bodies have run, and that their commit begins.
    ///
    /// - Parameter start: The time at which the turn began.
    /// - Returns: The present time.
    func beginCommit(ranSince start: Int) -> Int {
        let now = State.now
        let woken = state.withLock { state -> DispatchSemaphore? in
            state.running -= 1
            state.committing += 1
            state.commitBegan = now
            state.usualRun += (now - start - state.usualRun) / Self.smoothing
            // If it may not begin, it watches: the time at which it may is known now.
            return state.count > 0 ? state.sleepers.popLast() : nil
        }
        woken?.signal()
        return now
    }

    /// Notes that a turn's commit is answered. Its thread takes the next task.
    ///
    /// - Parameter begun: The time at which the commit began.
    func endCommit(begun: Int) {
        state.withLock { state in
            state.committing -= 1
            state.usualCommit += (State.now - begun - state.usualCommit) / Self.smoothing
        }
    }

    /// Notes that a turn's bodies have run without a commit. Its thread takes the next task.
    func endRun() {
        state.withLock { $0.running -= 1 }
    }

    /// Notes that a task that had to run alone has ended. Its thread takes the next task.
    func endAlone(_ task: DatabaseTask) {
        state.withLock { state in
            guard let place = state.runningAlone.firstIndex(of: Alone(task)) else { return }
            state.runningAlone.remove(at: place)
        }
    }

    private func take(inTurn: Bool, _ choose: (inout State) -> [DatabaseTask]) -> [DatabaseTask]? {
        var wakeUp: DispatchSemaphore?
        while true {
            let (taken, pause, woken) = state.withLock { state -> ([DatabaseTask]?, Int?, DispatchSemaphore?) in
                if inTurn, let task = state.takeAlone(pace) {
                    if wakeUp != nil { state.idle -= 1 }
                    return ([task], nil, nil)
                }
                let pause = inTurn && state.count > 0 ? state.pause(pace) : nil
                if state.count > 0, pause == nil {
                    if wakeUp != nil { state.idle -= 1 }
                    let taken = choose(&state)
                    guard inTurn else { return (taken, nil, nil) }
                    state.running += 1
                    return (taken, nil, state.nextSleeper(pace))
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
            if let wakeUp { sleep(wakeUp, nanoseconds: pause) }
        }
    }

    /// Sleeps until the thread is woken, or for a time if there is one.
    private func sleep(_ sleeper: DispatchSemaphore, nanoseconds: Int?) {
        guard let nanoseconds else { return sleeper.wait() }
        let isWoken = sleeper.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success
        let isBeingWoken = state.withLock { state in
            state.watchers -= 1
            guard !isWoken else { return false }
            let place = state.sleepers.firstIndex { $0 === sleeper }
            if let place { state.sleepers.remove(at: place) }
            return place == nil
        }
        if isBeingWoken { sleeper.wait() }
    }

    /// Adds tasks that a thread has taken and not finished, to be run alone, also to a closed or full queue: the thread itself
    /// takes from it again.
    func putBack(_ tasks: [DatabaseTask]) {
        let woken = state.withLock { state in
            state.alone += tasks.map { $0.runsAlone ? $0 : $0.alone(nil) }
            return (0..<min(tasks.count, state.sleepers.count)).compactMap { _ in state.sleepers.popLast() }
        }
        for sleeper in woken { sleeper.signal() }
    }

    /// True if bodies of several turns run, or tasks that have to run alone: a task that waits for a lock may wait for one of them, and
    /// keeps a thread from the others.
    var isShared: Bool { state.withLock { $0.running > 1 || !$0.runningAlone.isEmpty } }

    /// True if a task waits while all threads that may run are busy.
    var isContended: Bool { state.withLock { isContended($0) } }

    private func isContended(_ state: State) -> Bool {
        state.count > 0 && (state.idle == 0 || state.running >= pace?.runningMax ?? .max)
    }

    /// Takes waiting tasks that nothing else would run at once, for a group that has so many already. Doesn't wait.
    ///
    /// - Returns: One task, or several that are announced. Announced ones cost the group a round trip, so it doesn't wait for a
    ///   few of them.
    func takeWaiting(max: Int, beside groupCount: Int) -> [DatabaseTask] {
        state.withLock { state in
            guard isContended(state), let oldest = state.waiting[state.next] else { return [] }
            guard oldest.announced.isEmpty || state.count >= groupCount / Self.worthwhileShare else { return [] }
            return state.takeRound(max: max)
        }
    }

    /// The number of tasks that no thread has taken.
    var waitingCount: Int { state.withLock { $0.count + $0.alone.count } }

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
