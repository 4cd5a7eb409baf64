import Perennial

/// The invented life of a subscriber: a trial, renewals, failed payments, changes of plan, and an end.
struct SubscriberHistory {
    var customer: CustomerHistory
    private var product: HistoryCatalog.Subscription
    /// The first day of the running period, and that of the next, as the customer expects them.
    private var (start, renewal) = (0, 0)

    init(customer: CustomerHistory) {
        var customer = customer
        let subscriptions = customer.plan.catalog.subscriptions
        // Monthly plans sell best.
        product = customer.random.pick(
            weighted: subscriptions.map { ($0, $0.period.unit == .month ? 60 : $0.period.unit == .year ? 25 : 15) })
        self.customer = customer
    }

    private var days: Int { customer.plan.days }

    mutating func live() {
        var day = customer.joins + customer.random.pick(weighted: [(0, 50), (2, 20), (9, 20), (30, 10)])
        var isFirst = true
        // Some come back after they have left.
        while day < days {
            let end = subscribe(on: day, isFirst: isFirst)
            isFirst = false
            guard customer.random.chance(15) else { return }
            day = end + 20 + customer.random.below(100)
        }
    }

    /// Subscribes and lives until the end of the subscription.
    ///
    /// - Returns: The day of the end.
    private mutating func subscribe(on day: Int, isFirst: Bool) -> Int {
        var introduction = isFirst ? product.introduction : nil
        if isFirst, product.codeOffer != nil, customer.random.chance(8) {
            customer.add(.redeem(product), on: day)
            introduction = .month
        } else {
            customer.add(.subscribe(product, customer.device(on: day), version: customer.version(on: day)), on: day)
        }
        start = day
        renewal = day + (introduction ?? product.period).approximateDays
        if let introduction, customer.random.chance(38) {
            // The trial doesn't convert.
            customer.add(.turnAutoRenewOff, on: day + customer.random.below(max(1, introduction.approximateDays)))
            return renewal
        }
        while renewal < days {
            guard continues() else { return renewal }
            start = renewal
            renewal += product.period.approximateDays
        }
        return days
    }

    /// Lives through a renewal.
    ///
    /// - Returns: False if the subscription ends there.
    private mutating func continues() -> Bool {
        // The customer acts in the last two thirds of the period.
        let choice = max(1, (renewal - start) * 2 / 3)
        let churn = product.period.unit == .year ? 35 : product.period.unit == .week ? 6 : 8
        if customer.random.chance(churn) {
            customer.add(.turnAutoRenewOff, on: renewal - 1 - customer.random.below(choice))
            return false
        }
        if customer.random.chance(4) { return recoversFromDecline() }
        if customer.random.chance(2), let higher = customer.plan.catalog.neighbour(of: product, isHigher: true) {
            change(to: higher, on: renewal - 1 - customer.random.below(choice))
            return true
        }
        if customer.random.chance(1), let lower = customer.plan.catalog.neighbour(of: product, isHigher: false) {
            change(to: lower, on: renewal - 1 - customer.random.below(choice))
            return true
        }
        guard customer.random.chance(1) else { return true }
        let day = renewal + 1 + customer.random.below(10)
        customer.add(.refundSubscription, on: day)
        renewal = day
        return false
    }

    /// The payment method is declined around a renewal. Two thirds of the customers mend it in time.
    private mutating func recoversFromDecline() -> Bool {
        customer.add(.declinePayments, on: renewal - 1)
        let isRecovered = customer.random.chance(67)
        let day = renewal + (isRecovered ? 1 + customer.random.below(25) : 75)
        customer.add(.acceptPayments, on: day)
        renewal = day
        return isRecovered
    }

    private mutating func change(to other: HistoryCatalog.Subscription, on day: Int) {
        let device = customer.device(on: day)
        customer.add(.subscribe(other, device, version: customer.version(on: day)), on: day)
        // An upgrade begins at once, a downgrade at the renewal.
        renewal = other.level < product.level ? day : renewal
        product = other
    }
}
