import Perennial
import PerennialStorage

/// Where an app wants its server notifications, and how.
package struct NotificationSettings: Sendable, Equatable {
    package typealias Version = NotificationTerms.Version
    package typealias Retries = NotificationTerms.Retries

    /// The App Store says nowhere how long it waits; those who measured it saw less than 30 seconds.
    package static let defaultTimeout: Int64 = .seconds(10)

    package var url: String
    package var version: Version
    package var retries: Retries
    /// For one attempt, in milliseconds.
    package var timeout: Int64
    /// What goes wrong on purpose.
    package var trouble: NotificationTrouble?

    package init(
        url: String, version: Version = .two, retries: Retries = .appStore, timeout: Int64 = defaultTimeout,
        trouble: NotificationTrouble? = nil
    ) {
        self.url = url
        self.version = version
        self.retries = retries
        self.timeout = timeout
        self.trouble = trouble
    }

    /// How long after each attempt that failed the next one follows, in milliseconds.
    ///
    /// Apple's documentation: "Responding to App Store Server Notifications".
    package func ladder(_ kind: StoreEnvironment.Kind) -> [Int64] {
        switch (retries, kind) {
        case (.none, _), (.appStore, .sandbox): []
        case (.appStore, .production), (.full, _):
            version == .two
                ? [.hours(1), .hours(12), .hours(24), .hours(48), .hours(72)] : [.hours(6), .hours(24), .hours(48)]
        }
    }

    /// - Throws: ``NotificationError`` `.malformedURL`, `.malformedTimeout`, `.malformedTrouble`.
    func check() throws {
        guard NotificationTerms.isURL(url) else {
            throw NotificationError(.malformedURL, url, "expected \(NotificationTerms.urlRule)")
        }
        guard NotificationTerms.timeouts.contains(timeout) else {
            throw NotificationError(
                .malformedTimeout, "\(timeout)", "a time-out is 1 to \(NotificationTerms.timeouts.upperBound) ms")
        }
        try trouble?.check()
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
            trouble: try record.trouble.map(NotificationTrouble.init(json:)))
    }

    var record: NotificationSettingsTable.Record {
        get throws {
            NotificationSettingsTable.Record(
                url: url, version: version.rawValue, retries: retries.rawValue, timeoutMilliseconds: timeout,
                trouble: try trouble?.json)
        }
    }
}
