/// The way in which a column of a statistic is computed: from amounts that journal entries add, and from other columns.
package struct StatisticComputation: Hashable, Sendable {
    /// An amount that entries add, with its sign in the column.
    package struct Part: Hashable, Sendable {
        package var measure: StatisticMeasure
        package var sign: Int64

        package init(_ measure: StatisticMeasure, _ sign: Int64 = 1) {
            self.measure = measure
            self.sign = sign
        }
    }

    /// Another column that the computation uses.
    package struct Term: Hashable, Sendable {
        package enum Operation: String, Sendable, CaseIterable {
            case plus, minus, dividedBy
        }

        package var operation: Operation
        package var statistic: Statistic
        package var column: String
        /// True for the value at the end of the period before.
        package var isBefore = false

        package init(_ operation: Operation, _ statistic: Statistic, _ column: String, isBefore: Bool = false) {
            self.operation = operation
            self.statistic = statistic
            self.column = column
            self.isBefore = isBefore
        }
    }

    /// The amounts whose entries are listed: those of the column, of its change in the period, or of a share's first term.
    package var parts: [Part] = []
    /// The other columns, in order; empty for a plain sum of parts.
    package var terms: [Term] = []
    /// The number that lasts and that the column shows.
    package var stock: StatisticMeasure?
}

extension Statistic {
    /// Returns the computation of a column; `nil` for a column whose entries aren't listed.
    ///
    /// Columns of retention are `subscriptions` and `month-0`, `month-1` and so on.
    package func computation(of column: String) -> StatisticComputation? {
        switch self {
        case .newCustomers where column == rawValue: StatisticComputation(parts: [.init(.newCustomers)])
        case .activeTrials where column == rawValue: StatisticComputation(stock: .activeTrials)
        case .activeSubscriptions where column == rawValue: .active
        case .mrr where column == rawValue: .monthlyRevenue
        case .subscriptionStatus: Self.statusComputation(column)
        case .subscriptionMovement, .churnRate: Self.movementComputation(column)
        case .mrrMovement: Self.revenueComputation(column)
        case .trials: Self.trialComputation(column)
        case .retention: Self.retentionComputation(column)
        default: nil
        }
    }

    /// Returns the month after the first payment that a column of retention shows; `nil` for another column.
    package static func retentionMonth(_ column: String) -> Int? {
        guard column.hasPrefix("month-"), let month = Int(column.dropFirst(6)),
            (0...StatisticTable.longestRetention).contains(month)
        else { return nil }
        return month
    }

    private static func statusComputation(_ column: String) -> StatisticComputation? {
        switch column {
        case "set-to-renew": StatisticComputation(stock: .setToRenew)
        case "set-to-cancel": StatisticComputation(stock: .setToCancel)
        case "billing-issue": StatisticComputation(stock: .billingIssue)
        default: nil
        }
    }

    private static func movementComputation(_ column: String) -> StatisticComputation? {
        switch column {
        case "new": StatisticComputation(parts: [.init(.newSubscriptions)])
        case "churned": StatisticComputation(parts: StatisticComputation.churned)
        case "net":
            StatisticComputation(
                parts: [.init(.newSubscriptions)] + StatisticComputation.churned.map { .init($0.measure, -$0.sign) },
                terms: [
                    .init(.plus, .subscriptionMovement, "new"), .init(.minus, .subscriptionMovement, "churned"),
                ])
        case "active": .active
        case "rate":
            StatisticComputation(
                parts: StatisticComputation.churned,
                terms: [
                    .init(.plus, .subscriptionMovement, "churned"),
                    .init(.dividedBy, .subscriptionMovement, "active", isBefore: true),
                ])
        default: nil
        }
    }

    private static func revenueComputation(_ column: String) -> StatisticComputation? {
        if column == "mrr" { return .monthlyRevenue }
        if column == "net" {
            return StatisticComputation(
                parts: StatisticComputation.revenue.map { .init($0.measure) },
                terms: StatisticComputation.revenue.map { .init(.plus, .mrrMovement, $0.column) })
        }
        return StatisticComputation.revenue.first { $0.column == column }
            .map { StatisticComputation(parts: [.init($0.measure)]) }
    }

    private static func trialComputation(_ column: String) -> StatisticComputation? {
        switch column {
        case "started": StatisticComputation(parts: [.init(.trialsStarted)])
        case "converted": StatisticComputation(parts: [.init(.trialsConverted)])
        case "pending": StatisticComputation(parts: [.init(.trialsPending)])
        case "abandoned": StatisticComputation(parts: [.init(.trialsAbandoned)])
        case "conversion":
            StatisticComputation(
                parts: [.init(.trialsConverted)],
                terms: [.init(.plus, .trials, "converted"), .init(.dividedBy, .trials, "started")])
        default: nil
        }
    }

    private static func retentionComputation(_ column: String) -> StatisticComputation? {
        if column == "subscriptions" { return StatisticComputation(parts: [.init(.cohortSubscriptions)]) }
        guard retentionMonth(column) != nil else { return nil }
        return StatisticComputation(
            parts: [.init(.retainedSubscriptions)], terms: [.init(.dividedBy, .retention, "subscriptions")])
    }
}

extension StatisticComputation {
    /// Subscriptions that ended, less those that returned.
    fileprivate static let churned: [Part] = [.init(.lostSubscriptions), .init(.returnedSubscriptions, -1)]

    /// The columns of MRR's movement, with the measures that they show.
    fileprivate static let revenue: [(column: String, measure: StatisticMeasure)] = [
        ("new", .newRevenue), ("returned", .returnedRevenue), ("expansion", .expandedRevenue),
        ("contraction", .contractedRevenue), ("lost", .lostRevenue),
    ]

    /// Active subscriptions: those before, and what the period added and took away.
    fileprivate static let active = StatisticComputation(
        parts: [.init(.newSubscriptions)] + churned.map { .init($0.measure, -$0.sign) },
        terms: [
            .init(.plus, .subscriptionMovement, "active", isBefore: true), .init(.plus, .subscriptionMovement, "new"),
            .init(.minus, .subscriptionMovement, "churned"),
        ], stock: .activeSubscriptions)

    fileprivate static let monthlyRevenue = StatisticComputation(
        parts: revenue.map { .init($0.measure) },
        terms: [.init(.plus, .mrrMovement, "mrr", isBefore: true)]
            + revenue.map { .init(.plus, .mrrMovement, $0.column) }, stock: .monthlyRevenue)
}
