import BaseEncoding
import Crypto
import Foundation
import Perennial
import PerennialStorage

/// A device's session after a sign-in.
package struct DeviceSession: Sendable {
    /// Authenticates this app on this device until the next sign-in. Only its digest is stored.
    package var token: String
    package var account: Account
}

extension Accounts {
    private static let tokenLength = 32
    /// A limit of this store on an app's version.
    package static let maximumVersionLength = 255

    /// Signs an account in to an app on a device. Signing in again replaces the device's token.
    ///
    /// An account without a password is a test account: it signs in by name alone, and never in production.
    ///
    /// A device that says its family reports the download or update of its app with it. A first download that the
    /// account can't pay isn't recorded; the next sign-in tries again.
    ///
    /// - Parameters:
    ///   - deviceFamily: The kind of device; `nil` for clients that don't say it, whose downloads aren't counted.
    ///   - address: The client's address if known. Guesses are limited by it.
    /// - Throws: ``StoreError`` `.unauthorized`, `.appNotFound`, `.malformed`; `PasswordRefusal`.
    package func signIn(
        account name: String, password: String?, deviceID: String, bundleID: App.BundleID, applicationVersion: String?,
        deviceFamily: DeviceFamily? = nil, from address: ClientAddress? = nil
    ) async throws -> DeviceSession {
        guard let device = UUID(uuidString: deviceID)?.uuidString else {
            throw StoreError(.malformed, "deviceId", "a device is named by a UUID")
        }
        try Self.checkAccountName(name)
        if let applicationVersion,
            applicationVersion.utf8.count > Self.maximumVersionLength || applicationVersion.utf8.contains(0)
        {
            throw StoreError(.malformed, "applicationVersion", "at most \(Self.maximumVersionLength) bytes")
        }
        try await authorize(name, password: password, from: address)
        let token = Hexadecimal.encode(randomBytes(Self.tokenLength))
        return try await context.write { [self] connection in
            let entry = try app(bundleID, on: connection)
            let account = try makeAccount(
                name, storefront: entry.app.defaultStorefront, password: nil, on: connection)
            let key = customerKey(of: account.id, in: entry.app)
            try CustomersTable.join(key, at: try clock.now(on: connection), on: connection)
            // A concurrent uninstall of the customer's last other device must see this one.
            _ = try CustomersTable.lock(key, on: connection)
            let record = DevicesTable.Record(
                customer: key, device: device, applicationVersion: applicationVersion ?? entry.app.version,
                isInstalled: true, family: deviceFamily)
            try DevicesTable.signIn(
                record, tokenDigest: Self.digest(token), at: try clock.now(on: connection), on: connection)
            try reportDownload(of: record, account, in: entry.app, on: connection)
            return DeviceSession(token: token, account: account)
        }
    }

    private func reportDownload(
        of record: DevicesTable.Record, _ account: Account, in app: App, on connection: any Connection
    ) throws {
        guard let family = record.family else { return }
        let installation = AppInstallation(
            device: record.device, family: family, version: record.applicationVersion)
        do {
            _ = try downloads.record(installation, of: record.customer, account, in: app, on: connection)
        } catch is PurchaseRefusal {
            // The device has the app all the same, and its customer may use it.
        }
    }

    /// Checks an account's password. An account without one, or a new one, is admitted by its name alone, except in
    /// production.
    ///
    /// In production an unknown account takes as long to refuse as a wrong password.
    private func authorize(_ name: String, password: String?, from address: ClientAddress?) async throws {
        let known = try await database.read { [environment] connection in
            try AccountsTable.named(name, environment.id, on: connection).flatMap {
                try AccountsTable.password(of: $0.id, environment.id, on: connection)
            }
        }
        let isAllowed =
            if known == nil, environment.kind.isForTests {
                true
            } else {
                try await passwords.admits(
                    password ?? "", known: known, account: "\(environment.id.rawValue) \(name)", from: address)
            }
        guard isAllowed else {
            throw StoreError(.unauthorized, "password", "the account is unknown or the password is wrong")
        }
    }

    /// Returns the customer of a device's token.
    ///
    /// - Throws: ``StoreError`` `.unauthorized`.
    package func customer(token: String) async throws -> Customer {
        let digest = Self.digest(token)
        return try await database.read { [self] in try customer(tokenDigest: digest, on: $0) }
    }

    func customer(tokenDigest: [UInt8], on connection: any Connection) throws -> Customer {
        let device = try DevicesTable.device(tokenDigest: tokenDigest, environment.id, on: connection)
        return try signedIn(device, on: connection).customer
    }

    /// Returns the customer who is signed in on a device, with the app.
    ///
    /// - Throws: ``StoreError`` `.unauthorized`, also if there is no such device.
    func signedIn(
        _ device: DevicesTable.Record?, on connection: any Connection
    ) throws -> (customer: Customer, entry: CatalogCache.Entry) {
        guard let device, device.isInstalled,
            let entry = try catalog.entry(number: device.customer.app, on: connection)
        else { throw StoreError(.unauthorized, "token", "sign the device in first") }
        let customer = Customer(
            key: device.customer, bundleID: entry.app.bundleID, device: device.device,
            applicationVersion: device.applicationVersion, deviceFamily: device.family)
        return (customer, entry)
    }

    package func account(of customer: Customer) async throws -> Account {
        try await database.read { [environment] connection in
            guard let account = try AccountsTable.account(customer.key.account, environment.id, on: connection) else {
                throw StoreError(.accountNotFound, "\(customer.key.account.rawValue)", "the account is gone")
            }
            return account
        }
    }

    /// Records that the app was removed from a device. After the last device, the customer's free subscriptions end.
    package func uninstall(_ customer: Customer) async throws {
        try await context.write { [self] connection in
            let revision = try CustomersTable.lock(customer.key, on: connection)
            let now = try clock.now(on: connection)
            try DevicesTable.uninstall(customer.device, of: customer.key, on: connection)
            try AppInstallationsTable.remove(
                from: customer.device, of: customer.key, at: now, on: connection)
            guard try DevicesTable.countInstalled(customer.key, on: connection) == 0 else { return }
            let running = try TransactionsTable.all(of: customer.key, on: connection).filter {
                $0.type == .free && $0.expiresDate == nil && $0.revocation == nil
            }
            guard !running.isEmpty else { return }
            var entries: [JournalEntry] = []
            for var transaction in running {
                transaction.expiresDate = now.wholeSeconds
                try TransactionsTable.update(transaction, revision: revision + 1, customer.key, on: connection)
                entries.append(JournalEntry(.freeSubscriptionEnded, at: now, transaction))
            }
            let last = try JournalTable.append(entries, app: customer.key.app, environment.id, on: connection)
            try outbox.notify(of: entries, last: last, app: customer.key.app, on: connection)
            try CustomersTable.setRevision(revision + 1, customer.key, on: connection)
        }
    }

    static func digest(_ token: String) -> [UInt8] {
        Array(SHA256.hash(data: Data(token.utf8)))
    }
}
