import AppStoreFormats
import Perennial
import PerennialStorage

/// A page of notifications with their attempts.
package struct NotificationHistoryPage: Sendable {
    package var items: [NotificationHistoryItem]
    /// The token of the next page; `nil` if there is none.
    package var next: String?
}

extension Notifications {
    /// The number of notifications on a page, by Apple's documentation.
    package static let pageSize = 20

    /// Returns attempted notifications of version 2, oldest first.
    ///
    /// - Parameter token: From the page before.
    /// - Throws: ``NotificationError`` `.malformedPage` for an unknown token.
    package func history(
        _ filter: NotificationsTable.Filter, of bundleID: App.BundleID, after token: String?
    ) async throws -> NotificationHistoryPage {
        let mark = try token.map { try pageMark($0) } ?? .beginning
        let (records, entry) = try await database.read { [self] connection in
            let entry = try app(bundleID, on: connection)
            let records = try NotificationsTable.history(
                filter, after: mark, limit: Self.pageSize + 1, app: entry.app.appleID, environment.id,
                on: connection)
            return (records, entry)
        }
        let page = records.prefix(Self.pageSize)
        return NotificationHistoryPage(
            items: try page.map { try item($0, entry) },
            next: records.count > page.count ? page.last.map(pageToken) : nil)
    }

    /// Returns the result of a test notification, for as long as the history lasts (six months in Apple's words).
    ///
    /// - Throws: ``NotificationError`` `.testNotFound`, also before the first attempt.
    package func testResult(_ uuid: String, of bundleID: App.BundleID) async throws -> NotificationHistoryItem {
        let (found, entry, now) = try await database.read { [self] connection in
            let entry = try app(bundleID, on: connection)
            let record = try NotificationsTable.record(
                uuid: uuid.lowercased(), app: entry.app.appleID, environment.id, on: connection)
            return (record, entry, try clock.now(on: connection))
        }
        guard let record = found, record.type == NotificationType.test.rawValue, !record.attempts.isEmpty,
            now - record.signed <= Self.historyDuration
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

    private func pageMark(_ token: String) throws -> NotificationsTable.PageCursor {
        let numbers = token.split(separator: "_", omittingEmptySubsequences: false).map { Int64($0) }
        guard numbers.count == 3, let signed = numbers[0], let position = numbers[1], let part = numbers[2] else {
            throw NotificationError(.malformedPage, token, "a pagination token comes from the page before")
        }
        return .init(due: Instant(milliseconds: signed), key: .init(position: position, part: part))
    }
}
