import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import PerennialStore

/// Operations of customers and the seller; an account is created when it is first named.
extension TestStore {
    package func customer(
        _ account: String, on device: TestDevice = .phone, app: App.BundleID = TestCatalog.bundleID
    ) async throws -> Customer {
        var customer = try await store.accounts.customer(account: account, bundleID: app)
        customer.device = device.id
        return customer
    }

    /// Signs in without a password, and returns the token and its customer.
    package func signIn(
        _ account: String, device: TestDevice = .phone, app: App.BundleID = TestCatalog.bundleID
    ) async throws -> (token: String, customer: Customer) {
        let session = try await store.accounts.signIn(
            account: account, password: nil, deviceID: device.id.lowercased(), bundleID: app,
            applicationVersion: "2.1.7")
        return (session.token, try await store.accounts.customer(token: session.token))
    }

    @discardableResult
    package func buy(
        _ product: String, quantity: Int = 1, as account: String, app: App.BundleID = TestCatalog.bundleID,
        username: String? = nil, key: String? = nil
    ) async throws -> Transaction {
        try await store.purchases.buy(
            PurchaseRequest(
                productID: Product.ID(rawValue: product), quantity: quantity, applicationUsername: username,
                idempotencyKey: key), by: try await customer(account, app: app))
    }

    /// Buys a product and returns the refusal; a purchase that succeeds is an error.
    package func refusal(
        of product: String, quantity: Int = 1, as account: String, app: App.BundleID = TestCatalog.bundleID,
        key: String? = nil
    ) async throws -> PurchaseRefusal {
        do {
            let sold = try await buy(product, quantity: quantity, as: account, app: app, key: key)
            throw Missing(what: "refusal: \(sold.id) was sold")
        } catch let refusal as PurchaseRefusal {
            return refusal
        }
    }

    package func finish(_ transaction: Transaction, as account: String) async throws {
        try await store.transactions.finish(transaction.id, by: try await customer(account))
    }

    @discardableResult
    package func buyAndFinish(_ product: String, as account: String, username: String? = nil) async throws
        -> Transaction
    {
        let transaction = try await buy(product, as: account, username: username)
        try await finish(transaction, as: account)
        return transaction
    }

    package func restore(_ account: String, username: String? = nil) async throws -> [RestoredTransaction] {
        try await store.restores.restore(for: try await customer(account), applicationUsername: username)
    }

    @discardableResult
    package func refund(
        _ transaction: Transaction, reason: Transaction.Revocation.Reason = .other
    ) async throws -> Transaction {
        try await store.refunds.refund(transaction.id, Refund(reason: reason)).0
    }

    package func account(
        _ name: String, storefront: String = "USA", payment: Account.PaymentMethod = .valid, mayBuy: Bool = true
    ) async throws {
        _ = try await store.accounts.put(
            name, storefront: Storefront(rawValue: storefront), paymentMethod: payment, canMakePayments: mayBuy,
            password: nil)
    }

    /// Advances the clock and processes due renewals.
    package func advance(by milliseconds: Int64) async throws {
        clock.advance(by: milliseconds)
        try await store.renewals.processDue()
    }

    // MARK: - Receipts

    package func receipt(of account: String, on device: TestDevice = .phone) async throws -> [UInt8] {
        try await store.receipts.appReceipt(for: try await customer(account, on: device))
    }

    /// Returns the verified contents of the app receipt.
    package func readReceipt(of account: String, on device: TestDevice = .phone) async throws -> AppReceipt {
        try TestSigning.shared.receiptVerifier.verify(try await receipt(of: account, on: device))
    }

    /// Returns the receipt of a single transaction.
    package func transactionReceipt(of transaction: Transaction, as account: String) async throws -> [UInt8] {
        let text = try await store.receipts.transactionReceipt(of: transaction, for: try await customer(account))
        guard let bytes = Data(base64Encoded: text) else { throw Missing(what: "base64 in \(text)") }
        return Array(bytes)
    }

    package func verify(
        _ receipt: [UInt8], password: String? = nil, excludesOldTransactions: Bool? = nil
    ) async throws -> JSONValue {
        var body: [String: JSONValue] = ["receipt-data": .string(Data(receipt).base64EncodedString())]
        if let password { body["password"] = .string(password) }
        if let excludesOldTransactions { body["exclude-old-transactions"] = .bool(excludesOldTransactions) }
        return try await verify(body: JSONValue.object(body).encoded)
    }

    package func verify(body: [UInt8]) async throws -> JSONValue {
        try JSONValue(await store.verification.verifyReceipt(body))
    }

    // MARK: - Journal and ledger

    package func journal(app: Int64 = TestCatalog.magazine().appleID) async throws -> [(
        position: Int64, entry: JournalEntry
    )] {
        try await database.read { [environment = store.environment.id] in
            try JournalTable.entries(after: 0, limit: 100_000, app: app, environment, on: $0)
        }
    }

    /// Returns the sum of all postings by currency, zero in a balanced ledger.
    package func sumOfPostings() async throws -> [String: Int64] {
        let sums = try await database.read {
            try $0.query("SELECT currency, CAST(SUM(amount) AS BIGINT) FROM postings GROUP BY currency") {
                (try $0.text(0), try $0.integer(1))
            }
        }
        return Dictionary(uniqueKeysWithValues: sums)
    }

    package func count(_ table: String) async throws -> Int64 {
        try await database.read { try $0.first(SQL("SELECT COUNT(*) FROM \(table)")) { try $0.integer(0) } ?? 0 }
    }
}
