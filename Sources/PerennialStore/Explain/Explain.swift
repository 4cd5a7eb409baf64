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
    func stream(
        _ days: ClosedRange<PacificDay>, of app: App, at moment: Moment, _ body: (RollUpBatch) throws -> Void
    ) async throws {
        let segments = try await database.read { try RollUpDaysTable.segments(days, moment.key, on: $0) }
        for range in segments.map(\.positions).merged() {
            let last = min(range.upperBound, moment.position)
            try await rollUps.batches(moment.key, app, after: range.lowerBound - 1, through: last) { batch in
                var batch = batch
                batch.entries.removeAll { !days.contains(PacificDay($0.entry.at)) }
                try body(batch)
            }
        }
    }

    /// Streams the entries at positions, which are in order. Positions that are near each other are read together, and none of
    /// those between others.
    func stream(
        at positions: [Int64], of app: App, _ key: RollUpKey, _ body: (RollUpBatch.Entry) throws -> Void
    ) async throws {
        var rest = positions[...]
        while let first = rest.first {
            try Task.checkCancellation()
            let near = rest.prefix { $0 - first < Self.nearPositions }
            let batch = try await rollUps.streamedBatch(after: first - 1, through: near.last ?? first, key, app)
            guard let end = batch.entries.last?.position else { return }
            let wanted = Set(near)
            for entry in batch.entries where wanted.contains(entry.position) { try body(entry) }
            rest = rest.drop { $0 <= end }
        }
    }

    /// Positions that are read together although not all of them are wanted.
    private static let nearPositions: Int64 = 64

    /// Returns the positions of the entries about subscriptions or of accounts, in order.
    ///
    /// Only keys are read, page by page: what the entries say is read for the positions that are wanted.
    func positions(
        of subscriptions: Set<TransactionID>, _ accounts: Set<Account.ID> = [], in app: App,
        from first: Int64, through last: Int64
    ) async throws -> [Int64] {
        var found: [Int64] = []
        var start = first
        while start <= last {
            try Task.checkCancellation()
            let page = start...min(last, start + Self.keysInPage - 1)
            found += try await database.scan { [environment] connection in
                var found: [Int64] = []
                try JournalTable.forEachKey(in: page, app: app.appleID, environment.id, on: connection) { key in
                    let isAbout = key.originalID.map(subscriptions.contains) ?? false
                    if isAbout || accounts.contains(key.accountID) { found.append(key.position) }
                }
                return found
            }
            start = page.upperBound + 1
        }
        return found
    }

    private static let keysInPage: Int64 = 50_000

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
