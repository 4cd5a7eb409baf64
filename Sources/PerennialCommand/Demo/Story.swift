import Foundation

/// One step of the story: plays, checks what came back, and says in a sentence what that proved.
protocol Step: Sendable {
    /// What later steps need of this one.
    associatedtype Outcome: Sendable

    static var title: String { get }

    /// - Throws: ``Unexpected`` where something came out otherwise than it should.
    func play(_ narrator: Narrator) async throws -> (outcome: Outcome, proof: String)
}

/// The steps in their order.
struct Story: Sendable {
    let narrator: Narrator

    func tell(in folder: StageFolder, database choice: StoryDatabase.Choice, _ leftovers: Leftovers) async throws {
        let clock = ContinuousClock()
        let start = clock.now
        narrator.begin("Perennial, an App Store that you run yourself: the story on \(choice.name).")
        let database = try StoryDatabase.start(choice, leftovers)
        let stage = try await play(1, Opening(folder: folder, database: database, leftovers: leftovers))
        try await play(2, Window(stage: stage))
        try await play(3, Buying(stage: stage))
        let kept = try await play(4, Delivering(stage: stage))
        try await play(5, Interrupted(stage: stage))
        try await play(6, Restoring(stage: stage))
        try await play(7, Refusing(stage: stage, genuine: kept))
        try await play(8, Crashing(stage: stage))
        narrator.end(
            seconds: start.duration(to: clock.now).seconds, suggestions: suggestions(folder, choice))
    }

    private func suggestions(
        _ folder: StageFolder, _ database: StoryDatabase.Choice
    ) -> [(command: String, purpose: String)] {
        let perennial = CommandLine.arguments.first ?? "perennial"
        var suggestions = [("\(perennial) serve --storekit YourApp.storekit --in-memory", "your own products")]
        if database == .sqlite {
            suggestions.append(("\(perennial) demo --database postgres", "the same on PostgreSQL"))
        }
        if !folder.isKept {
            suggestions.append(("\(perennial) demo --keep FOLDER", "and look at what it made"))
        } else if database == .sqlite {
            suggestions.append(
                ("\(perennial) serve --data \(folder.storeData.path)", "the store as the story left it"))
        }
        return suggestions
    }

    @discardableResult
    private func play<Played: Step>(_ number: Int, _ step: Played) async throws -> Played.Outcome {
        narrator.step(number, Played.title)
        let (outcome, proof) = try await step.play(narrator)
        narrator.proved(proof)
        return outcome
    }
}

/// Something came out otherwise than the story wants it.
struct Unexpected: Error, CustomStringConvertible {
    let what: String
    let expected: String
    let came: String

    var description: String { "\(what): expected \(expected), came \(came)" }
}

/// Ends the story where a value isn't the one it should be.
func expect<Value: Equatable>(_ what: String, _ came: Value, is expected: Value) throws {
    guard came == expected else {
        throw Unexpected(what: what, expected: "\(expected)", came: "\(came)")
    }
}

/// Ends the story where something isn't so.
func expect(_ what: String, _ holds: Bool, came: @autoclosure () -> String) throws {
    guard holds else { throw Unexpected(what: what, expected: "that it is so", came: came()) }
}

/// Ends the story where something is missing.
func required<Value>(_ what: String, _ value: Value?) throws -> Value {
    guard let value else { throw Unexpected(what: what, expected: "that there is one", came: "none") }
    return value
}

/// Ends the story where something takes too long.
///
/// - Parameter body: Must heed cancellation.
func within<Value: Sendable>(
    _ limit: Duration, _ what: String, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() ?? nil else {
            throw Unexpected(what: what, expected: "it within \(limit)", came: "nothing")
        }
        return value
    }
}

extension Duration {
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
