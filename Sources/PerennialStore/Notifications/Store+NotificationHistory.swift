import AppStoreFormats
import Perennial
import PerennialStorage

/// A page of notifications with their attempts.
package struct NotificationPage: Sendable {
    package var items: [NotificationHistoryItem]
    /// Asks for the next page; `nil` where there is none.
    package var next: String?
}

extension Store {
    /// Notifications on one page of the history, by Apple's documentation.
    package static let notificationPage = 20

    /// Notifications of version 2 that were attempted, oldest first.
    ///
    /// - Parameter token: From the page before.
    /// - Throws: ``NotificationError`` `.malformedPage` for a token that no page gave.
    package func notificationHistory(
        _ filter: NotificationsTable.Filter, of bundleID: App.BundleID, after token: String?
    ) async throws -> NotificationPage {
        let mark = try token.map { try pageMark($0) } ?? .beginning
        let (records, entry) = try await database.read { [self] connection in
            let entry = try app(bundleID, on: connection)
            let records = try NotificationsTable.history(
                filter, after: mark, limit: Self.notificationPage + 1, app: entry.app.appleID, environment.id,
                on: connection)
            return (records, entry)
        }
        let page = records.prefix(Self.notificationPage)
        return NotificationPage(
            items: try page.map { try item($0, entry) },
            next: records.count > page.count ? page.last.map(pageToken) : nil)
    }

    /// What became of a test notification: for as long as notifications can be asked for, which Apple calls six months.
    ///
    /// - Throws: ``NotificationError`` `.testNotFound`, also as long as it has not been attempted.
    package func testNotification(_ uuid: String, of bundleID: App.BundleID) async throws -> NotificationHistoryItem {
        let (found, entry, now) = try await database.read { [self] connection in
            let entry = try app(bundleID, on: connection)
            let record = try NotificationsTable.record(
                uuid: uuid.lowercased(), app: entry.app.appleID, environment.id, on: connection)
            return (record, entry, try clock.now(on: connection))
        }
        guard let record = found, record.type == NotificationType.test.rawValue, !record.attempts.isEmpty,
            now - record.signed <= Self.notificationHistory
        else {
            throw NotificationError(
                .testNotFound, uuid, "there is no such test, it is older than 180 days, or its result isn't known yet")
        }
        return try item(record, entry)
    }

    private func item(
        _ record: NotificationRecord, _ entry: CatalogCache.Entry
    ) throws -> NotificationHistoryItem {
        NotificationHistoryItem(
            signedPayload: try signedPayload(of: record, entry) ?? "",
            sendAttempts: record.attempts.map {
                SendAttemptItem(attemptDate: $0.at.date, sendAttemptResult: .init(rawValue: $0.result))
            })
    }

    private func pageToken(_ record: NotificationRecord) -> String {
        "\(record.signed.milliseconds)_\(record.key.position)_\(record.key.part)"
    }

    private func pageMark(_ token: String) throws -> NotificationsTable.DueMark {
        let numbers = token.split(separator: "_", omittingEmptySubsequences: false).map { Int64($0) }
        guard numbers.count == 3, let signed = numbers[0], let position = numbers[1], let part = numbers[2] else {
            throw NotificationError(.malformedPage, token, "a pagination token comes from the page before")
        }
        return .init(due: Instant(milliseconds: signed), key: .init(position: position, part: part))
    }
}
