import Perennial
import PerennialStorage

/// Accounts of the environment, their devices and sessions.
package struct Accounts: StoreChapter {
    let context: StoreContext
    let downloads: Downloads
    let outbox: NotificationOutbox
    let passwords: PasswordGate
    let randomBytes: @Sendable (Int) -> [UInt8]

    /// A limit of this store on an account's name, in bytes.
    package static let maximumAccountNameLength = Account.maximumNameLength

    /// Creates an account, or changes the storefront, payment method or switches of an existing one.
    ///
    /// - Parameters:
    ///   - storefront: The United States for a new account if absent; an existing account keeps its own.
    ///   - password: For a new account; an existing one keeps its own.
    ///   - interruptsPurchases: True if purchases fail until the customer has acted.
    ///   - renewalRate: The sandbox tester's renewal rate; `.some(nil)` for the environment's.
    ///   - asksToBuy: True if purchases on the sandbox tester's devices wait for approval.
    /// - Throws: ``StoreError`` `.malformed`, `.storefrontUnknown`; `PasswordRefusal`.
    package func put(
        _ name: String, storefront: Storefront?, paymentMethod: Account.PaymentMethod?, canMakePayments: Bool?,
        password: String?, interruptsPurchases: Bool? = nil, renewalRate: TimeRate?? = nil, asksToBuy: Bool? = nil
    ) async throws -> Account {
        try Self.checkAccountName(name)
        if let storefront, storefront.currency == nil {
            throw StoreError(.storefrontUnknown, storefront.rawValue, "a storefront is a three-letter code such as USA")
        }
        if environment.kind == .production, case .some(.some) = renewalRate {
            throw StoreError(.malformed, "renewalRate", "sandbox testers choose their pace; time in Production is real")
        }
        if environment.kind == .production, asksToBuy == true {
            throw StoreError(.malformed, "asksToBuy", "sandbox testers ask to buy; Production has no testers")
        }
        var hash: PasswordHash?
        do {
            if let password {
                hash = try await passwords.hash(password, salt: randomBytes(PasswordHash.saltSize))
            }
        } catch let error as PasswordError {
            throw StoreError(.malformed, "password", error.description)
        }
        return try await context.write { [self, hash] connection in
            var account = try makeAccount(name, storefront: storefront ?? .usa, password: hash, on: connection)
            account.storefront = storefront ?? account.storefront
            account.paymentMethod = paymentMethod ?? account.paymentMethod
            account.canMakePayments = canMakePayments ?? account.canMakePayments
            account.interruptsPurchases = interruptsPurchases ?? account.interruptsPurchases
            account.renewalRate = renewalRate ?? account.renewalRate
            account.asksToBuy = asksToBuy ?? account.asksToBuy
            try AccountsTable.update(account, environment.id, on: connection)
            return account
        }
    }

    /// Returns an account by its name.
    ///
    /// - Throws: ``StoreError`` `.accountNotFound`.
    package func account(named name: String) async throws -> Account {
        let found = try await database.read { [environment] connection in
            try AccountsTable.named(name, environment.id, on: connection)
        }
        guard let found else { throw StoreError(.accountNotFound, name, "there is no account of that name") }
        return found
    }

    /// Returns true if an account of a name uses one of some apps.
    ///
    /// - Parameter apps: The apps' numbers.
    package func isUser(_ name: String, ofAnyOf apps: [Int64]) async throws -> Bool {
        try await database.read { [environment] in try TestersTable.isUser(name, of: apps, environment.id, on: $0) }
    }

    /// Returns the account of a name. Creates one with a valid payment method if there is none.
    func makeAccount(
        _ name: String, storefront: Storefront, password: PasswordHash?, on connection: any Connection
    ) throws -> Account {
        try Self.checkAccountName(name)
        if let account = try AccountsTable.named(name, environment.id, on: connection) { return account }
        let account = Account(
            id: Account.ID(rawValue: try ids.next()), name: name, storefront: storefront,
            created: try clock.now(on: connection))
        try AccountsTable.insert(account, password: password, environment.id, on: connection)
        // Another node may have created it in the meantime.
        return try AccountsTable.named(name, environment.id, on: connection) ?? account
    }

    static func checkAccountName(_ name: String) throws {
        guard (1...maximumAccountNameLength).contains(name.utf8.count), !name.utf8.contains(0) else {
            throw StoreError(
                .malformed, "account", "a name of 1 to \(maximumAccountNameLength) bytes, such as an e-mail address")
        }
    }

    /// Returns an account as the customer of an app, for callers who may act for any account: tests and operators. Creates
    /// the account in the app's default storefront if there is none.
    package func customer(account name: String, bundleID: App.BundleID) async throws -> Customer {
        try await context.write { [self] connection in
            let entry = try app(bundleID, on: connection)
            let account = try makeAccount(
                name, storefront: entry.app.defaultStorefront, password: nil, on: connection)
            let key = customerKey(of: account.id, in: entry.app)
            try CustomersTable.join(key, at: try clock.now(on: connection), on: connection)
            return Customer(key: key, bundleID: bundleID, device: "", applicationVersion: entry.app.version)
        }
    }
}
