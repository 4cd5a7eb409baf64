import Perennial

/// The readings of a history's clock, and how late a renewal may be by them.
///
/// A manual clock does the work of an advance before it answers. On a real clock a node renews whose lease moves if it stops, and
/// nothing is renewed while the database can't be written.
struct DueRenewals {
    let advances: Advances
    /// Milliseconds by which a subscription's newest period may have ended before a reading.
    let lateMax: Int64
    /// Periods after which a subscription isn't renewed.
    let periodsMax: Int

    /// Lists have whole seconds.
    private static let rounding = Int64.seconds(1)
    /// The time until others have the lease of a node that stopped.
    private static let leaseMove = Int64.seconds(5)
    /// The time in which the renewals that have waited are made, also on a busy machine.
    private static let margin = Int64.seconds(10)

    init(_ history: RecordedHistory, isNamed: Bool) {
        advances = Advances(history, isNamed: isNamed)
        if history.header.isManual {
            (lateMax, periodsMax) = (Self.rounding, .max)
        } else {
            let outage = Self.longestOutage(history, until: advances.readings.last?.begin)
            lateMax = Self.rounding + Self.leaseMove + outage + Self.margin
            periodsMax = 1 + ExercisePreparation.renewalsMax
        }
    }

    /// Returns the longest time without an acknowledged change, in milliseconds: faults as the clients saw them.
    ///
    /// - Parameter reading: The begin of the last reading of the clock, which clients that have ended change nothing before.
    private static func longestOutage(_ history: RecordedHistory, until reading: Int64?) -> Int64 {
        var moments = history.operations.filter(\.isAcknowledgedChange).map(\.end).sorted()
        if let reading { moments.append(max(reading, moments.last ?? 0)) }
        return zip([0] + moments, moments).map { $1 - $0 }.max().map { $0 / 1_000 } ?? 0
    }
}

extension RecordedOperation {
    /// True for a customer's change that the store has made for certain.
    fileprivate var isAcknowledgedChange: Bool {
        guard customer != nil else { return false }
        switch answer {
        case .sold, .done: return true
        case .refused, .listed, .time, .entries, .sent, .unknown, .failed: return false
        }
    }
}
