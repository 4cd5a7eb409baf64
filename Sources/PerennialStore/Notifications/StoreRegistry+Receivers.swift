import AppStoreFormats
import Perennial
import PerennialStorage

extension StoreRegistry {
    /// Sets the receivers of apps' notifications that a catalog names. Other receivers stay.
    ///
    /// - Throws: ``NotificationError``, ``StoreError``.
    package func redirect(_ receivers: [App.BundleID: CatalogFile.Notifications]) async throws {
        for (bundleID, said) in receivers {
            for (environment, receiver) in [(StoreEnvironment.production, said.production), (.sandbox, said.sandbox)] {
                guard let receiver else { continue }
                let store = try await store(named: environment.name)
                try await store?.notifications.redirect(NotificationSettings(receiver), of: bundleID)
            }
        }
    }
}

extension NotificationSettings {
    /// Creates the settings of a receiver in a catalog.
    fileprivate init(_ said: CatalogFile.Notifications.Receiver) {
        self.init(
            url: said.url, version: said.version.flatMap(Version.init) ?? .two,
            retries: said.retries.flatMap(Retries.init) ?? .appStore,
            timeout: said.timeoutMilliseconds ?? Self.defaultTimeout)
    }
}
