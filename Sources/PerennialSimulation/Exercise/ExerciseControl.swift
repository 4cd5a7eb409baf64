import Synchronization

/// The end of an exercise: first no new requests, then no requests at all.
package final class ExerciseControl: Sendable {
    private struct State {
        /// Microseconds since the start; `nil` before the end is known.
        var stopsAt: Int64?
        var settles: Int64
    }

    private static let microseconds: Int64 = 1_000_000

    private let state: Mutex<State>
    private let now: @Sendable () -> Int64

    package init(_ plan: ExercisePlan, now: @escaping @Sendable () -> Int64) {
        self.now = now
        let settles = Int64(plan.settleSeconds) * Self.microseconds
        // Steps end by themselves, unless a store never answers.
        let stopsAt: Int64? = if case .steps = plan.length { now() + settles } else { nil }
        state = Mutex(State(stopsAt: stopsAt, settles: settles))
    }

    /// Ends new requests now, or at a time that comes sooner.
    package func stop() { stop(at: now()) }

    func stop(afterSeconds seconds: Int) { stop(at: now() + Int64(seconds) * Self.microseconds) }

    private func stop(at time: Int64) {
        state.withLock { $0.stopsAt = min($0.stopsAt ?? time, time) }
    }

    /// True if nothing new is asked any more.
    var isStopping: Bool {
        let now = now()
        return state.withLock { $0.stopsAt.map { now >= $0 } ?? false }
    }

    /// True if the time for open requests and last readings is over.
    var isOver: Bool {
        let now = now()
        return state.withLock { state in state.stopsAt.map { now >= $0 + state.settles } ?? false }
    }
}
