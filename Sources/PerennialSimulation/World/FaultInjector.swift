import Dispatch
import PerennialStorage
import Synchronization

/// What a commit fails with when a plan says so.
struct InjectedFault: Error {
    let point: FaultPoint
}

/// Sits at a node's commits and makes one of them go wrong.
final class FaultInjector: Sendable {
    private struct State {
        var fault: Fault?
        var rival: (@Sendable () async -> Void)?
        var commits = 0
        var hasStruck = false
    }

    private let state = Mutex(State())

    /// - Parameter rival: What the other node does, where the fault is one.
    func arm(_ fault: Fault, rival: @escaping @Sendable () async -> Void) {
        state.withLock { $0 = State(fault: fault, rival: rival) }
    }

    /// Whether the fault struck.
    @discardableResult
    func disarm() -> Bool {
        state.withLock { state in
            defer { state = State() }
            return state.hasStruck
        }
    }

    /// `DatabaseOptions.faults`: called on the thread that writes.
    @Sendable func strike(_ point: FaultPoint) throws {
        let (fault, rival) = state.withLock { state -> (Fault?, (@Sendable () async -> Void)?) in
            if point == .beforeCommit { state.commits += 1 }
            guard let fault = state.fault, !state.hasStruck, fault.point == point, fault.commit == state.commits
            else { return (nil, nil) }
            state.hasStruck = true
            return (fault, state.rival)
        }
        guard let fault else { return }
        guard case .rival = fault.kind else { throw InjectedFault(point: point) }
        guard let rival else { return }
        // This thread stands still, so what the rival does has one place in the order of commits.
        let done = DispatchSemaphore(value: 0)
        Task {
            await rival()
            done.signal()
        }
        done.wait()
    }
}
