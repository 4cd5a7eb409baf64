/// A statistic about the commerce of an app, with its definition.
package enum Statistic: String, Sendable, CaseIterable {
    case units
    case downloads
    case redownloads
    case updates
    case revenue
    case proceeds
    case refunds
    case refundedRevenue = "refunded-revenue"
    case refundRate = "refund-rate"
    case activeSubscriptions = "active-subscriptions"
    case activeTrials = "active-trials"
    case subscriptionStatus = "subscription-status"
    case subscriptionMovement = "subscription-movement"
    case churnRate = "churn-rate"
    case renewals
    case trials
    case retention
    case mrr
    case arr
    case mrrMovement = "mrr-movement"
    case newCustomers = "new-customers"
    case initialConversion = "initial-conversion"
    case conversionToPaying = "conversion-to-paying"
    case valuePerCustomer = "ltv-per-customer"
    case valuePerPayingCustomer = "ltv-per-paying-customer"

    /// One sentence that says what is counted.
    package var definition: String {
        switch self {
        case .units: "Products sold and first downloads, less refunded units, on the day of each."
        case .downloads: "First downloads of the app, less refunded ones."
        case .redownloads: "Downloads of the app by customers who had it before."
        case .updates: "Updates of the app to another version."
        case .revenue: "Prices that customers paid, taxes included, less refunds, on the day of each."
        case .proceeds: "Revenue less taxes and commission."
        case .refunds: "Refunded units, on the day of the refund."
        case .refundedRevenue: "Prices that were returned to customers, on the day of the refund."
        case .refundRate: "Refunded transactions divided by paid transactions, both by the day of the sale."
        case .activeSubscriptions:
            "Paid subscriptions with service at the end of the period: the grace period and those set to cancel count, "
                + "free trials and billing retry don't."
        case .activeTrials: "Free trials with service at the end of the period."
        case .subscriptionStatus:
            "Subscriptions at the end of the period, free trials included: set to renew, set to cancel, or with a "
                + "billing issue (grace period or billing retry)."
        case .subscriptionMovement:
            "Subscriptions paid for the first time, and those that churned: active ones that ended less those that "
                + "returned, so it can be negative."
        case .churnRate: "Churned subscriptions divided by those active at the start of the period."
        case .renewals: "Charges for a further period of subscriptions that were paid before."
        case .trials:
            "Free trials by the day of their start: paid since without a gap (converted), still to be paid with "
                + "auto-renew on (pending), or cancelled or ended unpaid (abandoned)."
        case .retention:
            "Of the subscriptions first paid in a month, the share that is still paid for after so many months, among "
                + "those for which that time has passed."
        case .mrr:
            "Monthly recurring revenue: prices of active subscriptions for a month, before taxes and commission, at the "
                + "end of the period."
        case .arr: "Annual recurring revenue: MRR times twelve."
        case .mrrMovement:
            "Changes of MRR: by subscriptions paid for the first time, returned, at a higher price, at a lower price, "
                + "and lost."
        case .newCustomers: "Customers who got or bought something for the first time."
        case .initialConversion:
            "New customers who bought any product, a free trial included, divided by new customers, by the day they "
                + "were first seen."
        case .conversionToPaying:
            "New customers who paid divided by new customers, by the day they were first seen."
        case .valuePerCustomer:
            "Revenue of the customers first seen in the period, from that day on, divided by their number."
        case .valuePerPayingCustomer:
            "Revenue of the customers first seen in the period, from that day on, divided by the number of those who "
                + "paid."
        }
    }

    /// The dimensions by which the statistic can be grouped.
    package var dimensions: [StatisticDimension] {
        switch self {
        case .downloads, .redownloads, .updates, .newCustomers, .initialConversion, .conversionToPaying,
            .valuePerCustomer, .valuePerPayingCustomer:
            [.all, .storefront, .device, .version]
        default: StatisticDimension.allCases
        }
    }

    /// True if the statistic counts what customers do within days of the day they were first seen.
    package var hasWindow: Bool {
        switch self {
        case .initialConversion, .conversionToPaying, .valuePerCustomer, .valuePerPayingCustomer: true
        default: false
        }
    }

    /// True if the amounts are money, in a row for each currency.
    package var isMoney: Bool { measures.contains(where: \.isMoney) }

    /// The measures from which the statistic is computed.
    package var measures: [StatisticMeasure] {
        switch self {
        case .units: [.units]
        case .downloads: [.downloads]
        case .redownloads: [.redownloads]
        case .updates: [.updates]
        case .revenue: [.revenue]
        case .proceeds: [.proceeds]
        case .refunds: [.refunds]
        case .refundedRevenue: [.refundedRevenue]
        case .refundRate: [.paidTransactions, .refundedTransactions]
        case .activeSubscriptions: [.activeSubscriptions]
        case .activeTrials: [.activeTrials]
        case .subscriptionStatus: [.setToRenew, .setToCancel, .billingIssue]
        case .subscriptionMovement, .churnRate:
            [.activeSubscriptions, .newSubscriptions, .lostSubscriptions, .returnedSubscriptions]
        case .renewals: [.renewals]
        case .trials: [.trialsStarted, .trialsConverted, .trialsPending, .trialsAbandoned]
        case .retention: [.cohortSubscriptions, .retainedSubscriptions]
        case .mrr, .arr: [.monthlyRevenue]
        case .mrrMovement:
            [.monthlyRevenue, .newRevenue, .returnedRevenue, .expandedRevenue, .contractedRevenue, .lostRevenue]
        case .newCustomers: [.newCustomers]
        case .initialConversion: [.newCustomers, .startedCustomers]
        case .conversionToPaying: [.newCustomers, .payingCustomers]
        case .valuePerCustomer: [.newCustomers, .customerRevenue]
        case .valuePerPayingCustomer: [.payingCustomers, .customerRevenue]
        }
    }
}

extension StatisticMeasure {
    /// True for numbers that last: a period has the sum of all changes up to its end.
    package var isStock: Bool {
        switch self {
        case .activeSubscriptions, .activeTrials, .monthlyRevenue, .setToRenew, .setToCancel, .billingIssue: true
        default: false
        }
    }

    package var isMoney: Bool {
        switch self {
        case .revenue, .proceeds, .refundedRevenue, .monthlyRevenue, .newRevenue, .returnedRevenue, .expandedRevenue,
            .contractedRevenue, .lostRevenue, .customerRevenue:
            true
        default: false
        }
    }
}
