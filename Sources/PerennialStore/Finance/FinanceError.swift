import Perennial

/// The reason that an operation of Finance failed.
package struct FinanceError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// The fiscal month isn't over by the environment's clock.
        case monthNotOver
        /// An earlier month has to be closed first.
        case earlierMonthOpen
        /// The month is before the first closing.
        case monthPassed
        /// Renewals of the month aren't processed yet.
        case workOverdue
        /// The exchange table has no rate for a currency and month.
        case exchangeRateMissing
        /// The report is of a month that isn't closed.
        case monthNotClosed
        /// An idempotency key was used for another adjustment.
        case idempotencyKeyReused
        /// A field has a wrong value; the subject names it.
        case malformed
    }

    package let code: Code
    /// A month or a field.
    package let subject: String
    package let reason: String

    package init(_ code: Code, _ subject: String, _ reason: String) {
        self.code = code
        self.subject = subject
        self.reason = reason
    }

    package var description: String { "\(subject): \(reason)" }
    package static func == (one: Self, other: Self) -> Bool { one.code == other.code }
}

extension FinanceError {
    /// Describes the rates that a closing needs.
    init(_ failure: MonthClosing.Failure) {
        let currencies = failure.missing.map(\.rawValue).joined(separator: ", ")
        guard !failure.missing.isEmpty else {
            self.init(.malformed, "\(failure.month)", "an amount exchanged to \(failure.to) is too large")
            return
        }
        self.init(
            .exchangeRateMissing, "\(failure.month)",
            "the exchange table has no rate from \(currencies) to \(failure.to) for \(failure.month)")
    }
}
