import AppStoreFormats
import ArgumentParser
import Foundation
import Perennial
import PerennialSimulation
import PerennialStore

/// `perennial simulate`: years of invented commerce against the store's own code, with everything going wrong that can.
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "simulate", "Run invented customers against the store's own code, with faults, and check every rule.",
        """
        Customers buy, change their minds, pay with cards that fail, want their money back; meanwhile commits fail, answers are
        lost, processes crash and a second worker interferes. After every step nobody may have paid twice or lack what they
        paid for, and journal, ledger and tables must agree. The same seed makes the same journal, byte for byte. A broken rule
        ends it with exit code 1, the seed and the shortest history that still breaks it.
        """,
        examples: ["simulate", "simulate --seed 42 --customers 1000 --years 3", "simulate --seed 42 --json"])

    @Option(
        help: ArgumentHelp("What everything follows from; a random one where nothing is said.", valueName: "number"))
    var seed: UInt64?

    @Option(help: ArgumentHelp("How many customers.", valueName: "number"))
    var customers = 100

    @Option(help: ArgumentHelp("How many years pass.", valueName: "number"))
    var years = 1

    @Flag(help: "Print the result as JSON.")
    var json = false

    func validate() throws {
        guard SimulationPlan.customersAllowed.contains(customers) else {
            throw ValidationError("--customers is 1 to \(SimulationPlan.customersAllowed.upperBound).")
        }
        guard SimulationPlan.yearsAllowed.contains(years) else {
            throw ValidationError("--years is 1 to \(SimulationPlan.yearsAllowed.upperBound).")
        }
    }

    func run() async throws {
        let seed = seed ?? UInt64(SecureRandom.hex(4), radix: 16) ?? 0
        let folder = try Self.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let simulation = Simulation(signing: try Signing(try SigningIdentities.make()), folder: folder.path)
        let plan = SimulationPlan(seed: seed, customers: customers, years: years)
        let bar = ProgressBar(isQuiet: json)
        if !json { Terminal.out("seed \(seed): \(customers) customers, \(years) years; \(plan.setting)") }
        var outcome = try await simulation.run(plan) { bar.show($0.done, of: $0.total, "\($0.entries) entries") }
        bar.clear()
        let seconds = bar.seconds
        if let failure = outcome.failure {
            outcome.failure = try await simulation.shorten(failure, of: plan) {
                bar.say("shortest so far: \($0) steps")
            }
            bar.clear()
        }
        let result = SimulationResult(seed: seed, customers: customers, years: years, outcome, seconds: seconds)
        Terminal.out(json ? try result.json() : result.words)
        if outcome.failure != nil { throw ExitCode.failure }
    }

    /// Every commit waits for the disk, and simulated customers need none: memory, where the system has a folder in it.
    private static func makeFolder() throws -> URL {
        let files = FileManager.default
        let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
        let base = files.isWritableFile(atPath: memory.path) ? memory : files.temporaryDirectory
        let folder = base.appending(path: "perennial-simulation-\(SecureRandom.hex(4))", directoryHint: .isDirectory)
        try files.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder
    }
}

/// What a simulation came to: words for people, JSON for programs.
struct SimulationResult: Encodable {
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

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
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
