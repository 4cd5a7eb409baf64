import ArgumentParser
import Foundation
import PerennialSimulation

/// `perennial check`: decides whether a store that keeps its rules can have given the answers of a history.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "check", "Decide whether a store that keeps its rules can have given the answers of a history.",
        """
        Reads the histories of perennial exercise and believes nothing but the clients: each customer's requests must have one
        order that explains every answer, each key one outcome, each renewal one charge; the journal must be the same to all its
        readers, and each event notified in its order. Several files are histories of one store. It exits with 0 if every rule
        held, and with 1 if one was broken, with the operations that show it, or if the search for a customer's order came to
        its limit.
        """,
        examples: ["check history.jsonl", "check one.jsonl other.jsonl --json"])

    @Argument(help: ArgumentHelp("The files of perennial exercise.", valueName: "file"), completion: .file())
    var files: [String]

    @Option(
        help: ArgumentHelp("The limit on the steps of the search for one customer's order.", valueName: "number"))
    var maximumSteps = HistoryCheck.stepsMax

    @Flag(help: "Print the result as JSON.")
    var json = false

    func validate() throws {
        guard maximumSteps > 0 else { throw ValidationError("--maximum-steps is above 0.") }
        guard !files.isEmpty else { throw ValidationError("Name a file of perennial exercise.") }
    }

    func run() async throws {
        let histories = try files.map(Self.read)
        let bar = ProgressBar(isQuiet: json)
        let outcome = HistoryCheck(histories, stepsMax: maximumSteps).run { done, all in
            bar.say("\(done) of \(all) customers")
        }
        bar.clear()
        let result = CheckResult(outcome)
        Terminal.out(json ? try result.json() : result.words)
        if !outcome.succeeded { throw ExitCode.failure }
    }

    /// - Throws: ``CommandError`` that names file and line.
    static func read(_ file: String) throws -> RecordedHistory {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw CommandError("\(file): there is no such file, or it can't be read")
        }
        do {
            return try RecordedHistory(data, name: URL(filePath: file).lastPathComponent)
        } catch let error as HistoryError {
            throw CommandError(error.description)
        }
    }
}

/// The result of a check: text for people, JSON for programs.
struct CheckResult: JSONResult {
    struct Violation: Encodable {
        var rule: String
        var what: String
        var operations: [String]
    }

    struct Undecided: Encodable {
        var customer: String?
        var what: String
        /// Steps of the search, and requests of the customer without an answer.
        var steps: Int
        var unknown: Int
    }

    /// The most operations of a counterexample that the text shows.
    private static let operationsMax = 40

    var operations: Int
    var unknown: Int
    var customers: Int
    /// Customers with a decision.
    var decided: Int
    var entries: Int
    var steps: Int
    var violations: [Violation]
    var undecided: [Undecided]

    init(_ outcome: HistoryCheck.Outcome) {
        operations = outcome.operations
        unknown = outcome.unknown
        customers = outcome.customers
        decided = outcome.customers - outcome.undecided.count { $0.customer != nil }
        entries = outcome.entries
        steps = outcome.steps
        violations = outcome.violations.map {
            Violation(rule: $0.rule.rawValue, what: $0.what, operations: $0.operations)
        }
        undecided = outcome.undecided.map {
            Undecided(customer: $0.customer, what: $0.what, steps: $0.steps, unknown: $0.unknown)
        }
    }

    var words: String {
        var lines = [
            "\(operations) requests, \(unknown) of them without an answer; \(customers) customers, \(entries) journal entries, "
                + "\(steps) steps of the search"
        ]
        for violation in violations {
            lines.append("BROKEN \(violation.rule): \(violation.what)")
            lines += violation.operations.prefix(Self.operationsMax).map { "  \($0)" }
            let more = violation.operations.count - Self.operationsMax
            if more > 0 { lines.append("  and \(more) more") }
        }
        for open in undecided {
            let place = open.customer.map { "\($0): " } ?? ""
            let size = open.customer == nil ? "" : " (\(open.steps) steps, \(open.unknown) requests without an answer)"
            lines.append("NOT DECIDED \(place)\(open.what)\(size)")
        }
        if violations.isEmpty, undecided.isEmpty { lines.append("every rule held") }
        return lines.joined(separator: "\n")
    }
}
