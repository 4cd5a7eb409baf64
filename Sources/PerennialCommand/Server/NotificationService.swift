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
    /// Sets the receivers that the catalog names. Other receivers stay.
    ///
    /// - Throws: `NotificationError`, `StoreError`.
    func send(as catalog: Catalog) async throws {
        for (bundleID, said) in catalog.notifications {
            for (environment, receiver) in [(StoreEnvironment.production, said.production), (.sandbox, said.sandbox)] {
                guard let receiver else { continue }
                let store = try await registry.store(named: environment.name)
                try await store?.notifications.redirect(NotificationSettings(receiver), of: bundleID)
            }
        }
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

extension NotificationSettings {
    /// Makes the settings of a receiver in the catalog.
    init(_ said: CatalogFile.Notifications.Receiver) {
        self.init(
            url: said.url, version: said.version.flatMap(Version.init) ?? .two,
            retries: said.retries.flatMap(Retries.init) ?? .appStore,
            timeout: said.timeoutMilliseconds ?? Self.defaultTimeout)
    }
}
