import AppStoreFormats
import ArgumentParser
import Foundation

/// Measures what Perennial costs, each number beside its limit on the same machine in the same run.
@main
struct PerennialBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "perennial-bench",
        abstract: "Measure Perennial against the limits of the machine (docs/benchmarks.md).",
        discussion: "Exits with 1 if a required ratio is missed.", subcommands: [BenchmarkNode.self])

    /// The engine whose measures run.
    enum Engine: String, ExpressibleByArgument, CaseIterable {
        case sqlite, postgres
    }

    @Option(help: "sqlite: all measures but those of PostgreSQL. postgres: only those, on a server started for them.")
    var engine = Engine.sqlite

    @Option(help: "Where to write the figures as JSON.", completion: .file(extensions: ["json"]))
    var json: String?

    @Option(
        help: """
            Measure this only: content, purchases-http, purchases, verify-receipt, server-api, jws, json, notifications, growth, \
            rules, renewals, many-subscriptions, roll-ups, reports, subscriber-report, catalog-change, \
            connect-list, live, price-change, console, vault or storekit; of PostgreSQL postgres-purchases, postgres-nodes, \
            postgres-renewals or postgres-reads. May be repeated.
            """)
    var only: [String] = []

    @Flag(help: "Shorter rounds: to see that it works, not how fast.")
    var quick = false

    @Option(help: "The folder for databases and files: on a disk, since memory is durable in no time.")
    var folder = ".build"

    /// The memory that content takes is measured first, while no other measure has left any to take again.
    private static let measures: [any (Measure & SendableMetatype).Type] = [
        ContentMeasure.self, HTTPPurchasesMeasure.self, PurchasesMeasure.self, VerificationMeasure.self,
        ServerAPIMeasure.self, JWSMeasure.self, JSONMeasure.self, NotificationsMeasure.self, GrowthMeasure.self,
        RulesMeasure.self,
        RenewalsMeasure.self, ManySubscriptionsMeasure.self, RollUpsMeasure.self, ReportsMeasure.self,
        SubscriberReportMeasure.self, CatalogChangeMeasure.self, ConnectListMeasure.self,
        LiveMeasure.self, PriceChangeMeasure.self, ConsoleMeasure.self, VaultMeasure.self, StoreKitMeasure.self,
    ]

    /// The measures of a store on PostgreSQL.
    private static let measuresOfPostgreSQL: [any (Measure & SendableMetatype).Type] = [
        PostgreSQLPurchasesMeasure.self, PostgreSQLNodesMeasure.self, PostgreSQLRenewalsMeasure.self,
        PostgreSQLReadsMeasure.self,
    ]

    /// The measures of the engine; those that are named, of either engine.
    private var chosen: [any (Measure & SendableMetatype).Type] {
        guard only.isEmpty else {
            return (Self.measures + Self.measuresOfPostgreSQL).filter { only.contains($0.name) }
        }
        return engine == .sqlite ? Self.measures : Self.measuresOfPostgreSQL
    }

    func validate() throws {
        for name in only where !(Self.measures + Self.measuresOfPostgreSQL).contains(where: { $0.name == name }) {
            throw ValidationError("There is no measure called \(name).")
        }
    }

    func run() async throws {
        let folder = try WorkFolder(in: folder)
        defer { folder.remove() }
        var report = Report(try Machine(folder: folder))
        print(report.machine.line)
        let bench = Bench(folder: folder, isQuick: quick, identities: try SigningIdentities.make())
        for measure in chosen {
            print("\n\(measure.name)")
            let seconds = try await Stopwatch.seconds {
                let figures = try await measure.measure(bench)
                for note in figures.flatMap(\.notes) { print("  \(note)") }
                report.add(figures)
            }
            print(String(format: "  (%.0f s)", seconds))
        }
        print("\n\(report.table)")
        if let json { try report.json.write(to: URL(fileURLWithPath: json)) }
        guard report.isMet else { throw ExitCode.failure }
    }
}

/// The inputs of every measure.
struct Bench: Sendable {
    let folder: WorkFolder
    let isQuick: Bool
    let identities: SigningIdentities

    /// Rounds of ours and of the limit in turn: what disturbs the machine for a while disturbs both.
    var rounds: Int { isQuick ? 1 : 5 }

    /// The rounds of what takes a second or two over HTTP, where one disturbed round in five moves the median.
    var shortRounds: Int { isQuick ? 1 : 9 }

    /// Returns the number of operations in a round.
    func count(_ full: Int) -> Int { isQuick ? full / 10 : full }
}

/// A measure.
protocol Measure: Sendable {
    static var name: String { get }
    static func measure(_ bench: Bench) async throws -> [Figure]
}
