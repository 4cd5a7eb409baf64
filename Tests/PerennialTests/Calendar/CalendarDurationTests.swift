import Perennial
import Testing

/// Durations by which a clock is advanced.
struct CalendarDurationTests {
    static let ends: [(duration: String, end: String)] = [
        ("P1Y", "2025-01-31T10:00:00Z"), ("P1M", "2024-02-29T10:00:00Z"), ("P13M", "2025-02-28T10:00:00Z"),
        ("P1Y6M", "2025-07-31T10:00:00Z"), ("P2W", "2024-02-14T10:00:00Z"), ("P1D", "2024-02-01T10:00:00Z"),
        ("PT1H", "2024-01-31T11:00:00Z"), ("PT5M", "2024-01-31T10:05:00Z"), ("PT5S", "2024-01-31T10:00:05Z"),
        ("P1DT12H", "2024-02-01T22:00:00Z"), ("PT90M", "2024-01-31T11:30:00Z"), ("PT36H", "2024-02-01T22:00:00Z"),
        ("PT0.5S", "2024-01-31T10:00:00.500Z"), ("PT1,25S", "2024-01-31T10:00:01.250Z"),
        ("PT0.001S", "2024-01-31T10:00:00.001Z"), ("P0Y1D", "2024-02-01T10:00:00Z"),
        // Months first, on the last day of a short one; then what has a length.
        ("P1M1D", "2024-03-01T10:00:00Z"), ("P1Y1M1W1DT1H1M1.5S", "2025-03-08T11:01:01.500Z"),
        ("P7975Y", "9999-01-31T10:00:00Z"),
    ]

    @Test(arguments: ends)
    func `years and months follow the calendar, other units have fixed lengths`(duration: String, end: String) throws {
        let duration = try CalendarDuration(iso8601: duration)
        #expect(duration.end(after: Instant("2024-01-31T10:00:00Z")) == Instant(end))
    }

    static let malformed: [(text: String, reason: String)] =
        [
            "", "P", "PT", "P1DT", "1D", "P1", "PD", "P1H", "PT1D", "PT1Y", "P1M1Y", "P1D1D", "P1D1W", "PT1S1M", "p1d",
            "P1d", " P1D", "P1D ", "P1DT1HT1M", "P٣D", "P1D\n",
        ].map { ($0, "an ISO 8601 duration") } + [
            ("-P1D", "no sign"), ("P-1D", "no sign"), ("+P1D", "no sign"), ("PT-5M", "no sign"),
            ("P0D", "longer than nothing"), ("PT0S", "longer than nothing"),
            ("P0Y0M0DT0H0M0.000S", "longer than nothing"),
            ("P0.5D", "only seconds have a fraction"), ("PT1.5H", "only seconds have a fraction"),
            ("P1.D", "only seconds have a fraction"), ("PT1.S", "only seconds have a fraction"),
            ("PT1.0001S", "only seconds have a fraction"),
            ("P10001Y", "10000 years"), ("P99999999999999999999Y", "10000 years"),
            ("P999999999999999W", "10000 years"), ("PT999999999999999H999999999999999M", "10000 years"),
        ]

    @Test(arguments: malformed)
    func `a malformed duration is refused with the reason`(text: String, reason: String) {
        let refusal = #expect(throws: CalendarDuration.Malformed.self) { _ = try CalendarDuration(iso8601: text) }
        #expect(refusal?.reason.contains(reason) == true, "\(text): \(refusal?.reason ?? "")")
    }

    @Test(arguments: [
        ("9999-12-31T23:59:58Z", "PT1S", true), ("9999-12-31T23:59:58Z", "PT2S", false),
        ("2024-01-01T00:00:00Z", "P10000Y", false),
        ("9999-01-01T00:00:00Z", "P1Y", false), ("2024-01-01T00:00:00Z", "P3000000D", false),
    ])
    func `an instant after the year 9999 is refused`(start: String, duration: String, isWithin: Bool) throws {
        let end = try CalendarDuration(iso8601: duration).end(after: Instant(start))
        #expect((end != nil) == isWithin)
        for extreme in [Int64.max, .min] {
            #expect(try CalendarDuration(iso8601: duration).end(after: Instant(milliseconds: extreme)) == nil)
        }
    }
}
