import Foundation

/// One step of the demo: acts, checks the results, and states in a sentence what they prove.
protocol Step: Sendable {
    /// The values that later steps need.
    associatedtype Outcome: Sendable

    static var title: String { get }

    /// - Throws: ``Unexpected`` if a result differs from the expected one.
    func run(_ printer: Printer) async throws -> (outcome: Outcome, proof: String)
}

/// Runs the steps of the demo in order.
struct Scenario: Sendable {
    let printer: Printer

    func run(in folder: DemoFolder, database choice: DemoDatabase.Choice, _ cleanup: Cleanup) async throws {
        let clock = ContinuousClock()
        let start = clock.now
        printer.begin("Perennial, an App Store that you run yourself: the demo on \(choice.name).")
        let database = try DemoDatabase.start(choice, cleanup)
        let demo = try await run(1, Opening(folder: folder, database: database, cleanup: cleanup))
        try await run(2, Window(demo: demo))
        try await run(3, Buying(demo: demo))
        let kept = try await run(4, Delivering(demo: demo))
        try await run(5, Interrupted(demo: demo))
        try await run(6, Restoring(demo: demo))
        try await run(7, Refusing(demo: demo, genuine: kept))
        try await run(8, Crashing(demo: demo))
        try await run(9, Explaining(demo: demo))
        printer.end(
            seconds: start.duration(to: clock.now).seconds, suggestions: suggestions(folder, choice))
    }

    private func suggestions(
        _ folder: DemoFolder, _ database: DemoDatabase.Choice
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
                ("\(perennial) serve --data \(folder.storeData.path)", "the store as the demo left it"))
        }
        return suggestions
    }

    @discardableResult
    private func run<Current: Step>(_ number: Int, _ step: Current) async throws -> Current.Outcome {
        printer.step(number, Current.title)
        let (outcome, proof) = try await step.run(printer)
        printer.proved(proof)
        return outcome
    }
}

/// A result that differs from the expected one.
struct Unexpected: Error, CustomStringConvertible {
    let what: String
    let expected: String
    let came: String

    var description: String { "\(what): expected \(expected), came \(came)" }
}

/// Fails if two values differ.
func expect<Value: Equatable>(_ what: String, _ came: Value, is expected: Value) throws {
    guard came == expected else {
        throw Unexpected(what: what, expected: "\(expected)", came: "\(came)")
    }
}

/// Fails if a condition is false.
func expect(_ what: String, _ holds: Bool, came: @autoclosure () -> String) throws {
    guard holds else { throw Unexpected(what: what, expected: "that it is so", came: came()) }
}

/// Unwraps a value, or fails.
func required<Value>(_ what: String, _ value: Value?) throws -> Value {
    guard let value else { throw Unexpected(what: what, expected: "that there is one", came: "none") }
    return value
}

/// Fails if a task takes longer than a limit.
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
