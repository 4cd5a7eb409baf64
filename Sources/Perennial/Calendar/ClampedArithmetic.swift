/// Arithmetic on numbers that come from outside: what lies beyond the type's range becomes the nearest end of it, where the
/// operators `+`, `-` and `*` end the process.
extension Int64 {
    /// The whole number nearest to a floating-point one; 0 for what is no number.
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
