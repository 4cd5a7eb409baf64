import AppStoreFormats
import AsyncHTTPClient
import Logging
import Perennial
import PerennialConnect
import PerennialHTTP
import PerennialStore
import ServiceLifecycle

/// Sends notifications until the server stops; the next server sends the rest.
struct NotificationService: Service {
    /// The interval between two checks for due attempts. New notifications are sent at once.
    private static let interval = Duration.seconds(1)

    let registry: StoreRegistry
    let logger: Logger

    func run() async throws {
        let clock = NotificationScheduler(
            registry: registry, pause: { try await Task.sleep(for: Self.interval) }, logger: logger)
        await cancelWhenGracefulShutdown { await clock.run() }
    }
}

/// `--notifications`: the receiver of an app's notifications in Production and Sandbox.
struct NotificationTarget: Sendable, Equatable {
    var bundleID: String?
    var url: String

    /// Reads `URL`, for all apps, or `BUNDLE_ID=URL`.
    init?(_ text: String) {
        if text.hasPrefix("http://") || text.hasPrefix("https://") {
            (bundleID, url) = (nil, text)
        } else {
            let parts = text.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[1].hasPrefix("http://") || parts[1].hasPrefix("https://") else { return nil }
            (bundleID, url) = (String(parts[0]), String(parts[1]))
        }
    }
}

extension CompositionRoot {
    /// Sets the receivers that an import has changed. Other receivers stay.
    ///
    /// - Throws: `NotificationError`, `StoreError`.
    func send(_ receivers: [App.BundleID: CatalogFile.Notifications]) async throws {
        try await registry.redirect(receivers)
    }

    /// Sets the receivers of the named apps. Other receivers stay.
    ///
    /// - Throws: `NotificationError`, `StoreError`.
    func send(to targets: [NotificationTarget]) async throws {
        for target in targets {
            let all = try await apps.all().map(\.bundleID)
            for bundleID in target.bundleID.map({ [App.BundleID(rawValue: $0)] }) ?? all {
                for environment in [StoreEnvironment.production, .sandbox] {
                    let store = try await registry.store(named: environment.name)
                    try await store?.notifications.redirect(NotificationSettings(url: target.url), of: bundleID)
                }
            }
        }
    }
}
