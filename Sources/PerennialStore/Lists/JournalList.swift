import Perennial
import PerennialStorage

/// An entry of the journal with its postings, at its position.
package struct JournalItem: Sendable, Hashable {
    package var position: Int64
    package var entry: JournalEntry
    /// The author and the reason of a grant.
    package var grantNote: GrantNote?

    package init(position: Int64, entry: JournalEntry) {
        (self.position, self.entry) = (position, entry)
    }
}

extension Transactions {
    /// The most positions that a page of the journal looks at.
    private static let maximumPositions: Int64 = 20_000

    /// Returns entries of an app's journal with their postings.
    ///
    /// A page looks at no more than 20,000 positions: if few of them are of the kind, it is shorter than its limit and has a
    /// cursor.
    ///
    /// - Parameters:
    ///   - kind: The kind of entries; `nil` for all.
    ///   - position: The first position, from which the oldest come first; `nil` for the newest first.
    /// - Throws: ``StoreError`` `.appNotFound`; `.malformed` for a cursor that isn't one.
    package func journal(
        of bundleID: App.BundleID, kind: JournalEntry.Kind? = nil, from position: Int64? = nil,
        after cursor: String? = nil, limit: Int
    ) async throws -> ListPage<Listed<JournalItem>> {
        let limit = ListLimit.clamped(limit)
        let after = try cursor.map { try ListCursor.numbers($0, count: 1)[0] }
        return try await database.read { [self] connection in
            let app = try app(bundleID, on: connection).app.appleID
            let last = try JournalTable.lastPosition(app: app, environment.id, on: connection)
            let isDescending = position == nil
            let range: ClosedRange<Int64>?
            if let position {
                let first = max(after.map { $0 + 1 } ?? position, position, 1)
                range = first <= last ? first...min(last, first + Self.maximumPositions - 1) : nil
            } else {
                let newest = min(after.map { $0 - 1 } ?? last, last)
                range = newest >= 1 ? max(1, newest - Self.maximumPositions + 1)...newest : nil
            }
            guard let range else { return ListPage([]) }
            let found = try JournalTable.entries(
                in: range, kind: kind, isDescending: isDescending, limit: limit + 1, app: app, environment.id,
                on: connection)
            let items = try found.prefix(limit).map { position, entry in
                var item = JournalItem(position: position, entry: entry)
                item.entry.postings = try JournalTable.postings(
                    at: position, app: app, environment.id, on: connection)
                if entry.kind == .purchased, item.entry.postings.isEmpty, let id = entry.transactionID {
                    item.grantNote = try GrantsTable.note(of: id, app: app, environment.id, on: connection)
                }
                return item
            }
            // Without further entries in the range, the next page begins behind it, unless the journal ends there.
            let edge = isDescending ? range.lowerBound : range.upperBound
            let isLast = edge == (isDescending ? 1 : last)
            let next = found.count > limit ? items.last?.position : isLast ? nil : edge
            return ListPage(
                try named(items, \.entry.accountID, on: connection), next: next.map { ListCursor.text($0) })
        }
    }
}
