import Foundation
import Perennial
import Testing

/// Instants of any size, as requests carry them, which must not trap.
struct InstantTests {
    static let extremes: [Int64] = [
        .min, .min + 1, -9_007_199_254_740_993, -62_167_219_200_001, -1, 0, 1, 253_402_300_800_000,
        9_007_199_254_740_993,
        .max - 1, .max,
    ]

    @Test(arguments: extremes)
    func `a sum or difference beyond 64 bits is clamped`(one: Int64) {
        for other in Self.extremes { check(one, other) }
    }

    private func check(_ one: Int64, _ other: Int64) {
        let (a, b) = (Instant(milliseconds: one), Instant(milliseconds: other))
        let (sum, isSumTooLarge) = one.addingReportingOverflow(other)
        #expect((a + other).milliseconds == (isSumTooLarge ? (one < 0 ? .min : .max) : sum))
        let (difference, isDifferenceTooLarge) = one.subtractingReportingOverflow(other)
        #expect(a - b == (isDifferenceTooLarge ? (one < 0 ? .min : .max) : difference))
        let (product, isProductTooLarge) = one.multipliedReportingOverflow(by: other)
        #expect(
            one.clampedMultiplied(by: other)
                == (isProductTooLarge ? ((one < 0) == (other < 0) ? .max : .min) : product))
    }

    @Test(arguments: extremes)
    func `every instant has a date, a day, a time and a text`(milliseconds: Int64) {
        let instant = Instant(milliseconds: milliseconds)
        let (day, millisecondOfDay) = instant.civil
        #expect((0..<86_400_000).contains(millisecondOfDay))
        #expect((1...12).contains(day.month) && (1...31).contains(day.day))
        #expect(!instant.rfc3339(fraction: true).isEmpty)
        #expect(instant.wholeSeconds <= instant)
        #expect(Instant(instant.date) == instant || milliseconds.magnitude > 1 << 53)
        #expect(Instant(day, millisecondOfDay: millisecondOfDay) == instant || milliseconds < .min + 86_400_000)
        #expect(Instant(seconds: milliseconds).milliseconds.signum() == milliseconds.signum())
    }

    @Test(arguments: [
        (Double.nan, Int64(0)), (.infinity, .max), (-.infinity, .min), (1e308, .max), (-1e308, .min), (9.3e15, .max),
        (1.0004, 1000), (1.0006, 1001), (-0.0006, -1), (-9.3e15, .min),
    ])
    func `a date of any size converts to an instant`(seconds: Double, milliseconds: Int64) {
        #expect(Instant(Date(timeIntervalSince1970: seconds)).milliseconds == milliseconds)
    }
}
