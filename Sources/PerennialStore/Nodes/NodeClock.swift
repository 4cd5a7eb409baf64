import Perennial
import Synchronization

/// The clock of a node: the machine's, corrected if it differs from the database server's.
///
/// All nodes of a database so agree on the time, whatever their machines' clocks say: a node that is an hour ahead charges no
/// renewal an hour early, nor in the half second between a jump of its clock and the next measurement. Small differences
/// stay, because time would jump with each measurement.
package final class NodeClock: Sendable {
    /// The largest difference that isn't corrected, in milliseconds.
    package static let tolerance: Int64 = 2_000

    /// The machine's clock.
    let machine: @Sendable () -> Instant
    /// The milliseconds since some moment, of a clock that is never set and that goes on while the machine sleeps.
    private let elapsed: @Sendable () -> Int64
    private let state = Mutex(State())

    private struct State {
        /// The difference that is subtracted, in milliseconds.
        var correction: Int64 = 0
        /// The machine's clock at the last measurement; `nil` before the first.
        var measured: (machine: Instant, elapsed: Int64)?
    }

    /// - Parameter elapsed: Milliseconds of a clock that isn't set; the system's if omitted (on Linux CLOCK_BOOTTIME).
    package init(_ machine: @escaping @Sendable () -> Instant, elapsed: (@Sendable () -> Int64)? = nil) {
        let start = ContinuousClock.now
        self.machine = machine
        self.elapsed = elapsed ?? { Int64(start.duration(to: .now) / .milliseconds(1)) }
    }

    package func now() -> Instant {
        let (now, passed) = (machine(), elapsed())
        return state.withLock { state in
            var time = now
            if let measured = state.measured {
                let expected = measured.machine + (passed - measured.elapsed)
                // The machine's clock was set: up to the next measurement it goes on as before.
                if (now - expected).magnitude > Self.tolerance.magnitude { time = expected }
            }
            return time + -state.correction
        }
    }

    /// Corrects the clock if it differs by more than ``tolerance``.
    ///
    /// - Parameter difference: The machine's clock minus the database server's, in milliseconds.
    /// - Returns: True if the correction has changed.
    @discardableResult
    func correct(by difference: Int64) -> Bool {
        let measured = (machine: machine(), elapsed: elapsed())
        return state.withLock { state in
            state.measured = measured
            guard (difference - state.correction).magnitude > Self.tolerance.magnitude else { return false }
            let after = difference.magnitude > Self.tolerance.magnitude ? difference : 0
            defer { state.correction = after }
            return after != state.correction
        }
    }
}
