import Perennial

/// The rules on a manual clock: times that are read don't go back, and an advance goes as far as it said.
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
        }
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
        var witness: Witness
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
            found.append(Reading(time: time, witness: Witness(history, operation, isNamed: isNamed)))
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
