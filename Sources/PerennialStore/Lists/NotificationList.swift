import Perennial
import PerennialStorage

/// The state of a notification's sending.
package enum SendingState: String, Sendable, CaseIterable {
    /// Waiting for the first attempt.
    case waiting
    /// The newest attempt arrived.
    case delivered
    /// The newest attempt failed, and another one will follow.
    case failing
    /// The newest attempt failed, and was the last.
    case givenUp
    /// Given up without an attempt, because notifications were turned off.
    case cancelled

    package init(_ record: NotificationRecord) {
        self =
            switch (record.attempts.last?.result, record.nextAttempt) {
            case ("SUCCESS", _): .delivered
            case (nil, let next): next == nil ? .cancelled : .waiting
            case (_, let next): next == nil ? .givenUp : .failing
            }
    }
}

/// Conditions on the notifications of a list: those match that meet all that are set.
package struct NotificationFilter: Sendable, Hashable {
    package var type: String?
    package var subtype: String?
    package var state: SendingState?
    /// The original transaction of the purchase or subscription.
    package var originalID: TransactionID?

    package init(
        type: String? = nil, subtype: String? = nil, state: SendingState? = nil, originalID: TransactionID? = nil
    ) {
        (self.type, self.subtype, self.state, self.originalID) = (type, subtype, state, originalID)
    }

    func matches(_ record: NotificationRecord) -> Bool {
        (type == nil || record.type == type) && (subtype == nil || record.subtype == subtype)
            && (state == nil || SendingState(record) == state)
    }

    var range: NotificationsTable.ListRange {
        if let originalID { return .subject(originalID) }
        return state == .failing || state == .givenUp ? .failed : .all
    }
}

extension Notifications {
    /// Returns notifications of an app, newest first, without their contents.
    ///
    /// A page reads no more than ``PageReader/maximumRows`` rows: if few of them meet the filter, it is shorter than its limit
    /// and has a cursor.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`; `.malformed` for a cursor that isn't one.
    package func list(
        of bundleID: App.BundleID, _ filter: NotificationFilter = NotificationFilter(), after cursor: String? = nil,
        limit: Int
    ) async throws -> ListPage<NotificationRecord> {
        let limit = ListLimit.clamped(limit)
        let numbers = try cursor.map { try ListCursor.numbers($0, count: 2) } ?? [.max, .max]
        return try await database.read { [self] connection in
            let app = try app(bundleID, on: connection).app.appleID
            let reader = PageReader(
                limit: limit,
                read: { key, count in
                    try NotificationsTable.newest(
                        filter.range, before: key, limit: count, app: app, environment.id, on: connection)
                }, place: \.key)
            let (found, next) = try reader.page(
                after: .init(position: numbers[0], part: numbers[1]),
                filter == NotificationFilter() ? nil : { filter.matches($0) })
            return ListPage(found, next: next.map { ListCursor.text($0.position, $0.part) })
        }
    }
}
