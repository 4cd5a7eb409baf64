import Perennial

/// The rules on a manual clock: times that are read don't go back, an advance goes as far as it said, and advances add up.
struct ClockRules {
    private(set) var violations: [HistoryCheck.Violation] = []

    init(_ histories: [RecordedHistory]) {
        for history in histories where history.header.isManual {
            let advances = Advances(history, isNamed: histories.count > 1)
            for reading in advances.readings {
                guard let before = advances.reached(before: reading.witness.operation.begin) else { continue }
                var expected = before.time
                if case .advance(let by) = reading.witness.operation.request { expected = expected + Self.length(by) }
                guard reading.time < expected else { continue }
                violations.append(
                    HistoryCheck.Violation(
                        .clock,
                        "the clock was at \(before.time.rfc3339(fraction: true)) and is at "
                            + "\(reading.time.rfc3339(fraction: true)), not at \(expected.rfc3339(fraction: true)) or later",
                        [before.witness, reading.witness]))
            }
            if let lost = Self.lost(advances) { violations.append(lost) }
        }
    }

    /// Advances that a violation shows.
    private static let shownMax = 4

    /// Finds the first reading that shows less time than all advances before it took together: two of them began at the same
    /// time of the clock.
    private static func lost(_ advances: Advances) -> HistoryCheck.Violation? {
        guard let base = advances.readings.min(by: { $0.end < $1.end }) else { return nil }
        let later = advances.readings.filter { $0.begin > base.end }
        let counted = later.filter { $0.length > 0 }.sorted { $0.end < $1.end }
        var (index, sum): (Int, Int64) = (0, 0)
        for reading in later {
            while index < counted.count, counted[index].end < reading.begin {
                sum += counted[index].length
                index += 1
            }
            let expected = base.time + (sum + reading.length)
            guard reading.time < expected else { continue }
            return HistoryCheck.Violation(
                .clock,
                "the clock was at \(base.time.rfc3339(fraction: true)), and \(index) advances later it is at "
                    + "\(reading.time.rfc3339(fraction: true)), not at \(expected.rfc3339(fraction: true)) or later",
                [base.witness] + counted[..<index].suffix(shownMax).map(\.witness) + [reading.witness])
        }
        return nil
    }

    /// Returns the milliseconds of days and hours, such as `P3D` and `PT12H`; 0 for a duration of another form.
    static func length(_ duration: String) -> Int64 {
        if let match = duration.wholeMatch(of: /P([0-9]{1,6})D/) { return .days(Int64(match.1) ?? 0) }
        if let match = duration.wholeMatch(of: /PT([0-9]{1,6})H/) { return .hours(Int64(match.1) ?? 0) }
        return 0
    }
}

/// The times that the clock of an environment was known to have reached.
struct Advances {
    struct Reading {
        var time: Instant
        var witness: SeenNotification

        var begin: Int64 { witness.operation.begin }
        var end: Int64 { witness.operation.end }
        /// The milliseconds that an advance has moved the clock by; 0 for one that was only read.
        var length: Int64 {
            if case .advance(let by) = witness.operation.request { ClockRules.length(by) } else { 0 }
        }
    }

    /// All readings of the clock and answers to advances, by their begin.
    let readings: [Reading]
    /// The ends of the readings, in order, and the reading with the latest time among those until then.
    private let ends: [Int64]
    private let latest: [Reading]

    init(_ history: RecordedHistory, isNamed: Bool) {
        var found: [Reading] = []
        for operation in history.operations {
            guard case .time(let time) = operation.answer else { continue }
            found.append(Reading(time: time, witness: SeenNotification(history, operation, isNamed: isNamed)))
        }
        readings = found.sorted { $0.witness.operation.begin < $1.witness.operation.begin }
        let ended = found.sorted { $0.witness.operation.end < $1.witness.operation.end }
        var latest: [Reading] = []
        for reading in ended {
            latest.append(latest.last.map { $0.time >= reading.time ? $0 : reading } ?? reading)
        }
        self.latest = latest
        ends = ended.map(\.witness.operation.end)
    }

    /// The latest time that was known before a time of the history; `nil` if none was.
    func reached(before begin: Int64) -> Reading? {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] < begin { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? latest[low - 1] : nil
    }
}
