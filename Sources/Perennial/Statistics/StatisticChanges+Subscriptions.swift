extension StatisticChanges {
    /// Adds the effect of an entry on the statistics of subscriptions.
    package mutating func add(_ step: SubscriptionLifecycle.Step) {
        addStock(step)
        addMovement(step)
        addRevenue(step)
        addTrial(step)
        addRetention(step)
    }

    /// The numbers that last: what a lifecycle counts for at the end of a day.
    private struct Stock: Hashable {
        var traits: SubscriptionLifecycle.Traits
        var measures: Set<StatisticMeasure>

        init(_ lifecycle: SubscriptionLifecycle) {
            traits = lifecycle.traits
            measures = lifecycle.countedIn
        }
    }

    private mutating func addStock(_ step: SubscriptionLifecycle.Step) {
        let (before, after) = (step.before.map(Stock.init), Stock(step.lifecycle))
        guard before != after else { return }
        let changes: [(stock: Stock?, sign: Int64)] = [(before, -1), (after, 1)]
        for (stock, sign) in changes {
            guard let stock else { continue }
            let place = StatisticPlace(stock.traits, on: step.day)
            for measure in stock.measures { add(sign, measure, place) }
        }
    }

    private mutating func addMovement(_ step: SubscriptionLifecycle.Step) {
        let (wasPaid, isPaid) = (step.snapshotBefore?.isPaid ?? false, step.snapshot?.isPaid ?? false)
        let place = StatisticPlace(step.lifecycle.traits, on: step.day)
        if isPaid, !wasPaid {
            add(1, step.before?.cohort == nil ? .newSubscriptions : .returnedSubscriptions, place)
        }
        if wasPaid, !isPaid {
            add(1, .lostSubscriptions, StatisticPlace(step.before?.traits ?? step.lifecycle.traits, on: step.day))
        }
        if step.isRenewal, step.before?.current.isFreeTrial == false, step.lifecycle.current.price.milliunits > 0 {
            add(1, .renewals, place)
        }
    }

    // MARK: - Monthly recurring revenue

    /// Adds the change of the monthly revenue and its movement. Revenue that moves from one value of a dimension to another, such as
    /// between products, is lost revenue of the one and more of the other, in that dimension only.
    private mutating func addRevenue(_ step: SubscriptionLifecycle.Step) {
        let (before, after) = (step.snapshotBefore, step.snapshot)
        let (lost, won) = (before?.monthlyRevenue, after?.monthlyRevenue)
        let wasPaid = before?.isPaid ?? false
        let isPaid = after?.isPaid ?? false
        guard wasPaid || isPaid, lost != won || step.before?.traits != step.lifecycle.traits else { return }
        let old = StatisticPlace(step.before?.traits ?? step.lifecycle.traits, on: step.day)
        let new = StatisticPlace(step.lifecycle.traits, on: step.day)
        for dimension in StatisticDimension.allCases {
            let from = wasPaid ? lost.flatMap { Part(dimension, old, $0) } : nil
            let to = isPaid ? won.flatMap { Part(dimension, new, $0) } : nil
            switch (from, to) {
            case (nil, nil): continue
            case (let from?, nil): addRevenue(-from.milliunits, .lostRevenue, from)
            case (nil, let to?):
                addRevenue(to.milliunits, step.before?.cohort == nil ? .newRevenue : .returnedRevenue, to)
            case (let from?, let to?) where from.key == to.key:
                let change = to.milliunits - from.milliunits
                addRevenue(change, change > 0 ? .expandedRevenue : .contractedRevenue, to)
            case (let from?, let to?):
                addRevenue(-from.milliunits, .contractedRevenue, from)
                addRevenue(to.milliunits, .expandedRevenue, to)
            }
        }
    }

    /// Monthly revenue of one value of a dimension.
    private struct Part {
        var key: StatisticKey
        var milliunits: Int64

        init?(_ dimension: StatisticDimension, _ place: StatisticPlace, _ revenue: Money) {
            guard let value = place.value(dimension) else { return nil }
            key = StatisticKey(
                StatisticCell(.monthlyRevenue, currency: revenue.currency), dimension, value, place.day)
            milliunits = revenue.milliunits
        }
    }

    private mutating func addRevenue(_ change: Int64, _ movement: StatisticMeasure, _ part: Part) {
        var key = part.key
        add(change, key)
        key.cell.measure = movement
        add(change, key)
    }

    // MARK: - Trials and cohorts

    private mutating func addTrial(_ step: SubscriptionLifecycle.Step) {
        guard let trial = step.lifecycle.trial, let outcome = step.lifecycle.trialOutcome else { return }
        let place = StatisticPlace(trial.traits, on: trial.day)
        if step.startsTrial {
            add(1, .trialsStarted, place)
            add(1, outcome.measure, place)
        } else if let before = step.before?.trialOutcome, before != outcome {
            add(-1, before.measure, place)
            add(1, outcome.measure, place)
        }
    }

    private mutating func addRetention(_ step: SubscriptionLifecycle.Step) {
        guard let cohort = step.lifecycle.cohort else { return }
        let place = StatisticPlace(cohort.traits, on: PacificDay(cohort.start))
        if step.before?.cohort == nil { add(1, .cohortSubscriptions, place) }
        let (wasPaid, isPaid) = (step.snapshotBefore?.isPaid ?? false, step.snapshot?.isPaid ?? false)
        guard wasPaid != isPaid else { return }
        let month = StatisticCohorts.month(at: step.at, since: cohort.start)
        add(isPaid ? 1 : -1, StatisticCell(.retainedSubscriptions, bucket: month), place)
    }
}

extension SubscriptionLifecycle {
    /// The numbers that last in which the subscription counts as one.
    package var countedIn: Set<StatisticMeasure> {
        guard let snapshot else { return [] }
        var measures: Set<StatisticMeasure> = []
        if snapshot.isPaid { measures.insert(.activeSubscriptions) }
        if snapshot.isFreeTrial, snapshot.state == .active { measures.insert(.activeTrials) }
        if snapshot.state != .active {
            measures.insert(.billingIssue)
        } else {
            measures.insert(isRenewing ? .setToRenew : .setToCancel)
        }
        return measures
    }
}

extension SubscriptionLifecycle.Trial.Outcome {
    package var measure: StatisticMeasure {
        switch self {
        case .converted: .trialsConverted
        case .pending: .trialsPending
        case .abandoned: .trialsAbandoned
        }
    }
}

/// The months of a cohort.
package enum StatisticCohorts {
    /// A century.
    private static let longest: Int64 = 1200

    /// Returns the first month after a start whose beginning isn't before an instant: 0 at the start, 1 up to a month later.
    package static func month(at instant: Instant, since start: Instant) -> Int64 {
        guard instant > start else { return 0 }
        // Months have 28 to 31 days.
        var month = min((instant - start) / .days(31), longest)
        while month < longest, Period.month.end(after: start, number: Int(month)) < instant { month += 1 }
        return month
    }
}
