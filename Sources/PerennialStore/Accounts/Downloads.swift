import Foundation
import Perennial
import PerennialStorage

/// Downloads and updates of apps, as devices and operators report them.
package struct Downloads: StoreChapter {
    let context: StoreContext

    /// Records that an app is on a customer's device. The same version on the same device again changes nothing.
    ///
    /// - Parameters:
    ///   - deviceID: The device's UUID.
    ///   - family: The kind of device; if `nil`, what the device said before, otherwise an iPhone.
    ///   - version: The app's version; that of the catalog if `nil`.
    /// - Returns: The download or update; `nil` if nothing has changed.
    /// - Throws: `PurchaseRefusal` for a paid app that the account can't pay; ``StoreError`` `.malformed`,
    ///   `.appNotFound`, `.accountNotFound`.
    package func record(
        deviceID: String, family: DeviceFamily?, version: String?, of customer: Customer
    ) async throws -> AppDownload? {
        guard let device = UUID(uuidString: deviceID)?.uuidString else {
            throw StoreError(.malformed, "device", "a device is named by a UUID")
        }
        if let version, !Self.isWellFormed(version: version) {
            throw StoreError(.malformed, "version", "1 to \(Accounts.maximumVersionLength) bytes")
        }
        return try await context.write { [self] connection in
            let app = try app(customer.bundleID, on: connection).app
            guard let locked = try CustomersTable.lockWithAccount(customer.key, on: connection) else {
                throw StoreError(.accountNotFound, "\(customer.key.account.rawValue)", "the account is gone")
            }
            let known = try AppInstallationsTable.all(of: customer.key, on: connection).first {
                $0.installation.device == device
            }
            let installation = AppInstallation(
                device: device, family: family ?? known?.installation.family ?? .iPhone,
                version: version ?? app.version)
            return try record(installation, of: customer.key, locked.account, in: app, on: connection)
        }
    }

    /// Records an installation within a transaction that has locked the customer. Nodes that report the same one at the
    /// same time record it once.
    func record(
        _ installation: AppInstallation, of customer: CustomerKey, _ account: Account, in app: App,
        on connection: any Connection
    ) throws -> AppDownload? {
        let now = try clock.now(on: connection)
        let known = try AppInstallationsTable.all(of: customer, on: connection).map(\.installation)
        let download = try AppDownload.decide(
            installation, known: known.first { $0.device == installation.device }, hasDownloaded: !known.isEmpty,
            of: app.priced(at: now), by: account)
        guard let download else { return nil }
        try AppInstallationsTable.put(
            AppInstallationsTable.Record(customer: customer, installation: installation, changed: now), on: connection)
        // The seller isn't notified of downloads, as in the App Store.
        try JournalTable.append(
            [download.entry(at: now, by: account.id, in: app)], app: customer.app, environment.id, on: connection)
        return download
    }

    /// Returns the installations of an app, or of one customer, with the time of their last change.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`, `.accountNotFound`.
    package func list(
        of bundleID: App.BundleID, account name: String?, limit: Int
    ) async throws -> [Listed<AppInstallationsTable.Record>] {
        try await database.read { [self] connection in
            let app = try app(bundleID, on: connection).app
            guard let name else {
                let records = try AppInstallationsTable.list(
                    limit: limit, app: app.appleID, environment.id, on: connection)
                return try named(records, \.customer.account, on: connection)
            }
            let key = customerKey(of: try accountID(named: name, on: connection), in: app)
            return try AppInstallationsTable.all(of: key, on: connection).prefix(limit).map {
                Listed(value: $0, account: name)
            }
        }
    }

    private static func isWellFormed(version: String) -> Bool {
        (1...Accounts.maximumVersionLength).contains(version.utf8.count) && !version.utf8.contains(0)
    }
}
