extension Simulation {
    /// Default limit on the runs of a search.
    package static let shrinkingRunsMax = 400

    /// Searches for the shortest history that still breaks the same rule, by delta debugging (Zeller and Hildebrandt, “Simplifying
    /// and Isolating Failure-Inducing Input”): leaves out customers, then steps, then faults and the second node.
    ///
    /// - Parameters:
    ///   - runsMax: Limit on the runs of the search.
    ///   - shouldContinue: Returns false to end the search with the shortest history so far; called before each run.
    package func shorten(
        _ failure: Failure, of plan: SimulationPlan, runsMax: Int = Simulation.shrinkingRunsMax,
        shouldContinue: @escaping @Sendable () -> Bool = { true }, progress: @Sendable (Int) -> Void = { _ in }
    ) async throws -> Failure {
        var search = Search(
            simulation: self, plan: plan, shouldContinue: shouldContinue, shortest: failure, runsLeft: runsMax)
        if let person = failure.violation.person {
            // Most failures need one customer only.
            _ = try await search.attempt(
                failure.steps.filter { $0.action.person == nil || $0.people.contains(person) })
        }
        try await search.leaveOutPeople(progress)
        try await search.leaveOutParts(progress)
        try await search.simplify(progress)
        try await search.leaveOutParts(progress)
        return search.shortest
    }
}

/// A search for a shorter history.
private struct Search {
    let simulation: Simulation
    let plan: SimulationPlan
    let shouldContinue: @Sendable () -> Bool
    var shortest: Simulation.Failure
    var runsLeft: Int

    /// Keeps the steps as the shortest history if they break the same rule.
    mutating func attempt(_ steps: [SimulatedStep]) async throws -> Bool {
        guard runsLeft > 0, !steps.isEmpty else { return false }
        guard shouldContinue() else {
            runsLeft = 0
            return false
        }
        runsLeft -= 1
        let outcome = try await simulation.run(plan.keeping(steps))
        guard let failure = outcome.failure, failure.violation.rule == shortest.violation.rule else { return false }
        shortest = failure
        return true
    }

    /// Leaves out half of the customers, a quarter and so on, down to single ones.
    mutating func leaveOutPeople(_ progress: (Int) -> Void) async throws {
        var people = Set(shortest.steps.compactMap(\.action.person)).sorted()
        var size = people.count / 2
        while size > 0, runsLeft > 0 {
            var start = 0
            while start < people.count, runsLeft > 0 {
                let leaving = Set(people[start..<min(start + size, people.count)])
                let rest = shortest.steps.filter { step in
                    !step.people.contains { person in person.map(leaving.contains) ?? false }
                }
                if try await attempt(rest) {
                    people.removeAll(where: leaving.contains)
                } else {
                    start += size
                }
                progress(shortest.steps.count)
            }
            size /= 2
        }
    }

    /// Leaves out halves, quarters and so on, down to single steps.
    mutating func leaveOutParts(_ progress: (Int) -> Void) async throws {
        var size = max(shortest.steps.count / 2, 1)
        while runsLeft > 0 {
            let isShorter = try await leaveOut(partsOf: size, progress)
            if size == 1, !isShorter { return }
            size = max(isShorter ? min(size, shortest.steps.count / 2) : size / 2, 1)
        }
    }

    private mutating func leaveOut(partsOf size: Int, _ progress: (Int) -> Void) async throws -> Bool {
        var isShorter = false
        // From the end: the last step broke the rule, so most of those before it can go.
        var end = shortest.steps.count
        while end > 0, runsLeft > 0 {
            let start = max(end - size, 0)
            let rest = Array(shortest.steps[..<start] + shortest.steps[min(end, shortest.steps.count)...])
            if try await attempt(rest) { isShorter = true }
            progress(shortest.steps.count)
            end = min(start, shortest.steps.count)
        }
        return isShorter
    }

    /// Removes faults and moves steps to the first node, one by one.
    mutating func simplify(_ progress: (Int) -> Void) async throws {
        for index in shortest.steps.indices.reversed() {
            guard shortest.steps.indices.contains(index) else { continue }
            var steps = shortest.steps
            if steps[index].fault != nil {
                steps[index].fault = nil
                if try await !attempt(steps) { steps = shortest.steps }
            }
            guard steps.indices.contains(index), steps[index].node != 0 else { continue }
            steps[index].node = 0
            _ = try await attempt(steps)
        }
        progress(shortest.steps.count)
    }
}
