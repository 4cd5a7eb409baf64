import Perennial
import PerennialStorage

/// The journal entries that make a figure of a report, with the rules that made their amounts.
package struct Explanation: Sendable {
    /// A number of a report: a count, or an amount for each currency.
    package struct Figure: Sendable, Equatable {
        package var units: Int64
        /// The amounts by currency; empty for a figure that counts.
        package var amounts: [Money]

        package init(units: Int64 = 0, amounts: [Money] = []) {
            self.units = units
            self.amounts = amounts
        }
    }

    /// The place of an entry among those of all apps: each app has a journal of its own. Lists by day have the number of the
    /// day in place of the app.
    package struct Place: Sendable, Hashable, Comparable {
        package var app: Int64
        package var position: Int64

        package init(app: Int64, position: Int64) {
            self.app = app
            self.position = position
        }

        /// Parses the form of requests, `1600000001-17`; `nil` for any other text.
        package init?(_ text: some StringProtocol) {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, let app = Int64(parts[0]), let position = Int64(parts[1]) else { return nil }
            self.init(app: app, position: position)
        }

        /// The text that ``init(_:)`` parses.
        package var text: String { "\(app)-\(position)" }

        package static func < (one: Place, other: Place) -> Bool {
            (one.app, one.position) < (other.app, other.position)
        }
    }

    /// A journal entry with what it adds to the figure.
    package struct Contribution: Sendable {
        package var app: App.BundleID
        package var place: Place
        package var entry: JournalEntry
        package var transaction: Transaction?
        package var units: Int64
        /// `nil` for a figure that counts.
        package var amount: Money?
        package var rules: [MoneyRule]

        package init(
            of entry: RollUpBatch.Entry, in app: App, units: Int64, amount: Money? = nil
        ) {
            self.app = app.bundleID
            place = Place(app: app.appleID, position: entry.position)
            self.entry = entry.entry
            transaction = entry.transaction
            self.units = units
            self.amount = amount
            rules = MoneyRule.rules(of: entry.entry, entry.transaction, sale: entry.sale?.facts, in: app)
        }
    }

    /// A number from which a figure is computed, with its name in English.
    package struct Term: Sendable, Hashable {
        package enum Operation: String, Sendable, CaseIterable {
            case plus, minus, times, dividedBy
        }

        package var operation: Operation
        package var name: String
        /// The value with its unit, such as `5.00 USD` or `12.50 %`.
        package var value: String

        package init(_ operation: Operation, _ name: String, _ value: String) {
            self.operation = operation
            self.name = name
            self.value = value
        }
    }

    /// A sentence that names the figure.
    package var title: String
    /// The figure with its unit, where it isn't the sum of the entries alone.
    package var value: String?
    /// The computation of ``value``, in order.
    package var terms: [Term] = []
    /// The figure as the report has it.
    package var reported: Figure
    /// The figure computed again from the journal.
    package var recomputed: Figure
    /// The number of all entries that make the figure.
    package var count: Int
    /// A page of the entries, in the order of the journal.
    package var contributions: [Contribution]
    /// The place after which the next page begins; `nil` on the last one.
    package var next: Place?
    /// Amounts of the figure that aren't journal entries of the app, such as a manual adjustment, each with its name.
    package var otherAmounts: [(name: String, amount: Money)]

    /// True if the journal confirms the report.
    package var agrees: Bool { reported == recomputed }

    /// The part of the entries to return.
    package struct Page: Sendable {
        package static let limits = 1...1000
        package static let usualLimit = 100

        package var after: Place
        package var limit: Int

        package init(after: Place = Place(app: 0, position: 0), limit: Int = usualLimit) {
            self.after = after
            self.limit = limit
        }
    }
}

/// Collects the entries of a figure: the sums of all, and one page of them. Its size doesn't depend on their number.
struct ExplanationBuilder: Sendable {
    private let page: Explanation.Page
    private let counts: Bool
    private var units: Int64 = 0
    private var amounts: [Currency: Int64] = [:]
    private var count = 0
    private var contributions: [Explanation.Contribution] = []
    private var hasMore = false

    /// - Parameter counts: True for a figure that counts and so has no amounts.
    init(_ page: Explanation.Page, counts: Bool) {
        self.page = page
        self.counts = counts
    }

    mutating func add(_ contribution: Explanation.Contribution) {
        add(units: contribution.units, contribution.amount)
        count += 1
        guard contribution.place > page.after else { return }
        if contributions.count < page.limit { contributions.append(contribution) } else { hasMore = true }
    }

    /// Adds a row of a report.
    mutating func add(units: Int64, _ amount: Money?) {
        self.units = self.units.clampedAdding(units)
        guard let amount, !counts else { return }
        amounts[amount.currency] = (amounts[amount.currency] ?? 0).clampedAdding(amount.milliunits)
    }

    /// The sums of everything added.
    var figure: Explanation.Figure { Explanation.Figure(units: units, amounts: Self.list(amounts)) }

    func explanation(
        _ title: String, reported: Explanation.Figure, others: [(name: String, amount: Money)] = []
    ) -> Explanation {
        var sums = amounts
        for other in others { sums[other.amount.currency, default: 0] += other.amount.milliunits }
        return Explanation(
            title: title, reported: reported,
            recomputed: Explanation.Figure(units: units, amounts: Self.list(sums)), count: count,
            contributions: contributions, next: hasMore ? contributions.last?.place : nil, otherAmounts: others)
    }

    /// Returns amounts without zeros, in the order of their currencies.
    static func list(_ amounts: [Currency: Int64]) -> [Money] {
        amounts.filter { $0.value != 0 }.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { Money(milliunits: $0.value, $0.key) }
    }
}
