import AppStoreFormats
import Perennial
import PerennialStorage

/// The reports of Sales and Trends, as files of Apple's layouts (docs/reference/report-files.md).
///
/// A file has all apps of the store. Reports read roll-ups, which are brought up to date first; only the Subscriber
/// report reads the day's journal entries.
package struct Reports: StoreChapter {
    let context: StoreContext
    let rollUps: RollUps
    let subscriberIDs: SubscriberIDs

    /// The most periods that are searched for the newest report, by frequency: a year, as long as Apple keeps days.
    private static let searchedPeriods: [ReportPeriod.Frequency: Int] = [
        .daily: 366, .weekly: 53, .monthly: 24, .yearly: 10,
    ]

    /// Returns the file that a request asks for.
    ///
    /// A Sales request without a date gets the newest period that has sales. The reports about subscriptions need a
    /// date and a version, as those of Apple's service do.
    ///
    /// - Throws: ``ReportError``.
    package func salesReport(_ request: SalesReportRequest) async throws -> ReportFile {
        let query = try ReportQuery(request)
        let (vendor, today) = try await database.read { [clock] connection in
            (try Vendor.vendorNumber(on: connection), PacificDay(try clock.now(on: connection)))
        }
        guard query.vendor == vendor else {
            throw ReportError(
                .unknownVendor, parameter: "filter[vendorNumber]", "Invalid vendor number specified.")
        }
        if let period = query.period { try ReportQuery.checkIsOver(period, today: today) }
        guard let layout = query.layout else { throw ReportQuery.noSales }
        if let period = query.period { return try await file(layout, vendor, period) }
        guard layout.report == .sales else { throw ReportQuery.noSales }
        return try await newest(layout, vendor, query.frequency, today: today)
    }

    /// Returns a report for the store's operator, who names neither the vendor nor the sub type.
    ///
    /// The newest version is the default. A report about subscriptions without a date is that of yesterday.
    ///
    /// - Throws: ``ReportError``.
    package func report(
        _ report: ReportLayout.Report, frequency: String? = nil, reportDate: String? = nil, version: String? = nil
    ) async throws -> ReportFile {
        let (vendor, today) = try await database.read { [clock] connection in
            (try Vendor.vendorNumber(on: connection), PacificDay(try clock.now(on: connection)))
        }
        return try await salesReport(
            SalesReportRequest(
                vendorNumber: vendor, reportType: report.rawValue,
                reportSubType: (report == .subscriber ? ReportQuery.SubType.detailed : .summary).rawValue,
                frequency: (frequency ?? ReportPeriod.Frequency.daily.rawValue).uppercased(),
                reportDate: reportDate ?? (report == .sales ? nil : today.adding(-1).description),
                version: version ?? ReportLayout.all.last { $0.report == report }?.version))
    }

    private func newest(
        _ layout: ReportLayout, _ vendor: String, _ frequency: ReportPeriod.Frequency, today: PacificDay
    ) async throws -> ReportFile {
        let apps = try await apps()
        let first = ReportPeriod(frequency, containing: today).previous
        let found = try await database.read { connection -> (ReportPeriod, [[ReportValue]])? in
            var period = first
            for _ in 0..<(Self.searchedPeriods[frequency] ?? 1) {
                let rows = try SalesReportRows.rows(of: period, layout, apps, on: connection)
                if !rows.isEmpty { return (period, rows) }
                period = period.previous
            }
            return nil
        }
        guard let (period, rows) = found else { throw ReportQuery.noSales }
        return try Self.file(layout, vendor, period, rows)
    }

    private func file(_ layout: ReportLayout, _ vendor: String, _ period: ReportPeriod) async throws -> ReportFile {
        let apps = try await apps()
        if layout.report == .subscriber { return try await subscriberFile(layout, vendor, period.lastDay, apps) }
        let rows = try await database.read { [environment] connection -> [[ReportValue]] in
            switch layout.report {
            case .sales: try SalesReportRows.rows(of: period, layout, apps, on: connection)
            case .subscription: try SubscriptionReportRows.snapshots(endOf: period.lastDay, apps, on: connection)
            case .subscriptionEvent: try SubscriptionReportRows.events(on: period.lastDay, apps, on: connection)
            case .offerCodeRedemption:
                try OfferCodeReportRows.rows(on: period.lastDay, apps, environment.id, on: connection)
            // Made while it is sent.
            case .subscriber: []
            }
        }
        return try Self.file(layout, vendor, period, rows)
    }

    private static func file(
        _ layout: ReportLayout, _ vendor: String, _ period: ReportPeriod, _ rows: [[ReportValue]]
    ) throws -> ReportFile {
        guard !rows.isEmpty else { throw ReportQuery.noSales }
        return ReportFile(
            name: layout.fileName(vendor: vendor, period), rows: rows.count, text: ReportWriter.text(layout, rows))
    }

    /// Returns the apps by Apple ID, with their roll-ups up to date.
    private func apps() async throws -> [ReportedApp] {
        let entries = try await database.read { [catalog] in try catalog.all(on: $0) }
        var apps: [ReportedApp] = []
        for entry in entries {
            apps.append(ReportedApp(entry, key: try await rollUps.bringUpToDate(entry.app)))
        }
        return apps
    }
}
