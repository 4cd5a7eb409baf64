import AppStoreFormats
import ArgumentParser
import Foundation
import Perennial
import PerennialSimulation
import PerennialStorage
import PerennialStore

/// `perennial simulate`: runs random commerce with injected faults against the store's own code.
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "simulate", "Run invented customers against the store's own code, with faults, and check every rule.",
        """
        Customers buy, change their minds, pay with cards that fail, want their money back; meanwhile commits fail, answers are
        lost, processes crash and a second worker interferes. After every step each customer must have, once, what they
        paid for, and journal, ledger and tables must agree. The same seed makes the same journal, byte for byte. It exits
        with 0 if every rule held, and with 1 if one was broken, after saying the seed and the shortest history that still
        breaks it. With --for or --count, --json prints a line for each seed.
        """,
        examples: [
            "simulate", "simulate --seed 42 --customers 1000 --years 3", "simulate --for 60 --customers 20",
            "simulate --seed 1 --count 10 --customers 20 --database postgres",
            "simulate --seed 42 --json",
        ])

    /// A limit of ours: a night.
    private static let secondsAllowed = 1...86_400
    /// A limit of ours: seeds that one command goes through.
    private static let countsAllowed = 1...1_000_000
    /// The limit for the search for a shorter history: CI waits for it.
    private static let shorteningMax: Duration = .seconds(300)

    @Option(
        help: ArgumentHelp("The seed of everything; a random one if omitted.", valueName: "number"))
    var seed: UInt64?

    @Option(help: ArgumentHelp("How many customers.", valueName: "number"))
    var customers = 100

    @Option(help: ArgumentHelp("How many years pass.", valueName: "number"))
    var years = 1

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "Go on with the next seed, and the next, until so much time is over.", valueName: "seconds"))
    var seconds: Int?

    @Option(help: ArgumentHelp("Go on with so many seeds, one after the other.", valueName: "count"))
    var count: Int?

    @Option(
        help: ArgumentHelp(
            "Where the store keeps its data: files of its own, or a PostgreSQL server that it starts for itself.",
            valueName: "sqlite|postgres"))
    var database = DatabaseEngine.sqlite

    @Flag(help: "Print the result as JSON.")
    var json = false

    func validate() throws {
        try ValidationError.expect(customers, in: SimulationPlan.customersAllowed, "--customers")
        try ValidationError.expect(years, in: SimulationPlan.yearsAllowed, "--years")
        if let seconds { try ValidationError.expect(seconds, in: Self.secondsAllowed, "--for") }
        if let count { try ValidationError.expect(count, in: Self.countsAllowed, "--count") }
        guard seconds == nil || count == nil else { throw ValidationError("--for and --count exclude each other.") }
    }

    func run() async throws { try await Cleanup.clearing { try await simulate($0) } }

    private func simulate(_ cleanup: Cleanup) async throws {
        let simulation = Simulation(
            signing: Signing(try SigningIdentities.make()), databases: try databases(cleanup))
        let first = seed ?? UInt64(SecureRandom.hex(4), radix: 16) ?? 0
        let clock = ContinuousClock()
        let end = seconds.map { clock.now + .seconds($0) }
        let isSeries = end != nil || count != nil
        var seed = first
        var steps = 0
        repeat {
            let result = try await live(seed, simulation)
            steps += result.steps
            Terminal.out(json ? try result.json() : isSeries ? result.line : result.words)
            if result.failure != nil { throw ExitCode.failure }
            seed &+= 1
        } while end.map { clock.now < $0 } ?? (seed &- first < UInt64(count ?? 1))
        if isSeries, !json {
            Terminal.out("\(seed &- first) seeds from \(first) on, \(steps) steps: every rule held")
        }
    }

    /// Runs one seed, with its progress on standard error.
    private func live(_ seed: UInt64, _ simulation: Simulation) async throws -> SimulationResult {
        let plan = SimulationPlan(seed: seed, customers: customers, years: years)
        // Printed first, so that an interrupted run can be repeated.
        if !json {
            let people = "\(customers) customer\(customers == 1 ? "" : "s")"
            Terminal.out("seed \(seed): \(people), \(years) year\(years == 1 ? "" : "s"); \(plan.setting)")
        }
        let bar = ProgressBar(isQuiet: json)
        var outcome = try await simulation.run(plan) { bar.show($0.done, of: $0.total, "\($0.entries) entries") }
        bar.clear()
        let seconds = bar.seconds
        if let failure = outcome.failure {
            if !json { Terminal.out("BROKEN \(failure.violation); looking for a shorter history") }
            let (clock, end) = (ContinuousClock(), ContinuousClock.now + Self.shorteningMax)
            outcome.failure = try await simulation.shorten(failure, of: plan, shouldContinue: { clock.now < end }) {
                bar.say("\(failure.violation.rule.rawValue) is broken; shortest so far: \($0) steps")
            }
            bar.clear()
        }
        return SimulationResult(seed: seed, customers: customers, years: years, outcome, seconds: seconds)
    }

    private func databases(_ cleanup: Cleanup) throws -> SimulationDatabases {
        switch database {
        case .sqlite: return SimulationDatabases(folder: try Self.makeFolder(cleanup).path)
        case .postgres:
            let server = try EphemeralPostgreSQL(
                settings: ["fsync=off", "synchronous_commit=off", "full_page_writes=off"], prefersMemory: true)
            cleanup.add { server.stop() }
            return SimulationDatabases(server: server)
        }
    }

    /// Makes a folder in memory if the system has one: simulated commits needn't wait for a disk.
    private static func makeFolder(_ cleanup: Cleanup) throws -> URL {
        let files = FileManager.default
        let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
        let base = files.isWritableFile(atPath: memory.path) ? memory : files.temporaryDirectory
        let folder = base.appending(path: "perennial-simulation-\(SecureRandom.hex(4))", directoryHint: .isDirectory)
        try files.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        cleanup.add { try? FileManager.default.removeItem(at: folder) }
        return folder
    }
}

extension DatabaseEngine: ExpressibleByArgument {}

extension ValidationError {
    /// - Throws: `ValidationError` if the value of an option isn't allowed.
    static func expect(_ value: Int, in allowed: ClosedRange<Int>, _ option: String) throws {
        guard allowed.contains(value) else {
            throw ValidationError("\(option) is \(allowed.lowerBound) to \(allowed.upperBound).")
        }
    }
}
