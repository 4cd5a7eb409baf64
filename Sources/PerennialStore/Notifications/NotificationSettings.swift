import Perennial
import PerennialStorage

/// An app's settings for server notifications.
package struct NotificationSettings: Sendable, Equatable {
    package typealias Version = NotificationTerms.Version
    package typealias Retries = NotificationTerms.Retries

    package static let defaultTimeout = NotificationTerms.defaultTimeout

    package var url: String
    package var version: Version
    package var retries: Retries
    /// The time-out of one attempt, in milliseconds.
    package var timeout: Int64
    /// Deliberate faults.
    package var faults: FaultInjection?

    package init(
        url: String, version: Version = .two, retries: Retries = .appStore, timeout: Int64 = defaultTimeout,
        faults: FaultInjection? = nil
    ) {
        self.url = url
        self.version = version
        self.retries = retries
        self.timeout = timeout
        self.faults = faults
    }

    /// Returns the delays between attempts, in milliseconds.
    ///
    /// Source: Apple's "Responding to App Store Server Notifications".
    package func retrySchedule(_ kind: StoreEnvironment.Kind) -> [Int64] {
        switch (retries, kind) {
        case (.none, _), (.appStore, .sandbox), (.appStore, .xcode): []
        case (.appStore, .production), (.full, _):
            version == .two
                ? [.hours(1), .hours(12), .hours(24), .hours(48), .hours(72)] : [.hours(6), .hours(24), .hours(48)]
        }
    }

    /// Checks URL, time-out and faults.
    ///
    /// - Throws: ``NotificationError`` `.malformedURL`, `.malformedTimeout`, `.malformedFaults`.
    package func check() throws {
        guard NotificationTerms.isURL(url) else {
            throw NotificationError(.malformedURL, url, "expected \(NotificationTerms.urlRule)")
        }
        guard NotificationTerms.timeouts.contains(timeout) else {
            throw NotificationError(
                .malformedTimeout, "\(timeout)", "a time-out is 1 to \(NotificationTerms.timeouts.upperBound) ms")
        }
        try faults?.check()
    }
}

extension NotificationSettings {
    init(_ record: NotificationSettingsTable.Record) throws {
        guard let version = Version(rawValue: record.version), let retries = Retries(rawValue: record.retries) else {
            throw StorageError(
                .corrupt, "notification_settings", "\(record.version) or \(record.retries) is none we know")
        }
        self.init(
            url: record.url, version: version, retries: retries, timeout: record.timeoutMilliseconds,
            faults: try record.faults.map(FaultInjection.init(json:)))
    }

    var record: NotificationSettingsTable.Record {
        get throws {
            NotificationSettingsTable.Record(
                url: url, version: version.rawValue, retries: retries.rawValue, timeoutMilliseconds: timeout,
                faults: try faults?.json)
        }
    }
}

extension NotificationSettings {
    /// Reads the settings of an app in an environment; `nil` if the app receives no notifications there.
    package init?(of app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection) throws {
        let record = try NotificationSettingsTable.record(app: app, environment, on: connection)
        guard let record else { return nil }
        try self.init(record)
    }

    /// Stores the settings, which apply from the next event on.
    ///
    /// - Parameter realTime: The present, for an environment on real time.
    package func store(
        for app: Int64, _ environment: StoreEnvironment.ID, realTime: Instant, on connection: any Connection
    ) throws {
        // Before the notifications, as in an edit of the catalog that changes the settings.
        _ = try CatalogHeadTable.lock(on: connection)
        if try NotificationSettingsTable.record(app: app, environment, on: connection) == nil {
            // A transaction that overlapped with the removal of the settings may have added notifications.
            try NotificationsTable.cancelPending(app: app, environment, on: connection)
        }
        if faults == nil {
            let now = try EnvironmentsTable.manualNow(environment, on: connection) ?? realTime
            try NotificationsTable.reschedule(to: now, app: app, environment, on: connection)
        }
        try NotificationSettingsTable.put(try record, app: app, environment, on: connection)
        try AppsTable.touch(app, on: connection)
    }

    /// Removes the settings. Pending notifications are cancelled; sent ones stay in the history.
    package static func remove(
        of app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        _ = try CatalogHeadTable.lock(on: connection)
        guard try NotificationSettingsTable.remove(app: app, environment, on: connection) else { return }
        try NotificationsTable.cancelPending(app: app, environment, on: connection)
        try AppsTable.touch(app, on: connection)
    }
}

/// The reason that an operation on server notifications failed.
package struct NotificationError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// The app has no notification URL.
        case urlNotFound
        /// The test is unknown, or its result isn't known yet.
        case testNotFound
        case notificationNotFound
        case malformedURL
        case malformedTimeout
        case malformedFaults
        case malformedPage
    }

    package let code: Code
    /// An app, a URL or a UUID.
    package let subject: String
    package let reason: String

    package init(_ code: Code, _ subject: String, _ reason: String) {
        self.code = code
        self.subject = subject
        self.reason = reason
    }

    package var description: String { "\(code.rawValue): \(subject): \(reason)" }
    package static func == (one: Self, other: Self) -> Bool { one.code == other.code }
}
