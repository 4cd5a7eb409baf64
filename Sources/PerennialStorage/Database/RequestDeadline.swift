import Dispatch
import Synchronization

/// The instant until which a request may wait for the database, over all its transactions: in queues, for locks and for
/// statements.
///
/// A task has one while it answers a request, and hands it down to its child tasks. Work that may take long, such as bringing
/// roll-ups up to date, lifts it.
package final class RequestDeadline: Sendable {
    /// The deadline of the current task's request; `nil` for background work.
    @TaskLocal package static var current: RequestDeadline?

    /// The milliseconds of the whole request.
    let limit: Int
    /// `nil` once it is lifted.
    private let end: Mutex<DispatchTime?>

    /// - Parameter milliseconds: The time from now on.
    package init(milliseconds: Int) {
        limit = milliseconds
        end = Mutex(.now() + .milliseconds(milliseconds))
    }

    /// The milliseconds that are left, negative after the deadline; `nil` if it is lifted.
    package var millisecondsLeft: Int? {
        guard let end = end.withLock({ $0 }) else { return nil }
        let now = Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000)
        return Int(Int64(end.uptimeNanoseconds / 1_000_000) - now)
    }

    /// Returns the deadline that comes first; `nil` if there is none, or all are lifted.
    static func earliest(_ deadlines: some Sequence<RequestDeadline?>) -> RequestDeadline? {
        let ends = deadlines.compactMap { deadline in deadline?.end.withLock { $0 }.map { (end: $0, deadline) } }
        return ends.min { $0.end < $1.end }?.1
    }

    /// True after the deadline.
    package var isOver: Bool { millisecondsLeft.map { $0 <= 0 } ?? false }

    /// Begins the time again, unless it is lifted: a request that arrives slowly has it from its last byte on.
    package func restart() {
        end.withLock { if $0 != nil { $0 = .now() + .milliseconds(limit) } }
    }

    /// Lets the request take as long as it may.
    package func lift() { end.withLock { $0 = nil } }

    /// Lets the current task's request, if it answers one, take as long as it may.
    package static func liftCurrent() { current?.lift() }
}
