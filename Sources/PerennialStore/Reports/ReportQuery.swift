import AppStoreFormats
import Perennial

/// A request for a report whose words are valid: what is asked for, in which layout and for which period.
struct ReportQuery {
    /// The words of `filter[reportType]`, with the rules of each (docs/reference/report-files.md).
    enum ReportType: String, CaseIterable {
        case sales = "SALES"
        case preOrder = "PRE_ORDER"
        case newsstand = "NEWSSTAND"
        case subscription = "SUBSCRIPTION"
        case subscriptionEvent = "SUBSCRIPTION_EVENT"
        case subscriber = "SUBSCRIBER"
        case offerCodeRedemption = "SUBSCRIPTION_OFFER_CODE_REDEMPTION"
        case installs = "INSTALLS"
        case firstAnnual = "FIRST_ANNUAL"
        case winBackEligibility = "WIN_BACK_ELIGIBILITY"

        /// The allowed sub types, each with its frequencies.
        var combinations: [SubType: [ReportPeriod.Frequency]] {
            switch self {
            case .sales, .preOrder: [.summary: ReportPeriod.Frequency.allCases]
            case .newsstand: [.detailed: [.daily, .weekly]]
            case .subscription, .subscriptionEvent, .offerCodeRedemption, .winBackEligibility: [.summary: [.daily]]
            case .subscriber: [.detailed: [.daily]]
            case .firstAnnual: [.summary: [.yearly], .detailed: [.daily]]
            case .installs:
                [
                    .summary: [.monthly], .detailed: [.monthly, .yearly], .summaryChannel: [.yearly],
                    .summaryInstallType: [.yearly], .summaryTerritory: [.yearly],
                ]
            }
        }

        /// The accepted versions, the newest last.
        var versions: [String] {
            switch self {
            case .sales: ["1_0", "1_1"]
            case .subscription, .subscriptionEvent: ["1_3", "1_4"]
            case .subscriber: ["1_3"]
            case .installs: ["1_0", "1_1", "1_2"]
            case .preOrder, .newsstand, .offerCodeRedemption, .firstAnnual, .winBackEligibility: ["1_0"]
            }
        }

        /// The version of a request without one; `nil` if it is refused.
        var defaultVersion: String? {
            switch self {
            case .subscription, .subscriptionEvent, .subscriber: nil
            default: versions.first
            }
        }

        /// The report's layout; `nil` for a report of which this store never has a row.
        var report: ReportLayout.Report? { ReportLayout.Report(rawValue: rawValue) }
    }

    enum SubType: String, CaseIterable {
        case summary = "SUMMARY"
        case detailed = "DETAILED"
        case summaryInstallType = "SUMMARY_INSTALL_TYPE"
        case summaryTerritory = "SUMMARY_TERRITORY"
        case summaryChannel = "SUMMARY_CHANNEL"
    }

    var vendor: String
    var type: ReportType
    /// `nil` for a report of which this store never has a row.
    var layout: ReportLayout?
    var frequency: ReportPeriod.Frequency
    /// `nil` if the request has no date.
    var period: ReportPeriod?

    /// - Throws: ``ReportError`` `.missingParameter`, `.invalidParameter`.
    init(_ request: SalesReportRequest) throws(ReportError) {
        let frequency: ReportPeriod.Frequency = try Self.value(request.frequency, "filter[frequency]")
        let type: ReportType = try Self.value(request.reportType, "filter[reportType]")
        let subType: SubType = try Self.value(request.reportSubType, "filter[reportSubType]")
        guard let vendor = request.vendorNumber, !vendor.isEmpty else { throw Self.missing("filter[vendorNumber]") }
        guard let frequencies = type.combinations[subType] else {
            throw ReportError(
                .invalidParameter, parameter: "filter[reportSubType]",
                "Invalid combination of report type and report subtype.")
        }
        guard frequencies.contains(frequency) else {
            throw ReportError(
                .invalidParameter, parameter: "filter[frequency]",
                "Invalid combination of report subtype and date type.")
        }
        layout = try Self.layout(type, request.version)
        if let text = request.reportDate {
            period = try Self.period(frequency, text)
        } else {
            period = nil
        }
        (self.vendor, self.type, self.frequency) = (vendor, type, frequency)
    }

    /// Checks that the report of the period may exist.
    ///
    /// - Throws: ``ReportError`` `.notFound` if the period isn't over.
    static func checkIsOver(_ period: ReportPeriod, today: PacificDay) throws(ReportError) {
        guard period.lastDay >= today else { return }
        throw ReportError(.notFound, parameter: "filter[reportDate]", notAvailableYet(period.frequency))
    }

    /// The error of a period without a row.
    static let noSales = ReportError(
        .notFound, parameter: "filter[reportDate]", "There were no sales for the date specified.")

    private static func notAvailableYet(_ frequency: ReportPeriod.Frequency) -> String {
        guard frequency == .daily else { return "Report is not available yet." }
        return """
            Report is not available yet. Daily reports for the Americas are available by 5 am Pacific Time; Japan, \
            Australia, and New Zealand by 5 am Japan Standard Time; and 5 am Central European Time for all other \
            territories.
            """
    }

    private static func value<Value: RawRepresentable<String> & CaseIterable>(
        _ text: String?, _ parameter: String
    ) throws(ReportError) -> Value {
        guard let text, !text.isEmpty else { throw missing(parameter) }
        guard let value = Value(rawValue: text) else {
            let allowed = Value.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw ReportError(
                .invalidParameter, parameter: parameter,
                "'\(text.prefix(100))' is not a valid value for '\(parameter)': the values are \(allowed).")
        }
        return value
    }

    private static func missing(_ parameter: String) -> ReportError {
        ReportError(
            .missingParameter, parameter: parameter, "The parameter '\(parameter)' is required but was not provided.")
    }

    private static func layout(_ type: ReportType, _ version: String?) throws(ReportError) -> ReportLayout? {
        let newest = type.versions.last ?? ""
        guard let version = version ?? type.defaultVersion else {
            throw ReportError(
                .missingParameter, parameter: "filter[version]",
                "Please include the version parameter. The latest version for this report is \(newest).")
        }
        guard type.versions.contains(version) else {
            throw ReportError(
                .invalidParameter, parameter: "filter[version]",
                "The version parameter you have specified is invalid. The latest version for this report is \(newest)."
            )
        }
        return type.report.flatMap { ReportLayout.layout(of: $0, version: version) }
    }

    private static func period(
        _ frequency: ReportPeriod.Frequency, _ text: String
    ) throws(ReportError) -> ReportPeriod {
        if let period = ReportPeriod(frequency, reportDate: text) { return period }
        let isOther = ReportPeriod.Frequency.allCases.contains { ReportPeriod($0, reportDate: text) != nil }
        let isWrongDay = frequency == .weekly && PacificDay(text) != nil
        throw ReportError(
            .invalidParameter, parameter: "filter[reportDate]",
            isWrongDay
                ? "Invalid weekly date." : isOther ? "Invalid combination of date type and date." : "Invalid date.")
    }
}
