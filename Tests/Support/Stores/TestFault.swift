import PerennialStorage
import Synchronization

/// Makes a database's next commit go wrong: `TestStore.make(faults: { try fault.reach($0) })`.
package final class TestFault: Sendable {
    package struct Struck: Error {
        package init() {}
    }

    private let next = Mutex<(point: FaultPoint, spared: Int, error: any Error)?>(nil)

    package init() {}

    /// - Parameter spared: How many commits go well before.
    package func strike(at point: FaultPoint, after spared: Int = 0, with error: any Error = Struck()) {
        next.withLock { $0 = (point, spared, error) }
    }

    package func reach(_ point: FaultPoint) throws {
        let error = next.withLock { next -> (any Error)? in
            guard let struck = next, struck.point == point else { return nil }
            guard struck.spared == 0 else {
                next?.spared -= 1
                return nil
            }
            next = nil
            return struck.error
        }
        if let error { throw error }
    }
}
