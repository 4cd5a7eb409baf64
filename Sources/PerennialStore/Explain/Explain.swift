import Perennial
import PerennialStorage
import Synchronization

/// Explains figures of reports: finds the journal entries that make one, computes it again from them with the rules of
/// the roll-ups, and compares the results.
package struct Explain: StoreChapter {
    let context: StoreContext
    let rollUps: RollUps

    /// The roll-ups of an app at one moment.
    struct Moment: Sendable {
        var key: RollUpKey
        /// The last journal position in them. Later entries aren't part of any figure yet.
        var position: Int64
    }

    /// Returns an app with its roll-ups brought up to date.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`.
    func upToDate(_ bundleID: App.BundleID) async throws -> (app: App, key: RollUpKey) {
        let app = try await database.read { [self] in try self.app(bundleID, on: $0).app }
        return (app, try await rollUps.bringUpToDate(app))
    }

    /// Returns the moment of the roll-ups that a read sees.
    func currentMoment(_ key: RollUpKey, on connection: any Connection) throws -> Moment {
        Moment(key: key, position: try RollUpHeadsTable.head(key, on: connection)?.position ?? 0)
    }

    /// Streams entries of days up to a moment, in batches of bounded size.
    ///
    /// - Parameter position: Entries up to this position are left out.
    func stream(
        _ days: ClosedRange<PacificDay>, after position: Int64 = 0, of app: App, at moment: Moment,
        _ body: (RollUpBatch) throws -> Void
    ) async throws {
        let segments = try await database.read { try RollUpDaysTable.segments(days, moment.key, on: $0) }
        for range in segments.map(\.positions).merged() {
            var next = max(range.lowerBound - 1, position)
            let last = min(range.upperBound, moment.position)
            while next < last {
                try Task.checkCancellation()
                let start = next
                var batch = try await database.read { [rollUps, limits] in
                    try rollUps.batch(
                        after: start, through: last, limit: limits.rollUpBatch, moment.key, app, on: $0)
                }
                guard let end = batch.entries.last?.position else { break }
                next = end
                batch.entries.removeAll { !days.contains(PacificDay($0.entry.at)) }
                try body(batch)
            }
        }
    }

    /// Streams the entries at positions, which are in order.
    func stream(
        at positions: [Int64], of app: App, _ key: RollUpKey, _ body: (RollUpBatch.Entry) throws -> Void
    ) async throws {
        let wanted = Set(positions)
        var rest = positions[...]
        while let first = rest.first, let last = rest.last {
            try Task.checkCancellation()
            let batch = try await database.read { [rollUps, limits] in
                try rollUps.batch(
                    after: first - 1, through: last, limit: limits.rollUpBatch, key, app, on: $0)
            }
            guard let end = batch.entries.last?.position else { return }
            for entry in batch.entries where wanted.contains(entry.position) { try body(entry) }
            rest = rest.drop { $0 <= end }
        }
    }

    /// Returns the storefront of a country's code with two or three letters.
    ///
    /// - Throws: ``ExplainError`` `.malformed`.
    static func storefront(_ country: String) throws -> Storefront {
        let code = country.uppercased()
        let found = Storefront.all.first { $0.storefront.rawValue == code || $0.alpha2 == code }
        guard let found else {
            throw ExplainError(.malformed, "country", "there is no storefront \(country): say a code such as US or USA")
        }
        return found.storefront
    }
}
