import Perennial

/// The days of a page's figures, as the query names them, with those they are compared with.
struct FigureSpan: Sendable, Equatable {
    /// The choices of a span. Those of months use the totals of whole months.
    enum Choice: String, CaseIterable, Sendable {
        case week = "7d"
        case thirtyDays = "30d"
        case month = "month"
        case lastMonth = "last-month"
        case quarter = "3m"
        case year = "12m"
        /// Any days: `from` and `to`.
        case days

        var phrase: Phrase {
            switch self {
            case .week: SpanPhrases.week
            case .thirtyDays: SpanPhrases.thirtyDays
            case .month: SpanPhrases.month
            case .lastMonth: SpanPhrases.lastMonth
            case .quarter: SpanPhrases.quarter
            case .year: SpanPhrases.year
            case .days: SpanPhrases.days
            }
        }
    }

    /// A fault of the days that a query names, at one of their fields.
    struct Fault: Error, Equatable {
        enum Kind: Sendable { case noDay, order, tooMany }

        /// `from` or `to`.
        var field: String
        var kind: Kind
    }

    let choice: Choice
    /// The fault of the query's days, in whose place the usual span stands; `nil` if they are right, or aren't named.
    private(set) var fault: Fault?
    let days: ClosedRange<PacificDay>
    /// The span before, with as many days or months.
    let before: ClosedRange<PacificDay>
    /// The most days of a span that names its days.
    static let mostDays: Int64 = 731
    /// The most days that are drawn one by one.
    private static let mostDrawnDays: Int64 = 93

    /// Reads `span`, or `from` and `to`, of a query.
    ///
    /// - Parameter usual: Where they name nothing.
    init(_ query: [String: String], today: PacificDay, usual: Choice = .thirtyDays) {
        switch Self.named(query) {
        case .success(let named):
            choice = .days
            (days, before) = Self.any(named)
            return
        case .failure(let found): fault = found
        case nil: break
        }
        let choice = query["span"].flatMap(Choice.init(rawValue:)) ?? usual
        self.choice = choice == .days ? usual : choice
        switch choice {
        case .week: (days, before) = Self.last(7, today)
        case .thirtyDays, .days: (days, before) = Self.last(30, today)
        case .month: (days, before) = Self.months(1, until: today)
        case .quarter: (days, before) = Self.months(3, until: today)
        case .year: (days, before) = Self.months(12, until: today)
        case .lastMonth:
            let start = StatisticInterval.month.start(of: today)
            let (first, second) = (PacificDay(start.date.adding(months: -1)), PacificDay(start.date.adding(months: -2)))
            (days, before) = (first...start.adding(-1), second...first.adding(-1))
        }
    }

    /// Returns the days that a query names with `from` and `to`; `nil` if it names a span, or nothing.
    private static func named(_ query: [String: String]) -> Result<ClosedRange<PacificDay>, Fault>? {
        guard query["span"] ?? Choice.days.rawValue == Choice.days.rawValue,
            query["span"] != nil || query["from"] != nil || query["to"] != nil
        else { return nil }
        func day(_ name: String) -> PacificDay? {
            PacificDay(query[name] ?? "").flatMap { (1901..<9999).contains($0.date.year) ? $0 : nil }
        }
        guard let from = day("from") else { return .failure(Fault(field: "from", kind: .noDay)) }
        guard let to = day("to") else { return .failure(Fault(field: "to", kind: .noDay)) }
        guard from <= to else { return .failure(Fault(field: "to", kind: .order)) }
        guard to.number - from.number < mostDays else { return .failure(Fault(field: "to", kind: .tooMany)) }
        return .success(from...to)
    }

    /// The interval of charts: days as long as they can be told apart.
    var interval: StatisticInterval {
        days.upperBound.number - days.lowerBound.number < Self.mostDrawnDays ? .day : .month
    }

    /// The parameters of the query that name the span.
    var query: [String: String] {
        choice == .days ? ["from": "\(days.lowerBound)", "to": "\(days.upperBound)"] : ["span": choice.rawValue]
    }

    /// Returns days and as many before them. A long span is extended to whole months, as its chart shows them.
    private static func any(
        _ days: ClosedRange<PacificDay>
    ) -> (ClosedRange<PacificDay>, ClosedRange<PacificDay>) {
        let count = days.upperBound.number - days.lowerBound.number + 1
        let (from, month) = (days.lowerBound, StatisticInterval.month)
        guard count > mostDrawnDays else { return (days, from.adding(-count)...from.adding(-1)) }
        let (first, last) = (month.start(of: from), month.start(of: days.upperBound))
        let months =
            (last.date.year - first.date.year) * 12 + last.date.month - first.date.month + 1
        let before = PacificDay(first.date.adding(months: -months))
        return (first...month.next(after: last).adding(-1), before...first.adding(-1))
    }

    private static func last(_ count: Int64, _ today: PacificDay) -> (ClosedRange<PacificDay>, ClosedRange<PacificDay>)
    {
        let first = today.adding(1 - count)
        return (first...today, first.adding(-count)...first.adding(-1))
    }

    /// Returns this month and those before it up to a day, and as many months before them up to the same day of the month.
    private static func months(
        _ count: Int, until today: PacificDay
    ) -> (ClosedRange<PacificDay>, ClosedRange<PacificDay>) {
        let first = PacificDay(StatisticInterval.month.start(of: today).date.adding(months: 1 - count))
        let before = PacificDay(first.date.adding(months: -count))
        return (first...today, before...max(PacificDay(today.date.adding(months: -count)), before))
    }
}

extension PacificDay {
    /// The day as a text.
    var text: Text { .day(Instant(date)) }

    /// The day's month as a text.
    var monthText: Text { .month(Instant(date)) }

    /// All days of the day's month.
    var wholeMonth: ClosedRange<PacificDay> {
        let (month, first) = (StatisticInterval.month, StatisticInterval.month.start(of: self))
        return first...month.next(after: first).adding(-1)
    }

    var isWeekend: Bool { date.weekday == 0 || date.weekday == 6 }
}

extension Text {
    /// The month of a statistic's period, which is named such as `2026-03`.
    static func month(named name: String) -> Text { PacificDay("\(name)-01").map(\.monthText) ?? .data(name) }
}

extension ClosedRange<PacificDay> {
    /// The days as a text: one day, or the first and the last.
    var text: Text {
        lowerBound == upperBound ? lowerBound.text : .phrase(SpanPhrases.fromTo, lowerBound.text, upperBound.text)
    }
}
