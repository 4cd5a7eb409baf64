import ArgumentParser
import Foundation
import Perennial
import PerennialSimulation

/// `perennial seed`: invents a history of commerce in a running store.
struct Seed: StoreCommand {
    static let configuration = CommandConfiguration(
        "seed", "Invent months of believable commerce in an environment, to look at reports with.",
        """
        Customers in ten storefronts download the app, update it, buy, try subscriptions, keep or cancel them, have payments
        declined, change plans and get refunds, over the products that the store has. All of it goes through the store itself.
        The environment is made with a manual clock that starts so many months before now. The same seed over the same days
        and products makes the same history.
        """,
        examples: [
            "seed --months 1 --customers 5", "seed --months 2 --customers 5 --seed 7 --environment Lab",
        ])

    @Option(help: ArgumentHelp("The number of months, 1 to 60.", valueName: "number"))
    var months = 12

    @Option(help: ArgumentHelp("The number of customers, 1 to 100000.", valueName: "number"))
    var customers = 200

    @Option(help: ArgumentHelp("The seed of everything.", valueName: "number"))
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "The environment; made if there is none. One that exists needs a manual clock, and continues from its time.",
            valueName: "name"))
    var environment = EnvironmentName.demo

    @Option(
        help: ArgumentHelp(
            "The last day of a new environment's history, such as 2026-10-31; yesterday if omitted.", valueName: "date")
    )
    var to: Day?

    @OptionGroup var app: AppOption

    @Flag(help: "Add to an environment that has customers already.")
    var yes = false

    @OptionGroup var store: OperatorOptions

    var names: StoreNames { StoreNames(app: app.bundleID) }

    func validate() throws {
        let (months, customers) = (HistoryPlan.monthsAllowed, HistoryPlan.customersAllowed)
        guard months.contains(self.months) else {
            throw ValidationError("--months is \(months.lowerBound) to \(months.upperBound).")
        }
        guard customers.contains(self.customers) else {
            throw ValidationError("--customers is \(customers.lowerBound) to \(customers.upperBound).")
        }
        guard environment != .production, environment != .sandbox else {
            throw ValidationError("--environment is one with a manual clock: neither Production nor Sandbox.")
        }
    }

    func report(from client: StoreClient) async throws -> Report {
        let bundleID = try await client.app(app.bundleID)
        let place = client.at(environment)
        let catalog = try await SeedCatalog.read(bundleID, place.at(.production))
        let (start, isNew) = try await beginning(in: place)
        let end = isNew ? lastDay.end : PacificDay(PacificDay(start).date.adding(months: months)).start
        let plan = HistoryPlan(seed: seed, customers: customers, start: start, end: end, catalog: catalog)
        // Customers of an earlier run keep their names.
        let suffix = try await place.accountNames(limit: 1).isEmpty ? "" : ".\(PacificDay(start))"
        var run = SeedRun(client: place, bundleID: bundleID, suffix: suffix, start: start)
        let bar = ProgressBar(isQuiet: store.server.json)
        try await run.prepare(catalog)
        let steps = plan.steps()
        for (number, step) in steps.enumerated() {
            bar.show(number, of: steps.count, "until \(PacificDay(step.at))")
            try await run.closeMonths(before: step.at, seed: seed)
            try await run.perform(step)
        }
        // The last day is over, so that it has reports.
        try await run.closeMonths(before: end + .hours(1), seed: seed)
        try await run.advance(to: end + .hours(1))
        bar.clear()
        return try Self.report(
            run.counts, environment: environment.name, from: PacificDay(start), to: PacificDay(end).adding(-1))
    }

    private var lastDay: PacificDay {
        to?.day ?? PacificDay(Instant(Date())).adding(-1)
    }

    /// Returns the start of the history, and true for an environment that was made for it.
    ///
    /// - Throws: ``CommandError`` for an environment with a real clock or, without `--yes`, with customers.
    private func beginning(in place: StoreClient) async throws -> (Instant, isNew: Bool) {
        let name = environment.name
        guard try await place.environmentNames().contains(name) else {
            let start = PacificDay(lastDay.next.date.adding(months: -months)).start
            let _: StoreAnswer<EnvironmentsCommand.Environment> = try await place.at(.production).post(
                "control/v1/environments",
                SeedMessages.Environment(name: name, now: start.rfc3339(fraction: true), seed: Int64(bitPattern: seed)))
            return (start, true)
        }
        let clock: StoreAnswer<SeedMessages.Clock> = try await place.get("control/v1/clock")
        guard clock.value.kind == StoreEnvironment.Clock.manual.rawValue, let now = Instant(rfc3339: clock.value.now)
        else { throw CommandError("\(name) has a real clock: name another environment, or one that is to be made") }
        let isEmpty = try await place.accountNames(limit: 1).isEmpty
        guard yes || isEmpty else {
            throw CommandError("\(name) has customers already: add to them with --yes, or name another environment")
        }
        // A history begins with a day.
        let today = PacificDay(now)
        return (now > today.start ? today.end : today.start, false)
    }

    private static func report(
        _ counts: SeedRun.Counts, environment: String, from first: PacificDay, to last: PacificDay
    ) throws -> Report {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let summary = Summary(environment: environment, from: "\(first)", to: "\(last)", counts: counts)
        let words = """
            \(environment) has the history of \(first) to \(last): \(counts.customers) customers, \
            \(counts.downloads) downloads and updates, \(counts.purchases) purchases, \
            \(counts.subscriptions) subscriptions bought or changed, \(counts.refunds) refunds, \(counts.closedMonths) closed fiscal months, \
            \(counts.renewals) renewals and other events of subscriptions, \(counts.refused) requests refused.
            """
        return Report(words: words, json: Array(try encoder.encode(summary)))
    }

    private struct Summary: Encodable {
        var environment: String
        var from: String
        var to: String
        var counts: SeedRun.Counts
    }

    /// A day of the calendar in an argument.
    struct Day: ExpressibleByArgument {
        let day: PacificDay

        init?(argument: String) {
            guard let instant = Instant(rfc3339: "\(argument)T12:00:00Z") else { return nil }
            day = PacificDay(instant.civil.date)
        }
    }
}

extension StoreClient {
    fileprivate func accountNames(limit: Int) async throws -> [String] {
        let answer: StoreAnswer<SeedMessages.Accounts> = try await get("control/v1/accounts?limit=\(limit)")
        return answer.value.accounts.map(\.account)
    }
}
