import Foundation
import Perennial
import PerennialSimulation

/// The result of a simulation: text for people, JSON for programs.
struct SimulationResult: JSONResult {
    struct Failure: Encodable {
        var rule: String
        var what: String
        var steps: [String]
    }

    var seed: UInt64
    var customers: Int
    var years: Int
    var steps: Int
    var answers: Int
    var refusals: Int
    var transactions: Int
    var entries: Int64
    var end: String
    /// SHA-256 of the journal as text.
    var journal: String
    var seconds: Double
    var failure: Failure?

    init(seed: UInt64, customers: Int, years: Int, _ outcome: Simulation.Outcome, seconds: Double) {
        self.seed = seed
        self.customers = customers
        self.years = years
        steps = outcome.steps
        answers = outcome.answers
        refusals = outcome.refusals
        transactions = outcome.transactions
        entries = outcome.entries
        end = outcome.end.rfc3339()
        journal = outcome.digest
        self.seconds = (seconds * 100).rounded() / 100
        failure = outcome.failure.map {
            Failure(
                rule: $0.violation.rule.rawValue, what: $0.violation.what, steps: $0.steps.map(\.description))
        }
    }

    /// One that is followed by others: what can be said in a line.
    var line: String {
        guard failure == nil else { return words }
        return "\(steps) steps, \(transactions) transactions, \(entries) journal entries in \(seconds) s, "
            + "journal \(journal.prefix(16)); every rule held"
    }

    var words: String {
        let rate = Int((Double(steps) / max(seconds, 0.001)).rounded())
        var lines = [
            "\(steps) steps in \(seconds) s, \(rate) a second: \(answers) done, \(refusals) refused, "
                + "\(transactions) transactions, \(entries) journal entries, until \(end)",
            "journal \(journal)",
        ]
        if let failure {
            lines.append("BROKEN \(failure.rule): \(failure.what)")
            lines.append(
                "seed \(seed), after step \(steps); the shortest history found, of \(failure.steps.count) steps:")
            lines += failure.steps.enumerated().map { "  \($0.offset + 1)  \($0.element)" }
            lines.append("Again: perennial simulate --seed \(seed) --customers \(customers) --years \(years)")
        } else {
            lines.append("every rule held")
        }
        return lines.joined(separator: "\n")
    }
}
