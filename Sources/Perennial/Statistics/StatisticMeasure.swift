/// An amount that statistics add up by period: the smallest parts from which they are computed.
///
/// Stored by its number, so a number never changes its meaning.
package enum StatisticMeasure: Int64, Sendable, CaseIterable {
    // MARK: Sales, by the day of the sale or refund

    /// Products sold and first downloads, less refunds.
    case units = 1
    /// The customers' payments, less refunds.
    case revenue = 2
    case proceeds = 3
    case downloads = 4
    case redownloads = 5
    case updates = 6
    /// Refunded units.
    case refunds = 7
    case refundedRevenue = 8

    // MARK: Refunds, by the day of the sale

    case paidTransactions = 10
    case refundedTransactions = 11

    // MARK: Changes of numbers that last

    case activeSubscriptions = 20
    case activeTrials = 21
    case monthlyRevenue = 22
    /// Active subscriptions and trials with auto-renew on.
    case setToRenew = 23
    case setToCancel = 24
    /// Subscriptions in the grace period or billing retry.
    case billingIssue = 25

    // MARK: Movements of subscriptions

    case newSubscriptions = 30
    case lostSubscriptions = 31
    case returnedSubscriptions = 32
    case renewals = 33
    case newRevenue = 40
    case returnedRevenue = 41
    case expandedRevenue = 42
    case contractedRevenue = 43
    case lostRevenue = 44

    // MARK: Free trials, by the day of their start

    case trialsStarted = 50
    case trialsConverted = 51
    case trialsPending = 52
    case trialsAbandoned = 53

    // MARK: Cohorts of subscriptions, by the day of the first paid period

    case cohortSubscriptions = 60
    /// Changes of the number that is still paid for; the bucket is the month after the start from which on it counts.
    case retainedSubscriptions = 61

    // MARK: Cohorts of customers, by the day on which they were first seen; the bucket is a ``CustomerWindow``

    case newCustomers = 70
    case startedCustomers = 71
    case payingCustomers = 72
    case customerRevenue = 73
}

/// The properties by which statistics are grouped. Each has totals of its own.
package enum StatisticDimension: Int64, Sendable, CaseIterable {
    case all = 0
    case product = 1
    case storefront = 2
    case device = 3
    case version = 4

    /// The name in the command line and the control API.
    package var name: String {
        switch self {
        case .all: "all"
        case .product: "product"
        case .storefront: "storefront"
        case .device: "device"
        case .version: "version"
        }
    }

    /// Creates the dimension of a name.
    package init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}

/// The days since a customer was first seen within which something happened, as a bucket.
package enum CustomerWindow: Int64, Sendable, CaseIterable {
    case sameDay = 0
    case week = 7
    case month = 30
    case quarter = 90
    case halfYear = 180
    case year = 365
    /// Later than a year.
    case unlimited = 1_000_000

    /// Creates the smallest window that includes a day.
    package init(days: Int64) {
        self = Self.allCases.first { days <= $0.rawValue } ?? .unlimited
    }
}

/// The values of all dimensions that an amount counts for. Unknown ones are empty texts.
package struct StatisticPlace: Hashable, Sendable {
    package var day: PacificDay
    /// `nil` for amounts that belong to no product.
    package var product: String?
    package var storefront: String
    package var device: String
    package var version: String

    package init(
        day: PacificDay, product: Product.ID?, storefront: Storefront?, device: DeviceFamily?, version: String?
    ) {
        self.day = day
        self.product = product?.rawValue
        self.storefront = storefront?.rawValue ?? ""
        self.device = device?.rawValue ?? ""
        self.version = version ?? ""
    }

    package init(_ traits: SubscriptionLifecycle.Traits, on day: PacificDay) {
        self.init(
            day: day, product: traits.product, storefront: traits.storefront, device: traits.device,
            version: traits.appVersion)
    }

    /// The value of a dimension; `nil` if the amount doesn't count there.
    package func value(_ dimension: StatisticDimension) -> String? {
        switch dimension {
        case .all: ""
        case .product: product
        case .storefront: storefront
        case .device: device
        case .version: version
        }
    }
}

