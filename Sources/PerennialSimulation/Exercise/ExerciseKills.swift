import Perennial

/// The nodes of a store that an exercise has started for itself, so that it may kill them.
package protocol ExercisedNodes: Sendable {
    /// The nodes' URLs, which stay the same.
    var urls: [String] { get }

    /// Ends a node at once, and returns when it is gone.
    func kill(_ node: Int) async throws
    /// Begins to start a node that was killed.
    func start(_ node: Int) async throws
    /// Waits until a node that starts answers.
    func awaitReady(_ node: Int) async throws
}

/// Kills nodes during an exercise, at times and in moments that the seed draws, and starts them again.
package struct ExerciseKills: Sendable {
    /// A moment in the work of a node.
    enum Moment: CaseIterable, Sendable {
        /// Kills while the node answers a request.
        case inRequest
        /// Kills while it answers none, and does only work of its own.
        case betweenRequests
        /// Kills while it starts again after a kill in a request.
        case whileStarting
    }

    /// A limit of ours.
    package static let allowed = 1...10_000

    /// The part of an exercise before the first kill and after the last, in percent of its time.
    private static let margin = 10
    /// Longest wait for a request before a kill, and from its begin to the kill, in milliseconds.
    private static let requestMax = 500
    private static let delayMax = 4
    /// Longest time of a start before it is killed, in milliseconds.
    private static let startMax = 400
    private static let poll = 1
    private static let longPoll = 50

    let count: Int
    let nodes: any ExercisedNodes
    let gate: GatedTransport

    /// - Parameters:
    ///   - count: The number of kills.
    ///   - gate: The transport of the exercise.
    package init(_ count: Int, of nodes: any ExercisedNodes, behind gate: GatedTransport) {
        self.count = count
        self.nodes = nodes
        self.gate = gate
    }

    /// A kill to come.
    struct Planned: Equatable {
        /// Milliseconds since the exercise's begin.
        var at: Int
        var node: Int
        var moment: Moment
        /// Milliseconds from the moment's begin to the kill.
        var delay: Int
    }

    /// Returns all kills by their time. The same seed plans the same.
    static func plan(seed: UInt64, count: Int, nodes: Int, seconds: Int) -> [Planned] {
        var random = SeededRandom(seed: seed &* 1_000_003 &+ 3_000_000)
        let length = seconds * 1_000
        let margin = length * Self.margin / 100
        return (0..<count).map { _ in
            let at = margin + random.below(length - 2 * margin)
            let moment = Moment.allCases[random.below(Moment.allCases.count)]
            let delayMax = moment == .whileStarting ? Self.startMax : Self.delayMax
            return Planned(at: at, node: random.below(nodes), moment: moment, delay: random.below(delayMax + 1))
        }.sorted { $0.at < $1.at }
    }

    /// Kills until the exercise stops.
    ///
    /// - Throws: The nodes' errors: a node that doesn't start again ends the exercise.
    func run(_ exercise: Exercise) async throws {
        guard case .seconds(let seconds) = exercise.plan.length else { return }
        let (time, begun) = (exercise.time, exercise.time.now())
        let planned = Self.plan(
            seed: exercise.plan.seed, count: count, nodes: nodes.urls.count, seconds: seconds)
        for next in planned {
            while Int((time.now() - begun) / 1_000) < next.at, !exercise.control.isStopping {
                await time.pause(Self.longPoll)
            }
            guard !exercise.control.isStopping else { return }
            do {
                try await kill(next, time)
            } catch {
                exercise.control.stop()
                throw error
            }
            exercise.recorder.killed()
        }
    }

    private func kill(_ planned: Planned, _ time: ExerciseTime) async throws {
        let node = planned.node
        // Requests wait until the node runs again, also if it never does.
        defer { gate.open(node) }
        switch planned.moment {
        case .inRequest, .whileStarting:
            var waited = 0
            while gate.inFlight(at: node) == 0, waited < Self.requestMax {
                await time.pause(Self.poll)
                waited += Self.poll
            }
            if planned.moment == .inRequest { await time.pause(planned.delay) }
            gate.close(node)
        case .betweenRequests:
            gate.close(node)
            while gate.inFlight(at: node) > 0 { await time.pause(Self.poll) }
            await time.pause(planned.delay)
        }
        try await nodes.kill(node)
        if planned.moment == .whileStarting {
            try await nodes.start(node)
            await time.pause(planned.delay)
            try await nodes.kill(node)
        }
        try await nodes.start(node)
        try await nodes.awaitReady(node)
    }
}
