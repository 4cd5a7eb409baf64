import AppStoreFormats
import Perennial
import PerennialStorage

/// A notification with what became of it, for whoever runs the store.
package struct NotificationStanding: Sendable {
    package var record: NotificationRecord
    /// As it is posted; `nil` for version 1, which is not signed.
    package var signedPayload: String?
}

extension Store {
    /// How many notifications one listing shows at most.
    package static let maximumListedNotifications = 1000

    /// Where an app's notifications go.
    ///
    /// - Throws: ``NotificationError`` `.urlNotFound`, ``StoreError`` `.appNotFound`.
    package func notificationSettings(of bundleID: App.BundleID) async throws -> NotificationSettings {
        try await database.read { [self] connection in
            try notificationSettings(of: try app(bundleID, on: connection).app, on: connection)
        }
    }

    private func notificationSettings(of app: App, on connection: any Connection) throws -> NotificationSettings {
        let record = try NotificationSettingsTable.record(app: app.appleID, environment.id, on: connection)
        guard let record else {
            throw NotificationError(
                .urlNotFound, app.bundleID.rawValue, "no URL is set for this app's notifications in this environment")
        }
        return try NotificationSettings(record)
    }

    /// Has an app's notifications sent to a URL, from what happens next on.
    ///
    /// - Throws: ``NotificationError``, ``StoreError`` `.appNotFound`.
    package func setNotifications(_ settings: NotificationSettings, of bundleID: App.BundleID) async throws {
        try settings.check()
        try await database.write { [self] connection in
            try put(settings, of: try app(bundleID, on: connection).app, on: connection)
        }
    }

    /// As ``setNotifications(_:of:)``, but what goes wrong on purpose stays as it was.
    ///
    /// - Returns: The settings as they are now.
    /// - Throws: ``NotificationError``, ``StoreError`` `.appNotFound`.
    @discardableResult
    package func redirectNotifications(
        _ settings: NotificationSettings, of bundleID: App.BundleID
    ) async throws -> NotificationSettings {
        try settings.check()
        return try await database.write { [self] connection in
            let app = try app(bundleID, on: connection).app
            let before = try NotificationSettingsTable.record(app: app.appleID, environment.id, on: connection)
            var settings = settings
            settings.trouble = try before.map(NotificationSettings.init)?.trouble
            try put(settings, of: app, on: connection)
            return settings
        }
    }

    private func put(_ settings: NotificationSettings, of app: App, on connection: any Connection) throws {
        if try NotificationSettingsTable.record(app: app.appleID, environment.id, on: connection) == nil {
            // An event whose transaction overlapped with the removal of the settings may have been told all the same.
            try NotificationsTable.giveUp(app: app.appleID, environment.id, on: connection)
        }
        if settings.trouble == nil {
            try NotificationsTable.hasten(
                to: try clock.now(on: connection), app: app.appleID, environment.id, on: connection)
        }
        try NotificationSettingsTable.put(try settings.record, app: app.appleID, environment.id, on: connection)
        try AppsTable.touch(app.appleID, on: connection)
    }

    /// Has no more notifications sent; what waits is given up, and what was sent stays in the history.
    package func removeNotifications(of bundleID: App.BundleID) async throws {
        try await database.write { [self] connection in
            let app = try app(bundleID, on: connection).app
            guard try NotificationSettingsTable.remove(app: app.appleID, environment.id, on: connection) else { return }
            try NotificationsTable.giveUp(app: app.appleID, environment.id, on: connection)
            try AppsTable.touch(app.appleID, on: connection)
        }
    }

    /// Asks for a notification that shows whether the receiver is there.
    ///
    /// - Returns: The notification's UUID.
    /// - Throws: ``NotificationError`` `.urlNotFound`, ``StoreError`` `.appNotFound`.
    package func requestTestNotification(of bundleID: App.BundleID) async throws -> String {
        try await write { [self] connection in
            let app = try app(bundleID, on: connection).app
            _ = try notificationSettings(of: app, on: connection)
            let entry = JournalEntry(
                .subscription(.tested), at: try clock.now(on: connection), accountID: Account.ID(rawValue: 0))
            let position = try announce(entry, app: app.appleID, on: connection)
            let made = try NotificationsTable.record(
                at: .init(position: position, part: 0), app: app.appleID, environment.id, on: connection)
            guard let made else {
                throw NotificationError(.urlNotFound, bundleID.rawValue, "the URL was taken away meanwhile")
            }
            return made.uuid
        }
    }

    /// The newest notifications of an app, newest first.
    package func notifications(of bundleID: App.BundleID, limit: Int) async throws -> [NotificationRecord] {
        try await database.read { [self] connection in
            let app = try app(bundleID, on: connection).app
            return try NotificationsTable.newest(
                limit: min(max(limit, 1), Self.maximumListedNotifications), app: app.appleID, environment.id,
                on: connection)
        }
    }

    /// One notification with what is posted.
    ///
    /// - Throws: ``NotificationError`` `.notificationNotFound`, ``StoreError`` `.appNotFound`.
    package func notification(_ uuid: String, of bundleID: App.BundleID) async throws -> NotificationStanding {
        let (record, entry) = try await database.read { [self] connection in
            let entry = try app(bundleID, on: connection)
            return (try notification(uuid, of: entry, on: connection), entry)
        }
        return NotificationStanding(record: record, signedPayload: try signedPayload(of: record, entry))
    }

    /// What is posted for a notification of version 2.
    func signedPayload(of record: NotificationRecord, _ entry: CatalogCache.Entry) throws -> String? {
        guard record.version == NotificationSettings.Version.two.rawValue else { return nil }
        var text: [UInt8] = []
        _ = try NotificationSigning(signer: signing.jws, app: entry.app, environment: environment)
            .sign(record, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Sends a notification once more, under the same UUID, whatever became of it.
    ///
    /// - Throws: ``NotificationError`` `.notificationNotFound`, `.urlNotFound`, ``StoreError`` `.appNotFound`.
    package func resendNotification(_ uuid: String, of bundleID: App.BundleID) async throws {
        try await database.write { [self] connection in
            let entry = try app(bundleID, on: connection)
            _ = try notificationSettings(of: entry.app, on: connection)
            var record = try notification(uuid, of: entry, on: connection)
            record.nextAttempt = try clock.now(on: connection)
            try NotificationsTable.update(record, app: entry.app.appleID, environment.id, on: connection)
        }
        notificationSignal.look()
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