/// The measure of an amount, with its bucket and currency.
package struct StatisticCell: Hashable, Sendable {
    package var measure: StatisticMeasure
    package var bucket: Int64
    /// `nil` for counts.
    package var currency: Currency?

    package init(_ measure: StatisticMeasure, bucket: Int64 = 0, currency: Currency? = nil) {
        self.measure = measure
        self.bucket = bucket
        self.currency = currency
    }
}

/// The key of one total: of a cell, a day, and a value of one dimension.
package struct StatisticKey: Hashable, Sendable {
    package var cell: StatisticCell
    package var dimension: StatisticDimension
    package var value: String
    package var day: PacificDay

    package init(_ cell: StatisticCell, _ dimension: StatisticDimension, _ value: String, _ day: PacificDay) {
        self.cell = cell
        self.dimension = dimension
        self.value = value
        self.day = day
    }
}

/// An amount that one journal entry adds to a measure whose entries are listed.
package struct StatisticPart: Hashable, Sendable {
    package var cell: StatisticCell
    package var day: PacificDay
    /// The entry's position in the journal.
    package var position: Int64
    package var amount: Int64

    package init(_ cell: StatisticCell, on day: PacificDay, at position: Int64, _ amount: Int64) {
        self.cell = cell
        self.day = day
        self.position = position
        self.amount = amount
    }
}

extension StatisticMeasure {
    /// True if storage lists the entries that add to the measure. Those of sales are found by their days, and the
    /// subscriptions behind a number that lasts by their lifecycles.
    package var isListed: Bool {
        switch self {
        case .newSubscriptions, .lostSubscriptions, .returnedSubscriptions, .newRevenue, .returnedRevenue,
            .expandedRevenue, .contractedRevenue, .lostRevenue, .trialsStarted, .trialsConverted, .trialsPending,
            .trialsAbandoned, .cohortSubscriptions, .retainedSubscriptions, .newCustomers:
            true
        default: false
        }
    }
}

/// Amounts to add to statistics, collected from journal entries.
package struct StatisticChanges: Sendable {
    /// The journal position of the entry whose amounts are added now.
    package var position: Int64 = 0
    /// The amounts of listed measures one by one, in the order in which they were added.
    package private(set) var parts: [StatisticPart] = []
    /// Amounts that count for every dimension of a place. Most do, and are split up once for many entries.
    private var places: [StatisticPlace: [StatisticCell: Int64]] = [:]
    /// Amounts of single dimensions.
    private var single: [StatisticKey: Int64] = [:]

    package init() {}

    package mutating func add(_ amount: Int64, _ cell: StatisticCell, _ place: StatisticPlace) {
        guard amount != 0 else { return }
        places[place, default: [:]][cell, default: 0] += amount
        if cell.measure.isListed { parts.append(StatisticPart(cell, on: place.day, at: position, amount)) }
    }

    package mutating func add(_ amount: Int64, _ measure: StatisticMeasure, _ place: StatisticPlace) {
        add(amount, StatisticCell(measure), place)
    }

    package mutating func add(_ amount: Money, _ measure: StatisticMeasure, _ place: StatisticPlace) {
        add(amount.milliunits, StatisticCell(measure, currency: amount.currency), place)
    }

    package mutating func add(_ amount: Int64, _ key: StatisticKey) {
        guard amount != 0 else { return }
        single[key, default: 0] += amount
        guard key.dimension == .all, key.cell.measure.isListed else { return }
        parts.append(StatisticPart(key.cell, on: key.day, at: position, amount))
    }

    /// A value of a dimension on a day.
    private struct Slot: Hashable {
        var dimension: StatisticDimension
        var value: String
        var day: PacificDay
    }

    /// The amounts of all dimensions. None is zero.
    package var totals: [StatisticKey: Int64] {
        // Many places share a slot, so its cells are looked up once for each place.
        var slots: [Slot: [StatisticCell: Int64]] = [:]
        for (place, cells) in places {
            for dimension in StatisticDimension.allCases {
                guard let value = place.value(dimension) else { continue }
                slots[Slot(dimension: dimension, value: value, day: place.day), default: [:]].merge(cells) { $0 + $1 }
            }
        }
        var totals = single
        for (slot, cells) in slots {
            for (cell, amount) in cells {
                totals[StatisticKey(cell, slot.dimension, slot.value, slot.day), default: 0] += amount
            }
        }
        return totals.filter { $0.value != 0 }
    }
}
