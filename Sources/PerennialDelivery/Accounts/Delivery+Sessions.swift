import Perennial
import PerennialStorage

extension Delivery {
    /// Maximum size in bytes of UTF-8; a limit of ours.
    package static let maximumCustomerNameSize = 255

    /// Signs a customer in. Registers a new name with this password.
    ///
    /// - Parameter address: Address of the client, which limits guesses; `nil` if unknown.
    /// - Returns: A token that is valid for ``sessionLifetime``.
    /// - Throws: ``DeliveryError`` with `unauthorized`, `malformedRequest` or `appNotFound`; `PasswordRefusal`.
    package func openSession(
        customer: String, password: String, bundleID: App.BundleID, from address: ClientAddress? = nil
    ) async throws -> String {
        _ = try catalog().entry(bundleID)
        guard !customer.isEmpty, customer.utf8.count <= Self.maximumCustomerNameSize, !customer.utf8.contains(0) else {
            throw DeliveryError(
                .malformedRequest, "customer", "a name has 1 to \(Self.maximumCustomerNameSize) bytes of UTF-8")
        }
        guard try await admits(customer, password, bundleID, address) else {
            throw DeliveryError(.unauthorized, "password", "the password is not the one this customer registered with")
        }
        let token = BearerToken(secret: randomBytes(BearerToken.secretSize), bundleID: bundleID)
        let (digest, now) = (token.digest, clock())
        try await database.write { connection in
            try DeliverySessionsTable.deleteExpired(bundleID, at: now, on: connection)
            try DeliverySessionsTable.insert(
                digest: digest, customer: customer, bundleID, expires: now + Self.sessionLifetime, on: connection)
        }
        return token.text
    }

    private func admits(
        _ customer: String, _ password: String, _ bundleID: App.BundleID, _ address: ClientAddress?
    ) async throws -> Bool {
        if let known = try await storedPassword(of: customer, bundleID) {
            return try await matches(password, known, customer, bundleID, address)
        }
        let hash = try await hashed(password, address).text
        let now = clock()
        let isNew = try await database.write { connection in
            try DeliveryCustomersTable.register(customer, password: hash, bundleID, at: now, on: connection)
        }
        if isNew { return true }
        // Another request has registered the name since.
        guard let known = try await storedPassword(of: customer, bundleID) else { return false }
        return try await matches(password, known, customer, bundleID, address)
    }

    private func matches(
        _ password: String, _ known: PasswordHash, _ customer: String, _ bundleID: App.BundleID,
        _ address: ClientAddress?
    ) async throws -> Bool {
        try await passwords.admits(password, known: known, account: "\(bundleID) \(customer)", from: address)
    }

    private func hashed(_ password: String, _ address: ClientAddress?) async throws -> PasswordHash {
        do {
            return try await passwords.hash(password, salt: randomBytes(PasswordHash.saltSize), from: address)
        } catch let error as PasswordError {
            throw DeliveryError(.malformedRequest, "password", error.description)
        }
    }

    private func storedPassword(of customer: String, _ bundleID: App.BundleID) async throws -> PasswordHash? {
        let text = try await database.read { connection in
            try DeliveryCustomersTable.password(of: customer, bundleID, on: connection)
        }
        return try text.map { text in
            guard let hash = PasswordHash(text: text) else {
                throw StorageError(.corrupt, "delivery_customers", "a password's hash can't be read")
            }
            return hash
        }
    }

    /// Returns the customer of a token.
    ///
    /// - Throws: ``DeliveryError`` with `unauthorized`.
    func session(_ text: String) async throws -> (customer: String, bundleID: App.BundleID) {
        let denied = DeliveryError(.unauthorized, "customer token", "sign in: the token is unknown or has expired")
        guard let token = BearerToken(text), token.environment == nil else { throw denied }
        let (digest, bundleID, now) = (token.digest, token.bundleID, clock())
        let customer = try await database.read { connection in
            try DeliverySessionsTable.customer(digest: digest, bundleID, at: now, on: connection)
        }
        guard let customer else { throw denied }
        return (customer, bundleID)
    }
}
