import Dispatch
import PerennialStorage
import Synchronization

/// The error of a commit that a plan makes fail.
struct InjectedFault: Error {
    let point: FaultPoint
}

/// Makes one commit of a node go wrong.
final class FaultInjector: Sendable {
    private struct State {
        var fault: Fault?
        var interleaved: (@Sendable () async -> Void)?
        var commits = 0
        var hasStruck = false
    }

    private let state = Mutex(State())
    private let budget: StepBudget

    init(_ budget: StepBudget) {
        self.budget = budget
    }

    /// Injects a fault into a later commit.
    ///
    /// - Parameter interleaved: The action of the other node, for a fault that interleaves one.
    func arm(_ fault: Fault, interleaved: @escaping @Sendable () async -> Void) {
        state.withLock { $0 = State(fault: fault, interleaved: interleaved) }
    }

    func disarm() {
        state.withLock { $0 = State() }
    }

    /// Runs at each commit, on the writing thread: the hook of `DatabaseOptions.faults`.
    ///
    /// - Throws: ``InjectedFault``; ``Violation`` `.stepLimitExceeded` beyond the step's budget.
    @Sendable func strike(_ point: FaultPoint) throws {
        if point == .beforeCommit { try budget.spendCommit() }
        let (fault, interleaved) = state.withLock { state -> (Fault?, (@Sendable () async -> Void)?) in
            if point == .beforeCommit { state.commits += 1 }
            guard let fault = state.fault, !state.hasStruck, fault.point == point, fault.commit == state.commits
            else { return (nil, nil) }
            state.hasStruck = true
            return (fault, state.interleaved)
        }
        guard let fault else { return }
        guard case .interleave = fault.kind else { throw InjectedFault(point: point) }
        guard let interleaved else { return }
        // Blocks this thread, so that the other node's commits have a fixed place in the order of commits.
        let done = DispatchSemaphore(value: 0)
        Task {
            await interleaved()
            done.signal()
        }
        done.wait()
    }
}

/// Limits the commits and waits of one step, on all nodes together, so that work without an end is detected.
final class StepBudget: Sendable {
    /// Far more than the longest advance of any plan takes.
    private static let maximumCommits = 1_000_000
    /// Far more than the seconds that a lease lasts.
    private static let maximumWaits = 1_000

    private struct Spent {
        var commits = 0
        var waits = 0
    }

    private let spent = Mutex(Spent())

    /// Begins a step.
    func reset() {
        spent.withLock { $0 = Spent() }
    }

    /// Counts a commit.
    ///
    /// - Throws: ``Violation`` `.stepLimitExceeded` beyond the limit.
    func spendCommit() throws(Violation) {
        let count = spent.withLock { spent in
            spent.commits += 1
            return spent.commits
        }
        try check(count, Self.maximumCommits, "commits")
    }

    /// Counts a wait for another node's lease.
    ///
    /// - Throws: ``Violation`` `.stepLimitExceeded` beyond the limit.
    func spendWait() throws(Violation) {
        let count = spent.withLock { spent in
            spent.waits += 1
            return spent.waits
        }
        try check(count, Self.maximumWaits, "waits")
    }

    private func check(_ count: Int, _ maximum: Int, _ name: String) throws(Violation) {
        guard count <= maximum else {
            throw Violation(.stepLimitExceeded, "the step doesn't end: \(maximum) \(name)")
        }
    }
}
