import Perennial
import PerennialStorage

extension Store {
    /// A limit of ours on what an account is called.
    package static let maximumAccountNameLength = 254

    /// Makes an account, or gives an existing one another storefront or payment method.
    ///
    /// - Parameters:
    ///   - storefront: The United States for a new account that doesn't say it; an existing one keeps its own.
    ///   - password: For a new account; an existing one keeps what it has.
    ///   - interruptsPurchases: Whether purchases fail until the customer has acted.
    ///   - renewalRate: The pace a sandbox tester chooses; `.some(nil)` for the environment's.
    /// - Throws: ``StoreError`` `.malformed`, `.storefrontUnknown`; `PasswordRefusal`.
    package func putAccount(
        _ name: String, storefront: Storefront?, paymentMethod: Account.PaymentMethod?, canMakePayments: Bool?,
        password: String?, interruptsPurchases: Bool? = nil, renewalRate: TimeRate?? = nil
    ) async throws -> Account {
        try Self.checkAccountName(name)
        if let storefront, storefront.currency == nil {
            throw StoreError(.storefrontUnknown, storefront.rawValue, "a storefront is a three-letter code such as USA")
        }
        if environment.kind == .production, case .some(.some) = renewalRate {
            throw StoreError(.malformed, "renewalRate", "sandbox testers choose their pace; time in Production is real")
        }
        var hash: PasswordHash?
        do {
            if let password {
                hash = try await passwords.hash(password, salt: randomBytes(PasswordHash.saltSize))
            }
        } catch let error as PasswordError {
            throw StoreError(.malformed, "password", error.description)
        }
        return try await write { [self, hash] connection in
            var account = try makeAccount(name, storefront: storefront ?? .usa, password: hash, on: connection)
            account.storefront = storefront ?? account.storefront
            account.paymentMethod = paymentMethod ?? account.paymentMethod
            account.canMakePayments = canMakePayments ?? account.canMakePayments
            account.interruptsPurchases = interruptsPurchases ?? account.interruptsPurchases
            account.renewalRate = renewalRate ?? account.renewalRate
            try AccountsTable.update(account, environment.id, on: connection)
            return account
        }
    }

    /// - Throws: ``StoreError`` `.accountNotFound`.
    package func account(named name: String) async throws -> Account {
        let found = try await database.read { [environment] connection in
            try AccountsTable.named(name, environment.id, on: connection)
        }
        guard let found else { throw StoreError(.accountNotFound, name, "there is no account of that name") }
        return found
    }

    /// The account of a name; makes one with a valid payment method where there is none.
    func makeAccount(
        _ name: String, storefront: Storefront, password: PasswordHash?, on connection: any Connection
    ) throws -> Account {
        try Self.checkAccountName(name)
        if let account = try AccountsTable.named(name, environment.id, on: connection) { return account }
        let account = Account(
            id: Account.ID(rawValue: try numbers.next()), name: name, storefront: storefront,
            created: try clock.now(on: connection))
        try AccountsTable.insert(account, password: password, environment.id, on: connection)
        // Another node may have made it a moment ago.
        return try AccountsTable.named(name, environment.id, on: connection) ?? account
    }

    static func checkAccountName(_ name: String) throws {
        guard (1...maximumAccountNameLength).contains(name.utf8.count), !name.utf8.contains(0) else {
            throw StoreError(
                .malformed, "account", "a name of 1 to \(maximumAccountNameLength) bytes, such as an e-mail address")
        }
    }

    /// The customer that an account is in an app, for callers who may act for anyone: tests and operators. Makes the account
    /// where there is none, in the app's default storefront.
    package func customer(account name: String, bundleID: App.BundleID) async throws -> Customer {
        try await write { [self] connection in
            let entry = try app(bundleID, on: connection)
            let account = try makeAccount(
                name, storefront: entry.app.defaultStorefront, password: nil, on: connection)
            let key = CustomerKey(environment: environment.id, app: entry.app.appleID, account: account.id)
            try CustomersTable.join(key, at: try clock.now(on: connection), on: connection)
            return Customer(key: key, bundleID: bundleID, device: "", applicationVersion: entry.app.version)
        }
    }
}
