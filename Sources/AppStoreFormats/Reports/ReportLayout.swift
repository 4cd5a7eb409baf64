/// The columns of a report of Sales and Trends in one version (docs/reference/report-files.md).
public struct ReportLayout: Hashable, Sendable {
    /// The reports, with the words of requests (`filter[reportType]`).
    public enum Report: String, Sendable, CaseIterable {
        /// Summary Sales.
        case sales = "SALES"
        /// The active subscriptions at the end of a day.
        case subscription = "SUBSCRIPTION"
        /// The events of subscriptions on a day.
        case subscriptionEvent = "SUBSCRIPTION_EVENT"
        /// The transactions of subscriptions on a day.
        case subscriber = "SUBSCRIBER"
        /// The redemptions of offer codes for subscriptions.
        case offerCodeRedemption = "SUBSCRIPTION_OFFER_CODE_REDEMPTION"
    }

    /// The order of the parts of a date.
    public enum DateForm: Hashable, Sendable {
        /// `10/03/2026`.
        case monthDayYear
        /// `2026-10-03`.
        case yearMonthDay
    }

    /// A column.
    public struct Column: Hashable, Sendable {
        /// The contents of a column's cells.
        public enum Kind: Hashable, Sendable {
            /// A text without tabs and line breaks, with its greatest length in characters if Apple declares one.
            case text(maximumLength: Int?)
            /// A whole number.
            case integer
            /// A number with two decimals.
            case decimal
            /// A date in the report's form.
            case date
        }

        /// The text in the first row.
        public var header: String
        /// The contents.
        public var kind: Kind

        /// Creates a column.
        public init(_ header: String, _ kind: Kind = .text(maximumLength: nil)) {
            self.header = header
            self.kind = kind
        }
    }

    /// The report.
    public var report: Report
    /// The version, such as `1_0`.
    public var version: String
    /// The columns in order.
    public var columns: [Column]
    /// The form of dates.
    public var dateForm: DateForm

    /// Creates a layout.
    public init(_ report: Report, version: String, dateForm: DateForm, columns: [Column]) {
        self.report = report
        self.version = version
        self.dateForm = dateForm
        self.columns = columns
    }

    /// All layouts, each report's versions in ascending order.
    public static let all: [ReportLayout] = [
        .sales1_0, .sales1_1, .subscription1_3, .subscription1_4, .subscriptionEvent1_3, .subscriptionEvent1_4,
        .subscriber1_3, .offerCodeRedemption1_0,
    ]

    /// Returns the layout of a report in a version; `nil` for a version that isn't written any more, or not yet.
    public static func layout(of report: Report, version: String) -> ReportLayout? {
        all.first { $0.report == report && $0.version == version }
    }

    /// Returns the layout that a file has by its headers: the one with the most columns, all of which the file has.
    public static func layout(of table: ReportTable) -> ReportLayout? {
        all.filter { layout in layout.columns.allSatisfy { table.hasColumn($0.header) } }
            .max { $0.columns.count < $1.columns.count }
    }

    /// The first row of a file.
    public var headerRow: String { columns.map(\.header).joined(separator: "\t") }
}
