import PerennialStorage
import Synchronization

/// Makes a database's next commit go wrong: `TestStore.make(faults: { try fault.reach($0) })`.
package final class TestFault: Sendable {
    package struct Struck: Error {
        package init() {}
    }

    private let next = Mutex<(point: FaultPoint, error: any Error)?>(nil)

    package init() {}

    package func strike(at point: FaultPoint, with error: any Error = Struck()) {
        next.withLock { $0 = (point, error) }
    }

    package func reach(_ point: FaultPoint) throws {
        let error = next.withLock { next -> (any Error)? in
            guard let struck = next, struck.point == point else { return nil }
            next = nil
            return struck.error
        }
        if let error { throw error }
    }
}
