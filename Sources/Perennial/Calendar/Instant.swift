import Foundation

/// A point in time, in whole milliseconds since 1970-01-01T00:00:00Z: the resolution of all App Store protocols.
///
/// Requests carry times of any size, so nothing here overflows: a result beyond 64 bits is the nearest representable
/// instant.
package struct Instant: Hashable, Comparable, Sendable, Codable {
    /// 9999-12-31T23:59:59Z: protocols write years with four digits.
    package static let endOfTime = Instant(seconds: 253_402_300_799)
    /// 0001-01-01T00:00:00Z.
    package static let beginningOfTime = Instant(seconds: -62_135_596_800)

    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package init(seconds: Int64) {
        self.milliseconds = .seconds(seconds)
    }

    /// Creates the instant of a `Date`, rounded to the nearest millisecond; 1970 for a date that isn't a number.
    package init(_ date: Date) {
        self.milliseconds = Int64(nearest: date.timeIntervalSince1970 * 1000)
    }

    package var date: Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// The instant without its fraction of a second. Receipts carry whole seconds.
    package var wholeSeconds: Instant {
        Instant(milliseconds: milliseconds.clampedSubtracting(((milliseconds % 1000) + 1000) % 1000))
    }

    package static func < (one: Instant, other: Instant) -> Bool {
        one.milliseconds < other.milliseconds
    }

    package static func + (instant: Instant, milliseconds: Int64) -> Instant {
        Instant(milliseconds: instant.milliseconds.clampedAdding(milliseconds))
    }

    package static func - (one: Instant, other: Instant) -> Int64 {
        one.milliseconds.clampedSubtracting(other.milliseconds)
    }
}

extension Int64 {
    /// Returns the milliseconds of some seconds, minutes, hours or days.
    package static func seconds(_ count: Int64) -> Int64 { count.clampedMultiplied(by: 1000) }
    package static func minutes(_ count: Int64) -> Int64 { count.clampedMultiplied(by: 60_000) }
    package static func hours(_ count: Int64) -> Int64 { count.clampedMultiplied(by: 3_600_000) }
    package static func days(_ count: Int64) -> Int64 { count.clampedMultiplied(by: 86_400_000) }
}

/// Clamped arithmetic on numbers from outside. A result beyond the type's range is the nearest end of it, where the
/// operators `+`, `-` and `*` would trap.
extension Int64 {
    /// Creates the whole number nearest to a floating-point one; 0 if it isn't a number.
    package init(nearest number: Double) {
        if let exact = Int64(exactly: number.rounded()) {
            self = exact
        } else {
            self = number.isNaN ? 0 : number < 0 ? .min : .max
        }
    }

    package func clampedAdding(_ other: Int64) -> Int64 {
        let (sum, isOverflown) = addingReportingOverflow(other)
        return isOverflown ? (other < 0 ? .min : .max) : sum
    }

    package func clampedSubtracting(_ other: Int64) -> Int64 {
        let (difference, isOverflown) = subtractingReportingOverflow(other)
        return isOverflown ? (other < 0 ? .max : .min) : difference
    }

    package func clampedMultiplied(by other: Int64) -> Int64 {
        let (product, isOverflown) = multipliedReportingOverflow(by: other)
        return isOverflown ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}
