import Perennial
import Testing

@testable import PerennialConsole

/// Spans of days and what they are compared with.
struct FigureSpanTests {
    private static let today = PacificDay(CivilDate(year: 2026, month: 3, day: 31))

    @Test(arguments: [
        ("7d", "2026-03-25", "2026-03-31", "2026-03-18", "2026-03-24"),
        ("30d", "2026-03-02", "2026-03-31", "2026-01-31", "2026-03-01"),
        ("month", "2026-03-01", "2026-03-31", "2026-02-01", "2026-02-28"),
        ("last-month", "2026-02-01", "2026-02-28", "2026-01-01", "2026-01-31"),
        ("3m", "2026-01-01", "2026-03-31", "2025-10-01", "2025-12-31"),
        ("12m", "2025-04-01", "2026-03-31", "2024-04-01", "2025-03-31"),
        ("nonsense", "2026-03-02", "2026-03-31", "2026-01-31", "2026-03-01"),
    ])
    func `a span has days and those before`(
        span: String, from: String, to: String, beforeFrom: String, beforeTo: String
    ) {
        let found = FigureSpan(["span": span], today: Self.today)
        #expect("\(found.days.lowerBound) \(found.days.upperBound)" == "\(from) \(to)")
        #expect("\(found.before.lowerBound) \(found.before.upperBound)" == "\(beforeFrom) \(beforeTo)")
    }

    @Test func `any days are a span unless they are too many or in no order`() {
        let span = FigureSpan(["from": "2026-01-10", "to": "2026-01-12"], today: Self.today)
        #expect(span.choice == .days && span.query == ["from": "2026-01-10", "to": "2026-01-12"])
        #expect("\(span.before.lowerBound) \(span.before.upperBound)" == "2026-01-07 2026-01-09")
        let long = FigureSpan(["from": "2025-11-10", "to": "2026-02-12"], today: Self.today)
        #expect("\(long.days.lowerBound) \(long.days.upperBound)" == "2025-11-01 2026-02-28")
        #expect("\(long.before.lowerBound) \(long.before.upperBound)" == "2025-07-01 2025-10-31")
        let wrong: [(String, String, FigureSpan.Fault)] = [
            ("2026-01-12", "2026-01-10", .init(field: "to", kind: .order)),
            ("1990-01-01", "2026-01-10", .init(field: "to", kind: .tooMany)),
            ("x", "2026-01-10", .init(field: "from", kind: .noDay)),
            ("2026-01-10", "", .init(field: "to", kind: .noDay)),
        ]
        for (from, to, fault) in wrong {
            let span = FigureSpan(["from": from, "to": to], today: Self.today)
            #expect(span.choice == .thirtyDays && span.fault == fault)
        }
        #expect(FigureSpan([:], today: Self.today).fault == nil)
        #expect(
            FigureSpan(["span": "7d", "from": "2026-01-10", "to": "2026-01-12"], today: Self.today).choice == .week)
    }
}
