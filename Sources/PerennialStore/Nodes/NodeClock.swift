import Perennial
import Synchronization

/// The clock of a node: the machine's, corrected if it differs from the database server's.
///
/// All nodes of a database so agree on the time, whatever their machines' clocks say: a node that is an hour ahead charges no
/// renewal an hour early. Small differences stay, because time would jump with each measurement.
package final class NodeClock: Sendable {
    /// The largest difference that isn't corrected, in milliseconds.
    package static let tolerance: Int64 = 2_000

    /// The machine's clock.
    let machine: @Sendable () -> Instant
    /// The difference that is subtracted, in milliseconds.
    private let correction = Atomic<Int64>(0)

    package init(_ machine: @escaping @Sendable () -> Instant) { self.machine = machine }

    package func now() -> Instant { machine() + -correction.load(ordering: .relaxed) }

    /// Corrects the clock if it differs by more than ``tolerance``.
    ///
    /// - Parameter difference: The machine's clock minus the database server's, in milliseconds.
    /// - Returns: True if the correction has changed.
    @discardableResult
    func correct(by difference: Int64) -> Bool {
        let before = correction.load(ordering: .relaxed)
        guard (difference - before).magnitude > Self.tolerance.magnitude else { return false }
        let after = difference.magnitude > Self.tolerance.magnitude ? difference : 0
        correction.store(after, ordering: .relaxed)
        return after != before
    }
}
