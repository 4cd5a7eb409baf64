import Logging
import Perennial
import PerennialStorage
import Synchronization

/// Measurement of the node's clock by the database server's.
extension NodeMembership {
    /// The measurements at the first registration while the database answers slowly.
    static let maximumMeasurements = 5

    struct ClockMeasurement: Sendable {
        /// The node's clock minus the database server's, in milliseconds, up to half of `taken`.
        var difference: Int64
        /// The milliseconds until the answer.
        var taken: Int64

        /// True if it is good enough for a correction.
        var isPrecise: Bool { taken < NodeClock.tolerance / 2 }

        /// The difference as far as it is certain: 0 if the clock may be within the tolerance.
        var correction: Int64 { difference.magnitude > (NodeClock.tolerance + taken / 2).magnitude ? difference : 0 }
    }

    /// The difference between the node's clock and the database server's, in milliseconds, up to the time that the
    /// measurement took.
    package var clockDifference: Int64 { state.withLock { $0.clockDifference } }

    /// - Parameter begin: The time before the question, in milliseconds.
    func measureClock(_ serverTime: Instant, since begin: Int64) -> ClockMeasurement {
        let (now, taken) = (wallClock(), elapsed() - begin)
        // The server's time is of some moment since the begin.
        return ClockMeasurement(difference: now + -taken / 2 - serverTime, taken: taken)
    }

    /// Corrects the clock by a measurement. Measures again if the database was slow and the clock was never measured, because a store
    /// that begins to serve dates sales by it. After a few slow answers the fastest counts.
    func completeMeasurement(_ first: ClockMeasurement) async {
        var best = first
        if !state.withLock({ $0.isClockMeasured }) {
            var count = 1
            while !best.isPrecise, count < Self.maximumMeasurements {
                count += 1
                let begin = elapsed()
                guard let time = try? await database.read({ try NodesTable.serverTime(on: $0) }) else { break }
                let next = measureClock(time, since: begin)
                if next.taken < best.taken { best = next }
            }
            if !best.isPrecise { best.difference = best.correction }
            correctClock(best, atLeastOnce: true)
        } else {
            correctClock(best)
        }
    }

    /// - Parameter atLeastOnce: True to correct by a measurement that isn't precise, if there was none before.
    func correctClock(_ measurement: ClockMeasurement, atLeastOnce: Bool = false) {
        let difference = measurement.difference
        let counts = state.withLock { state in
            guard measurement.isPrecise || atLeastOnce && !state.isClockMeasured else { return false }
            state.isClockMeasured = true
            state.clockDifference = difference
            return true
        }
        guard counts, let clock, clock.correct(by: difference) else { return }
        logger.warning(
            "this machine's clock differs from the database server's, whose time counts: use NTP on both",
            metadata: ["milliseconds": "\(difference)"])
    }
}
