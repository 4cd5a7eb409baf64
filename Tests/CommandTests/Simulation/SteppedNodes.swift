import Perennial
import PerennialSimulation
import PerennialStorage
import PerennialStore
import Synchronization
import TestSupport

/// Nodes whose environments have a real clock, which the test moves: half a second for each round of heartbeats, leases and
/// renewals. A pause of the exercise is one round, so its steps take the same time of the store on any machine.
final class SteppedNodes: Sendable {
    private struct State {
        var waiting: [CheckedContinuation<Void, Never>] = []
        var hasEnded = false
        /// Microseconds of the store's time, and the last that were told.
        var elapsed: Int64 = 0
        var told: Int64 = 0
    }

    private static let step: Int64 = 500
    /// The round in which the node that renews stops working: the others have their leases by then.
    private static let stoppingRound = 20

    private let state = Mutex(State())
    /// True if the node that renews stops in the middle, as a node that is paused does.
    private let stopsRenewing: Bool

    init(stopsRenewing: Bool) { self.stopsRenewing = stopsRenewing }

    /// The time of an exercise: no two of its operations begin or end at once.
    var time: ExerciseTime {
        ExerciseTime(started: "2026-01-01T00:00:00Z") { [self] in
            state.withLock { state in
                state.told = max(state.told + 1, state.elapsed)
                return state.told
            }
        } pause: { [self] _ in
            await untilNextRound()
        }
    }

    private func untilNextRound() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waiting.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    /// Works until the task is cancelled.
    func work(_ nodes: [TestStore]) async throws {
        defer {
            state.withLock { $0.hasEnded = true }
            wake()
        }
        for node in nodes { node.registry.nodes.startWorking() }
        var stopped: Int?
        var round = 0
        while !Task.isCancelled {
            round += 1
            for node in nodes { node.clock.advance(by: Self.step) }
            state.withLock { $0.elapsed += Self.step * 1_000 }
            for (index, node) in nodes.enumerated() where index != stopped {
                try await node.registry.nodes.beat()
                try await node.registry.divideWork()
                await RenewalScheduler(
                    registry: node.registry, pause: { throw CancellationError() }, logger: TestStore.quiet
                )
                .run()
            }
            if stopsRenewing, stopped == nil, round >= Self.stoppingRound { stopped = try await Self.renewing(nodes) }
            wake()
            await Task.yield()
        }
    }

    private func wake() {
        for continuation in state.withLock({ state in
            defer { state.waiting = [] }
            return state.waiting
        }) { continuation.resume() }
    }

    /// Returns the node that renews the subscriptions of the exercise.
    private static func renewing(_ nodes: [TestStore]) async throws -> Int? {
        guard
            let environment = try await nodes[0].registry.environments().first(where: { $0.name.hasPrefix("Exercise") })
        else { return nil }
        let key = LeasesTable.Key(.renewals, environment.id)
        return nodes.firstIndex { $0.registry.nodes.lease(key) != nil }
    }
}
