/// Assigns the entries of one app's journal to fiscal months.
///
/// An entry belongs to the fiscal month of its day. If that month was closed when the entry was appended, it is an
/// adjustment of the first month that was open then. A closing so never changes, and each entry counts in one month.
package struct FiscalAssignment: Sendable {
    /// Oldest first. A closing closes all months up to its own.
    private let closings: [(month: FiscalMonth, position: Int64)]

    /// - Parameter closings: Each closed month, with the last position of the app's journal that it included.
    package init(closings: [(month: FiscalMonth, position: Int64)]) {
        self.closings = closings.sorted { $0.month < $1.month }
    }

    /// Returns the month of an entry.
    ///
    /// - Parameters:
    ///   - day: The entry's Pacific day.
    ///   - position: Its position in the journal.
    package func month(of day: PacificDay, at position: Int64) -> (month: FiscalMonth, isAdjustment: Bool) {
        let own = FiscalMonth(containing: day)
        // Later closings include at least the positions of earlier ones, so the last that excludes the entry decides.
        guard let closed = closings.last(where: { $0.position < position })?.month, own <= closed else {
            return (own, false)
        }
        return (closed.next, true)
    }

    /// Returns the journal's last position in the closings before a month; `nil` if none was closed.
    package func lastPosition(closedBefore month: FiscalMonth) -> Int64? {
        closings.last { $0.month < month }?.position
    }

    /// Returns the journal's last position in the closing of a month or of a later one; `nil` while the month is open.
    package func lastPosition(including month: FiscalMonth) -> Int64? {
        closings.first { $0.month >= month }?.position
    }
}

extension FiscalMonth {
    /// The calendar month by which files and people name it: the first fiscal month of 2027 is October 2026.
    package var calendarMonth: (year: Int, month: Int) {
        month <= 3 ? (year - 1, month + 9) : (year, month - 3)
    }
}
