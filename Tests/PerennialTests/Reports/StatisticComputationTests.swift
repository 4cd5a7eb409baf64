import Perennial
import TestRandomness
import Testing

/// The computations of statistics' columns against their values.
struct StatisticComputationTests {
    /// The columns whose entries are listed, without those of retention.
    private static let columns = Statistic.allCases.flatMap { statistic in
        statistic.columnNames.filter { statistic.computation(of: $0) != nil }.map { (statistic, $0) }
    }

    /// Amounts of a period, with those of numbers that last at its end.
    private struct Amounts {
        var amounts: [StatisticMeasure: Int64]

        init(seed: UInt64) {
            var generator = SeededGenerator(seed: seed)
            let measures = StatisticMeasure.allCases.map { ($0, Int64.random(in: 1...1000, using: &generator)) }
            amounts = Dictionary(uniqueKeysWithValues: measures)
        }

        /// The amounts of the period before: what lasts without what the period has changed.
        func before(_ computation: StatisticComputation, _ stock: StatisticMeasure) -> Amounts {
            var before = self
            before.amounts[stock, default: 0] -= sum(computation.parts)
            return before
        }

        func sum(_ parts: [StatisticComputation.Part]) -> Int64 {
            parts.reduce(0) { $0 + $1.sign * (amounts[$1.measure] ?? 0) }
        }

        func value(_ statistic: Statistic, _ column: String) -> Int64? {
            switch statistic.value(of: column, { amounts[$0] ?? 0 }) {
            case .count(let amount)?, .money(let amount)?: amount
            default: nil
            }
        }
    }

    @Test func `each column of subscriptions, trials and new customers is listed`() {
        let names = Self.columns.map { "\($0.0.rawValue) \($0.1)" }
        for name in [
            "churn-rate rate", "churn-rate churned", "trials conversion", "mrr-movement net", "mrr-movement mrr",
            "subscription-status billing-issue", "active-trials active-trials", "new-customers new-customers",
        ] {
            #expect(names.contains(name))
        }
        #expect(Statistic.retention.computation(of: "month-60") != nil)
        for column in ["month-61", "month--1", "month-", "share"] {
            #expect(Statistic.retention.computation(of: column) == nil)
        }
        #expect(Statistic.churnRate.computation(of: "none") == nil)
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `a column without a share is the sum of its parts`(seed: UInt64) throws {
        let amounts = Amounts(seed: seed)
        for (statistic, column) in Self.columns {
            let computation = try #require(statistic.computation(of: column))
            let isShare = computation.terms.contains { $0.operation == .dividedBy }
            guard !isShare, computation.stock == nil else { continue }
            #expect(amounts.value(statistic, column) == amounts.sum(computation.parts), "\(statistic) \(column)")
        }
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `terms lead to the column`(seed: UInt64) throws {
        let amounts = Amounts(seed: seed)
        for (statistic, column) in Self.columns {
            let computation = try #require(statistic.computation(of: column))
            guard !computation.terms.isEmpty else { continue }
            let stock = computation.stock ?? .activeSubscriptions
            let before = amounts.before(computation, stock)
            var (sum, divisor): (Int64, Int64?) = (0, nil)
            for term in computation.terms {
                let value = try #require(
                    (term.isBefore ? before : amounts).value(term.statistic, term.column), "\(term)")
                switch term.operation {
                case .plus: sum += value
                case .minus: sum -= value
                case .dividedBy: divisor = value
                }
            }
            if divisor != nil {
                #expect(sum == amounts.sum(computation.parts), "\(statistic) \(column)")
            } else {
                #expect(sum == amounts.value(statistic, column), "\(statistic) \(column)")
            }
        }
    }

    @Test func `changes keep the amounts of listed measures by their entries`() {
        var changes = StatisticChanges()
        let day = PacificDay(number: 20_000)
        let place = StatisticPlace(day: day, product: nil, storefront: .usa, device: nil, version: nil)
        changes.position = 7
        changes.add(1, .newCustomers, place)
        changes.add(3, .units, place)
        changes.position = 8
        changes.add(0, .newCustomers, place)
        changes.add(-1, StatisticCell(.retainedSubscriptions, bucket: 2), place)
        #expect(
            changes.parts == [
                StatisticPart(StatisticCell(.newCustomers), on: day, at: 7, 1),
                StatisticPart(StatisticCell(.retainedSubscriptions, bucket: 2), on: day, at: 8, -1),
            ])
    }
}
