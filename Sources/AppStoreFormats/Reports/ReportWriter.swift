import Perennial

/// Writes a report row by row: UTF-8, a tab between cells, a line feed after each row, no quotes, the headers first.
package struct ReportWriter: Sendable {
    package let layout: ReportLayout
    /// The bytes that weren't taken yet.
    private var bytes: [UInt8]

    package init(_ layout: ReportLayout) {
        self.layout = layout
        bytes = Array(layout.headerRow.utf8)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Appends a row with a value for each column.
    package mutating func append(_ row: [ReportValue]) {
        assert(row.count == layout.columns.count, "\(layout.report) has \(layout.columns.count) columns")
        for (index, (value, column)) in zip(row, layout.columns).enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "\t")) }
            value.append(to: &bytes, in: column, layout.dateForm)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Returns a whole file, with its rows in the order of their text, so that the same rows are the same file.
    package static func text(_ layout: ReportLayout, _ rows: [[ReportValue]]) -> String {
        var writer = ReportWriter(layout)
        let headers = writer.takeBytes()
        let lines = rows.map { row in
            writer.append(row)
            return String(decoding: writer.takeBytes(), as: UTF8.self)
        }
        return String(decoding: headers, as: UTF8.self) + lines.sorted().joined()
    }

    /// The number of bytes that weren't taken yet.
    package var count: Int { bytes.count }

    /// Returns the bytes written since the last call, and forgets them.
    package mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }
}

extension ReportLayout {
    /// Returns the name of a file, without `.txt.gz`: `S_D_80012345_20261003`.
    package func fileName(vendor: String, _ period: ReportPeriod) -> String {
        switch report {
        case .sales: "S_\(period.frequency.letter)_\(vendor)_\(period.compactDate)"
        case .subscription: "Subscription_\(vendor)_\(period.compactDate)"
        case .subscriptionEvent: "Subscription_Event_\(vendor)_\(period.compactDate)"
        case .subscriber: "Subscriber_\(vendor)_\(period.compactDate)"
        case .offerCodeRedemption: "Subscription_Offer_Code_Redemption_\(vendor)_\(period.compactDate)"
        }
    }
}

extension ReportPeriod.Frequency {
    fileprivate var letter: String {
        switch self {
        case .daily: "D"
        case .weekly: "W"
        case .monthly: "M"
        case .yearly: "Y"
        }
    }
}
