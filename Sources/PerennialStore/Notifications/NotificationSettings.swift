import Perennial
import PerennialStorage

/// Where an app wants its server notifications, and how.
package struct NotificationSettings: Sendable, Equatable {
    package enum Version: Int64, Sendable, CaseIterable {
        case one = 1
        case two = 2
    }

    /// How often a notification that did not arrive is sent again.
    package enum Retries: String, Sendable, CaseIterable {
        /// As the App Store does: five times in Production, never in Sandbox.
        case appStore = "app-store"
        /// As the App Store does in Production, whatever the environment.
        case full
        case none
    }

    /// A limit of ours on URLs.
    package static let maximumURLLength = 2048
    /// The App Store says nowhere how long it waits; those who measured it saw less than 30 seconds.
    package static let defaultTimeout: Int64 = .seconds(10)
    package static let timeouts: ClosedRange<Int64> = 1 ... .minutes(5)

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
        let scheme = ["http://", "https://"].first { url.lowercased().hasPrefix($0) }
        guard let scheme, url.utf8.count <= Self.maximumURLLength,
            url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), url.utf8.count > scheme.utf8.count
        else {
            throw NotificationError(
                .malformedURL, url,
                "a URL begins with http:// or https:// and has at most \(Self.maximumURLLength) bytes")
        }
        guard Self.timeouts.contains(timeout) else {
            throw NotificationError(
                .malformedTimeout, "\(timeout)", "a time-out is 1 to \(Self.timeouts.upperBound) ms")
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
