import Perennial
import PerennialStorage

/// An app's settings for server notifications.
package struct NotificationSettings: Sendable, Equatable {
    package typealias Version = NotificationTerms.Version
    package typealias Retries = NotificationTerms.Retries

    /// The time-out of an attempt. The App Store documents none; measurements found less than 30 seconds.
    package static let defaultTimeout: Int64 = .seconds(10)

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
        case (.none, _), (.appStore, .sandbox): []
        case (.appStore, .production), (.full, _):
            version == .two
                ? [.hours(1), .hours(12), .hours(24), .hours(48), .hours(72)] : [.hours(6), .hours(24), .hours(48)]
        }
    }

    /// Checks URL, time-out and faults.
    ///
    /// - Throws: ``NotificationError`` `.malformedURL`, `.malformedTimeout`, `.malformedTrouble`.
    func check() throws {
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
            faults: try record.trouble.map(FaultInjection.init(json:)))
    }

    var record: NotificationSettingsTable.Record {
        get throws {
            NotificationSettingsTable.Record(
                url: url, version: version.rawValue, retries: retries.rawValue, timeoutMilliseconds: timeout,
                trouble: try faults?.json)
        }
    }
}

/// The reason that an operation on server notifications failed.
package struct NotificationError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// The app has no notification URL.
        case urlNotFound
        /// There is no such test, or its result isn't known yet.
        case testNotFound
        case notificationNotFound
        case malformedURL
        case malformedTimeout
        case malformedTrouble
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
