import Perennial
import PerennialStorage

extension Renewals {
    /// Returns the environment's settings for renewal rate and billing.
    ///
    /// - Parameter bundleID: The app: the environment's settings for it, then for all apps, then the catalog's. `nil` for
    ///   the environment's settings for all apps.
    /// - Throws: ``StoreError`` `.appNotFound`.
    package func billingSettings(for bundleID: App.BundleID?) async throws -> BillingSettings {
        try await database.read { [self] connection in try billingSettings(for: bundleID, on: connection) }
    }

    /// Replaces the environment's settings for an app, or for all. Periods that are paid keep their ends; the next ones
    /// follow the new settings.
    ///
    /// - Returns: The effective settings.
    /// - Throws: ``StoreError`` `.malformed`, `.appNotFound`.
    package func setBillingSettings(
        _ billing: BillingSettings, for bundleID: App.BundleID?
    ) async throws -> BillingSettings {
        if let problem = billing.problem { throw StoreError(.malformed, problem.field, problem.reason) }
        try await database.write { [self] connection in
            let app = try bundleID.map { try self.app($0, on: connection).app.appleID }
            try catalog.changeSettings(app: app ?? EnvironmentSettingsTable.allApps, on: connection) {
                $0.billing = billing
            }
        }
        // Read after the commit, because the catalog's cache must not hold uncommitted settings.
        return try await billingSettings(for: bundleID)
    }

    private func billingSettings(
        for bundleID: App.BundleID?, on connection: any Connection
    ) throws -> BillingSettings {
        if let bundleID { return try app(bundleID, on: connection).billing }
        let settings = try EnvironmentSettingsTable.settings(
            app: EnvironmentSettingsTable.allApps, environment.id, on: connection)
        return settings.billing ?? BillingSettings()
    }
}
