import Perennial
import PerennialStorage

extension Store {
    /// How subscription time and billing run in this environment.
    ///
    /// - Parameter bundleID: For this app: what the environment says of it, then what it says of all, then the catalog.
    ///   `nil` for what the environment says of all apps.
    /// - Throws: ``StoreError`` `.appNotFound`.
    package func billingSettings(for bundleID: App.BundleID?) async throws -> BillingSettings {
        try await database.read { [self] connection in try billingSettings(for: bundleID, on: connection) }
    }

    /// Replaces what the environment says of an app, or of all. Periods that are sold keep their ends; the next ones follow.
    ///
    /// - Returns: What is in force then.
    /// - Throws: ``StoreError`` `.malformed`, `.appNotFound`.
    package func setBillingSettings(
        _ billing: BillingSettings, for bundleID: App.BundleID?
    ) async throws -> BillingSettings {
        if let problem = billing.problem { throw StoreError(.malformed, problem.field, problem.reason) }
        try await database.write { [self] connection in
            let app = try bundleID.map { try self.app($0, on: connection).app.appleID }
            try changeSettings(app: app ?? EnvironmentSettingsTable.allApps, on: connection) { $0.billing = billing }
        }
        // Read when it is committed: what is kept of a catalog must be what the database has.
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

    /// Changes the environment's settings for an app, one node after the other, and lets everybody read the catalog anew.
    func changeSettings<Value>(
        app: Int64, on connection: any Connection, _ change: (inout EnvironmentSettings) throws -> Value
    ) throws -> Value {
        try EnvironmentsTable.lock(environment.id, on: connection)
        var settings = try EnvironmentSettingsTable.settings(app: app, environment.id, on: connection)
        let value = try change(&settings)
        try EnvironmentSettingsTable.put(settings, app: app, environment.id, on: connection)
        try AppsTable.touch(app == EnvironmentSettingsTable.allApps ? nil : app, on: connection)
        return value
    }
}
