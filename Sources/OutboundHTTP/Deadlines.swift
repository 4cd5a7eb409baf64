import NIOCore
import NIOPosix
import Synchronization

/// Timers for many exchanges at once, nearly all of which are cancelled before their deadline.
///
/// Schedules and cancels under a lock. A timer of an event loop wakes the loop's thread for both, which costs more than the
/// rest of a short exchange. One loop looks for overdue timers instead, as long as there are any.
final class Deadlines: Sendable {
    struct Timer: Sendable {
        fileprivate let id: UInt64
    }

    static let shared = Deadlines()

    /// The time by which a timer may fire late.
    static let interval = TimeAmount.milliseconds(20)

    private struct State {
        var pending: [UInt64: (deadline: NIODeadline, fire: @Sendable () -> Void)] = [:]
        var lastID: UInt64 = 0
        var isTicking = false
    }

    private let state = Mutex(State())
    private let loop: any EventLoop

    init(loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()) {
        self.loop = loop
    }

    /// - Parameter fire: Runs on an event loop, at the deadline or up to ``interval`` later; never after ``cancel(_:)`` has returned
    ///   before the deadline.
    func schedule(at deadline: NIODeadline, fire: @escaping @Sendable () -> Void) -> Timer {
        let (id, starts) = state.withLock { state -> (UInt64, Bool) in
            state.lastID &+= 1
            state.pending[state.lastID] = (deadline, fire)
            let starts = !state.isTicking
            state.isTicking = true
            return (state.lastID, starts)
        }
        if starts { tick() }
        return Timer(id: id)
    }

    func cancel(_ timer: Timer) {
        state.withLock { _ = $0.pending.removeValue(forKey: timer.id) }
    }

    private func tick() {
        loop.scheduleTask(in: Self.interval) { [self] in
            let now = NIODeadline.now()
            let (overdue, goesOn) = state.withLock { state in
                let overdue = state.pending.filter { $0.value.deadline <= now }
                for id in overdue.keys { state.pending.removeValue(forKey: id) }
                state.isTicking = !state.pending.isEmpty
                return (overdue.values.map(\.fire), state.isTicking)
            }
            for fire in overdue { fire() }
            if goesOn { tick() }
        }
    }
}
