/// A report of the analytics report flow, of the category COMMERCE (docs/reference/connect-api.md, "Analytics reports").
package enum AnalyticsReport: Int, Sendable, CaseIterable {
    case downloads = 1
    case purchases = 2
    case subscriptionState = 3
    case subscriptionEvent = 4

    package var name: String {
        switch self {
        case .downloads: "App Downloads Standard"
        case .purchases: "App Store Purchases Standard"
        case .subscriptionState: "App Store Subscription State Report Standard"
        case .subscriptionEvent: "App Store Subscription Event Report Standard"
        }
    }

    /// The headers of the file, in order.
    package var columns: [String] {
        switch self {
        case .downloads:
            Self.app
                + [
                    "Download Type", "App Version", "Device", "Platform Version", "Source Type", "Page Type",
                    "Pre-Order", "Territory", "Counts",
                ]
        case .purchases:
            Self.app
                + [
                    "Purchase Type", "Content Name", "Content Apple Identifier", "Payment Method", "Device",
                    "Platform Version", "Source Type", "Page Type", "App Download Date", "Pre-Order", "Territory",
                    "Purchases", "Proceeds in USD", "Sales in USD", "Paying Users",
                ]
        case .subscriptionState:
            Self.app + ["State Metric", "State Metric Grouping"] + Self.subscription
                + ["Family Sharing", "Cancellation Reason"] + Self.download
        case .subscriptionEvent:
            ["Event Date"] + Self.app.dropFirst() + ["Event Sub Type", "Event Grouping"] + Self.subscription
                + [
                    "Plan Change Type", "Previous Subscription Name", "Previous Subscription Identifier",
                    "Family Sharing", "Cancellation Reason", "Paid Service Days Recovered",
                ] + Self.download
        }
    }

    private static let app = ["Date", "App Name", "App Apple Identifier"]
    private static let subscription = [
        "Subscription Name", "Subscription Identifier", "Subscription Duration", "Billing Frequency", "Billing Period",
        "Subscription Group", "Subscription Group Identifier", "Offer Type", "Offer Name", "Offer ID", "Vanity Code",
        "Offer Pricing", "Offer Duration",
    ]
    private static let download = [
        "App Download Source Type", "Page Type", "Pre-Order", "Original Purchase Device", "Territory", "Counts",
    ]
}

/// A seller's request for the analytics reports of an app.
package struct AnalyticsRequest: Hashable, Sendable {
    /// The days that the reports cover.
    package enum Access: String, Sendable, CaseIterable {
        /// Each day from that of the request on, once it is over.
        case ongoing = "ONGOING"
        /// The year before the request.
        case snapshot = "ONE_TIME_SNAPSHOT"
    }

    /// A UUID.
    package var id: String
    /// The app's Apple ID.
    package var app: Int64
    package var access: Access
    package var created: Instant

    package init(id: String, app: Int64, access: Access, created: Instant) {
        self.id = id
        self.app = app
        self.access = access
        self.created = created
    }
}

/// A file of an analytics report: the rows of some periods, processed on a day.
package struct AnalyticsInstance: Hashable, Sendable {
    package enum Granularity: String, Sendable, CaseIterable {
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
    }

    package var granularity: Granularity
    package var processingDate: PacificDay
    /// The periods with rows of their own, oldest first.
    package var periods: [ClosedRange<PacificDay>]
}

extension AnalyticsInstance.Granularity {
    /// Returns the period that contains a day: the day, its week from Monday to Sunday, or its calendar month.
    package func period(containing day: PacificDay) -> ClosedRange<PacificDay> {
        switch self {
        case .daily: return day...day
        case .weekly:
            let monday = day.adding(-Int64((day.date.weekday + 6) % 7))
            return monday...monday.adding(6)
        case .monthly:
            let date = day.date
            let length = CivilDate.days(inMonth: date.month, of: date.year)
            return PacificDay(
                CivilDate(year: date.year, month: date.month, day: 1))...PacificDay(
                    CivilDate(year: date.year, month: date.month, day: length))
        }
    }
}

extension AnalyticsRequest {
    /// The days that a snapshot reaches back, and after which an ongoing report's files are gone.
    private static let retention: Int64 = 365

    /// Returns the instances of each report that exist on a day, newest first.
    ///
    /// A period is processed on the day after its last one. The store's numbers are complete then, so no later instance
    /// replaces its rows.
    package func instances(_ granularity: AnalyticsInstance.Granularity, on today: PacificDay) -> [AnalyticsInstance] {
        let asked = PacificDay(created)
        switch access {
        case .ongoing:
            return periods(granularity, from: Swift.max(asked, today.adding(-Self.retention)), before: today).map {
                AnalyticsInstance(
                    granularity: granularity, processingDate: $0.upperBound.adding(1), periods: [$0])
            }.reversed()
        case .snapshot:
            let covered = periods(granularity, from: asked.adding(-Self.retention), before: asked)
            guard !covered.isEmpty else { return [] }
            return [AnalyticsInstance(granularity: granularity, processingDate: asked, periods: covered)]
        }
    }

    /// The periods with a day from `first` on that are over before a day.
    private func periods(
        _ granularity: AnalyticsInstance.Granularity, from first: PacificDay, before today: PacificDay
    ) -> [ClosedRange<PacificDay>] {
        var periods: [ClosedRange<PacificDay>] = []
        var period = granularity.period(containing: first)
        while period.upperBound < today {
            periods.append(period)
            period = granularity.period(containing: period.upperBound.adding(1))
        }
        return periods
    }
}
