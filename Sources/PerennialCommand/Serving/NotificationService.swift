import AppStoreFormats
import AsyncHTTPClient
import Logging
import Perennial
import PerennialConnect
import PerennialHTTP
import PerennialStore
import ServiceLifecycle

/// Notifications go out as a service: it stops when the server does, and what was not sent is sent by the next.
struct NotificationService: Service {
    /// How soon an attempt that fell due is made. What happens in the store is told at once.
    private static let interval = Duration.seconds(1)

    let registry: StoreRegistry
    let logger: Logger

    func run() async throws {
        let clock = NotificationClock(
            registry: registry, pause: { try await Task.sleep(for: Self.interval) }, logger: logger)
        await cancelWhenGracefulShutdown { await clock.run() }
    }
}

/// `--notifications`: where an app's notifications go, in Production and Sandbox, from the start.
struct NotificationTarget: Sendable, Equatable {
    var bundleID: String?
    var url: String

    /// Reads `URL`, which is meant for all apps, or `BUNDLE_ID=URL`.
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

extension Wiring {
    /// Sends the notifications of the catalog's apps where it says. What was set before, and is not named, stays.
    ///
    /// - Throws: `NotificationError`, `StoreError`.
    func send(as catalog: Catalog) async throws {
        for (bundleID, said) in catalog.notifications {
            for (environment, receiver) in [(StoreEnvironment.production, said.production), (.sandbox, said.sandbox)] {
                guard let receiver else { continue }
                let store = try await registry.store(named: environment.name)
                try await store?.redirectNotifications(NotificationSettings(receiver), of: bundleID)
            }
        }
    }

    /// Sends the notifications of the apps that are named to their URLs. What was set before, and is not named, stays.
    ///
    /// - Throws: `NotificationError`, `StoreError`: what is wrong with the target.
    func send(to targets: [NotificationTarget]) async throws {
        for target in targets {
            let all = try await apps.all().map(\.bundleID)
            for bundleID in target.bundleID.map({ [App.BundleID(rawValue: $0)] }) ?? all {
                for environment in [StoreEnvironment.production, .sandbox] {
                    let store = try await registry.store(named: environment.name)
                    try await store?.redirectNotifications(NotificationSettings(url: target.url), of: bundleID)
                }
            }
        }
    }
}

extension NotificationSettings {
    /// As the control API would have it set.
    init(_ said: CatalogFile.Notifications.Receiver) {
        self.init(
            url: said.url, version: said.version.flatMap(Version.init) ?? .two,
            retries: said.retries.flatMap(Retries.init) ?? .appStore,
            timeout: said.timeoutMilliseconds ?? Self.defaultTimeout)
    }
}
