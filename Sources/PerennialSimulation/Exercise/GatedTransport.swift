import Synchronization

/// Counts the requests at each node, and holds back those to a node that is killed until it runs again.
package final class GatedTransport: ExerciseTransport {
    private struct State {
        var inFlight: [Int]
        var isClosed: [Bool]
    }

    /// Milliseconds between two looks at a closed gate.
    private static let poll = 5

    private let base: any ExerciseTransport
    private let time: ExerciseTime
    private let state: Mutex<State>

    package init(_ base: any ExerciseTransport, time: ExerciseTime) {
        self.base = base
        self.time = time
        let count = max(base.nodes.count, 1)
        state = Mutex(
            State(inFlight: Array(repeating: 0, count: count), isClosed: Array(repeating: false, count: count)))
    }

    package var nodes: [String] { base.nodes }

    package func send(_ request: ExerciseRequest) async -> ExerciseReply {
        let node = request.node % max(base.nodes.count, 1)
        while !enter(node) {
            guard !Task.isCancelled else { return .lost(reason: "cancelled") }
            await time.pause(Self.poll)
        }
        defer { state.withLock { $0.inFlight[node] -= 1 } }
        return await base.send(request)
    }

    private func enter(_ node: Int) -> Bool {
        state.withLock { state in
            guard !state.isClosed[node] else { return false }
            state.inFlight[node] += 1
            return true
        }
    }

    /// The requests that a node has not answered.
    func inFlight(at node: Int) -> Int { state.withLock { $0.inFlight[node] } }

    /// Holds back requests to a node from now on.
    func close(_ node: Int) { state.withLock { $0.isClosed[node] = true } }

    func open(_ node: Int) { state.withLock { $0.isClosed[node] = false } }
}
