import Perennial
import PerennialStorage

/// The roll-up that finds a day's entries, and the devices of subscriptions.
struct JournalIndexRollUp: RollUp {
    func changes(for batch: RollUpBatch, on connection: any Connection) throws -> any RollUpChanges {
        var days = PacificDays()
        var positions: [PacificDay: [Int64]] = [:]
        for entry in batch.entries { positions[days.day(of: entry.entry.at), default: []].append(entry.position) }
        let newest = try RollUpDaysTable.newest(of: positions.keys.sorted(), batch.key, on: connection)
        var changes = Changes(devices: batch.entries.compactMap(\.devicePurchase))
        for (day, positions) in positions.sorted(by: { $0.key < $1.key }) {
            changes.segments += Self.segments(of: day, positions, after: newest[day])
        }
        return changes
    }

    /// Returns the segments to write for further positions of a day. Those near the newest segment make it longer.
    static func segments(
        of day: PacificDay, _ positions: [Int64], after newest: RollUpDaysTable.Segment?
    ) -> [RollUpDaysTable.Segment] {
        var segments = newest.map { [$0] } ?? []
        for position in positions {
            if let last = segments.last, position - last.positions.upperBound <= RollUpDaysTable.longestGap {
                segments[segments.count - 1].positions = last.positions.lowerBound...position
            } else {
                segments.append(RollUpDaysTable.Segment(day: day, positions: position...position))
            }
        }
        // The newest one may be unchanged.
        return segments.filter { $0 != newest }
    }

    func erase(_ key: RollUpKey, on connection: any Connection) throws {
        try RollUpDaysTable.erase(key, on: connection)
        try RollUpDevicesTable.erase(key, on: connection)
    }

    private struct Changes: RollUpChanges {
        var segments: [RollUpDaysTable.Segment] = []
        var devices: [RollUpDevicesTable.Purchase] = []

        func write(_ key: RollUpKey, on connection: any Connection) throws {
            try RollUpDaysTable.put(segments, key, on: connection)
            try RollUpDevicesTable.insert(devices, key, on: connection)
        }
    }
}
