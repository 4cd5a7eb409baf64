import AppStoreFormats
import Perennial
import PerennialStorage

/// The rows of Subscription and Subscription Event.
enum SubscriptionReportRows {
    /// The columns of counts in the order of the layout; `nil` for those that this store counts otherwise or never.
    private static let counts: [ReportSnapshot.Count?] = [
        .standardPrice, .introductoryFreeTrial, .introductoryPayUpFront, .introductoryPayAsYouGo,
        .promotionalFreeTrial, .promotionalPayUpFront, .promotionalPayAsYouGo, .codeFreeTrial, .codePayUpFront,
        .codePayAsYouGo, nil, .billingRetry, .gracePeriod, nil, .winBackFreeTrial, .winBackPayUpFront,
        .winBackPayAsYouGo,
    ]
    /// The place of `Subscribers` among the counts.
    private static let subscribers = 13

    /// Returns a row for each combination of the columns before the counts.
    static func snapshots(
        endOf day: PacificDay, _ apps: [ReportedApp], on connection: any Connection
    ) throws -> [[ReportValue]] {
        try apps.flatMap { app in
            rows(of: try ReportSnapshotsTable.snapshots(endOf: day, app.key, on: connection), app)
        }
    }

    /// Adds up snapshots that differ in their count only.
    static func rows(
        of snapshots: [(snapshot: ReportSnapshot, count: Int64)], _ app: ReportedApp
    ) -> [[ReportValue]] {
        var rows: [[ReportValue]: [Int64]] = [:]
        for (snapshot, count) in snapshots where count != 0 {
            var cells = app.subscriptionCells(snapshot.product, group: snapshot.group, period: snapshot.period)
            cells += app.offerCells(snapshot.offer, of: snapshot.product)
            cells += app.moneyCells(
                snapshot.customerPrice, snapshot.proceeds, isPreserved: snapshot.isPricePreserved,
                snapshot.proceedsReason, snapshot.device)
            // No address is known, so `State` is blank.
            cells.append(.blank)
            cells.append(.text(snapshot.storefront.alpha2))
            var counts = rows[cells] ?? Array(repeating: 0, count: Self.counts.count)
            if let place = Self.counts.firstIndex(of: snapshot.count) { counts[place] += count }
            // Billing retry gives no service.
            if snapshot.state != .billingRetry { counts[subscribers] += count }
            rows[cells] = counts
        }
        return rows.map { cells, counts in cells + counts.map(ReportValue.integer) }
    }

    /// Returns a row for each group of equal events.
    static func events(
        on day: PacificDay, _ apps: [ReportedApp], on connection: any Connection
    ) throws -> [[ReportValue]] {
        try apps.flatMap { app in
            try SubscriptionEventsTable.events(on: day, app.key, on: connection).filter { $0.quantity != 0 }.map {
                row($0.event, quantity: $0.quantity, on: day, app)
            }
        }
    }

    static func row(
        _ event: SubscriptionReportEvent, quantity: Int64, on day: PacificDay, _ app: ReportedApp
    ) -> [ReportValue] {
        let previous = event.previousProduct
        var cells: [ReportValue] = [.date(day), .text(event.name.rawValue)]
        cells += app.subscriptionCells(event.product, group: event.group, period: event.period)
        cells += app.offerTermsCells(event.offer)
        // Nothing asks customers for marketing, so both columns are blank.
        cells += [.blank, .blank]
        cells.append(ReportValue(event.isPricePreserved))
        cells.append(ReportValue(event.proceedsReason?.rawValue))
        cells += app.offerCells(event.offer, of: event.product)
        cells.append(.integer(Int64(event.consecutivePaidPeriods)))
        cells.append(.date(event.originalStart))
        cells.append(ReportValue(event.device?.rawValue))
        // Neither Apple News nor an address.
        cells += [.blank, .blank]
        cells.append(.text(event.storefront.alpha2))
        cells.append(ReportValue(previous.map(app.name)))
        cells.append(ReportValue(previous.flatMap(app.appleID)))
        cells.append(ReportValue(event.daysBeforeCanceling.map { Int64($0) }))
        cells.append(ReportValue(event.cancellationReason?.rawValue))
        cells.append(ReportValue(event.daysCanceled.map { Int64($0) }))
        cells.append(.integer(quantity))
        cells.append(ReportValue(event.paidServiceDaysRecovered.map { Int64($0) }))
        return cells
    }
}
