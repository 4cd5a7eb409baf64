import AppStoreFormats
import Perennial
import PerennialStorage

/// A notification with its payload, for operators.
package struct NotificationSnapshot: Sendable {
    package var record: NotificationRecord
    /// The posted payload; `nil` for version 1, which is not signed.
    package var signedPayload: String?
}

/// Server notifications: an app's settings, the history, and the sending of due ones.
package struct Notifications: StoreChapter {
    let context: StoreContext
    let outbox: NotificationOutbox
    let receipts: Receipts
    let signing: Signing
    let sender: (any NotificationSender)?
    let leasePollInterval: @Sendable () async throws -> Void
    let mutex = AsyncMutex()

    /// The most notifications in one listing.
    package static let maximumListed = 1000

    /// Returns an app's settings.
    ///
    /// - Throws: ``NotificationError`` `.urlNotFound`, ``StoreError`` `.appNotFound`.
    package func settings(of bundleID: App.BundleID) async throws -> NotificationSettings {
        try await database.read { [self] connection in
            try settings(of: try app(bundleID, on: connection).app, on: connection)
        }
    }

    private func settings(of app: App, on connection: any Connection) throws -> NotificationSettings {
        guard let settings = try NotificationSettings(of: app.appleID, environment.id, on: connection) else {
            throw NotificationError(
                .urlNotFound, app.bundleID.rawValue, "no URL is set for this app's notifications in this environment")
        }
        return settings
    }

    /// Sets where and how an app's notifications are sent, starting with the next event.
    ///
    /// - Throws: ``NotificationError``, ``StoreError`` `.appNotFound`.
    package func configure(_ settings: NotificationSettings, of bundleID: App.BundleID) async throws {
        try settings.check()
        try await database.write { [self] connection in
            let app = try app(bundleID, on: connection).app.appleID
            try settings.store(for: app, environment.id, realTime: clock.wallClockNow, on: connection)
        }
    }

    /// Sets where and how an app's notifications are sent, and keeps its fault injection.
    ///
    /// - Returns: The new settings.
    /// - Throws: ``NotificationError``, ``StoreError`` `.appNotFound`.
    @discardableResult
    package func redirect(
        _ settings: NotificationSettings, of bundleID: App.BundleID
    ) async throws -> NotificationSettings {
        try settings.check()
        return try await database.write { [self] connection in
            let app = try app(bundleID, on: connection).app.appleID
            var settings = settings
            settings.faults = try NotificationSettings(of: app, environment.id, on: connection)?.faults
            try settings.store(for: app, environment.id, realTime: clock.wallClockNow, on: connection)
            return settings
        }
    }

    /// Stops notifications of an app. Pending ones are cancelled; sent ones stay in the history.
    package func disable(for bundleID: App.BundleID) async throws {
        try await database.write { [self] connection in
            let app = try app(bundleID, on: connection).app.appleID
            try NotificationSettings.remove(of: app, environment.id, on: connection)
        }
    }

    /// Requests a test notification.
    ///
    /// - Returns: The notification's UUID.
    /// - Throws: ``NotificationError`` `.urlNotFound`, ``StoreError`` `.appNotFound`.
    package func requestTest(of bundleID: App.BundleID) async throws -> String {
        try await context.write { [self] connection in
            let app = try app(bundleID, on: connection).app
            _ = try settings(of: app, on: connection)
            let entry = JournalEntry(
                .subscription(.tested), at: try clock.now(on: connection), accountID: Account.ID(rawValue: 0))
            let position = try outbox.publish(entry, app: app.appleID, on: connection)
            let made = try NotificationsTable.record(
                at: .init(position: position, part: 0), app: app.appleID, environment.id, on: connection)
            guard let made else {
                throw NotificationError(.urlNotFound, bundleID.rawValue, "the URL was taken away meanwhile")
            }
            return made.uuid
        }
    }

    /// Returns an app's newest notifications, newest first.
    package func newest(of bundleID: App.BundleID, limit: Int) async throws -> [NotificationRecord] {
        try await database.read { [self] connection in
            let app = try app(bundleID, on: connection).app
            return try NotificationsTable.newest(
                limit: min(max(limit, 1), Self.maximumListed), app: app.appleID, environment.id,
                on: connection)
        }
    }

    /// Returns a notification with its payload and the responses to its attempts.
    ///
    /// - Throws: ``NotificationError`` `.notificationNotFound`, ``StoreError`` `.appNotFound`.
    package func notification(_ uuid: String, of bundleID: App.BundleID) async throws -> NotificationSnapshot {
        let (record, entry) = try await database.read { [self] connection in
            let entry = try app(bundleID, on: connection)
            let record = try NotificationResponsesTable.withResponses(
                try notification(uuid, of: entry, on: connection), app: entry.app.appleID, environment.id,
                on: connection)
            return (record, entry)
        }
        return NotificationSnapshot(record: record, signedPayload: try signedPayload(of: record, entry))
    }

    /// Returns notifications of a list with their contents, their payloads and the responses to their attempts.
    package func snapshots(
        of records: [NotificationRecord], in bundleID: App.BundleID
    ) async throws -> [NotificationSnapshot] {
        let (found, entry) = try await database.read { [self] connection in
            let entry = try app(bundleID, on: connection)
            let found = try records.compactMap { record in
                try NotificationsTable.record(at: record.key, app: entry.app.appleID, environment.id, on: connection)
                    .map {
                        try NotificationResponsesTable.withResponses(
                            $0, app: entry.app.appleID, environment.id, on: connection)
                    }
            }
            return (found, entry)
        }
        return try found.map { NotificationSnapshot(record: $0, signedPayload: try signedPayload(of: $0, entry)) }
    }

    /// Returns the signed payload of a notification of version 2; `nil` for version 1.
    func signedPayload(of record: NotificationRecord, _ entry: CatalogCache.Entry) throws -> String? {
        guard record.version == NotificationSettings.Version.two.rawValue else { return nil }
        var text: [UInt8] = []
        _ = try NotificationSigning(signer: signing.jws, app: entry.app, environment: environment)
            .sign(record, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Sends a notification again under the same UUID, whatever its result was.
    ///
    /// - Throws: ``NotificationError`` `.notificationNotFound`, `.urlNotFound`, ``StoreError`` `.appNotFound`.
    package func resend(_ uuid: String, of bundleID: App.BundleID) async throws {
        try await database.write { [self] connection in
            let entry = try app(bundleID, on: connection)
            _ = try settings(of: entry.app, on: connection)
            var record = try notification(uuid, of: entry, on: connection)
            record.nextAttempt = try clock.now(on: connection)
            try NotificationsTable.update(record, app: entry.app.appleID, environment.id, on: connection)
        }
        context.notificationSignal.wake()
    }

    private func notification(
        _ uuid: String, of entry: CatalogCache.Entry, on connection: any Connection
    ) throws -> NotificationRecord {
        let found = try NotificationsTable.record(
            uuid: uuid.lowercased(), app: entry.app.appleID, environment.id, on: connection)
        guard let found else {
            throw NotificationError(.notificationNotFound, uuid, "this app has no notification with that UUID")
        }
        return found
    }
}
