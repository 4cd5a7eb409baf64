import Perennial
import Synchronization
import TestSupport
import Testing

@testable import PerennialStorage

/// SQLite's plans for queries about one customer or one subscription, in an empty store: the same as in a store with a million
/// sales, and never a search among all sales of the app.
struct SQLitePlanTests {
    private static let customer = CustomerKey(
        environment: StoreEnvironment.ID(rawValue: 1), app: 1, account: Account.ID(rawValue: 1))

    private static let subscription = TransactionID(rawValue: 1)

    private static let queries: [(String, @Sendable (any Connection) throws -> Void)] = [
        ("transactions", { _ = try TransactionsTable.all(of: customer, on: $0) }),
        (
            "history for a purchase",
            {
                _ = try TransactionsTable.history(
                    of: customer, product: Product.ID(rawValue: "film"), group: "magazine", on: $0)
            }
        ),
        ("unfinished transactions", { _ = try TransactionsTable.unfinished(of: customer, limit: 10, on: $0) }),
        (
            "name of the customer",
            { try TransactionsTable.setApplicationUsername("ann", originalID: subscription, customer, on: $0) }
        ),
        ("subscriptions", { _ = try SubscriptionsTable.all(of: customer, on: $0) }),
        (
            "due subscriptions",
            {
                _ = try SubscriptionsTable.dueSubscriptions(
                    after: nil, until: Instant(seconds: 0), limit: 10, customer.environment, on: $0)
            }
        ),
        (
            "whether a customer is as before",
            {
                let payer = BillingAccount(paymentMethod: .valid, renewalRate: nil)
                _ = try CustomersTable.advance(customer, from: 1, to: 2, payer: payer, on: $0)
            }
        ),
        (
            "purchases that wait",
            {
                _ = try PendingPurchasesTable.waiting(
                    of: customer, .approval, at: Instant(seconds: 0), on: $0)
            }
        ),
        ("what is shared", { _ = try SharedPurchasesTable.shares(with: customer, on: $0) }),
        (
            "a device with its customer",
            { _ = try DevicesTable.lockCustomer(tokenDigest: [1], customer.environment, on: $0) }
        ),
        ("devices", { _ = try DevicesTable.all(of: customer, on: $0) }),
        (
            "a subscription's newest notification",
            { _ = try NotificationsTable.newest(of: subscription, app: 1, customer.environment, on: $0) }
        ),
        (
            "notifications that are due",
            {
                _ = try NotificationsTable.due(
                    until: Instant(seconds: 0), after: .beginning, limit: 10, app: 1, customer.environment, on: $0)
            }
        ),
        (
            "a notification",
            {
                _ = try NotificationsTable.record(
                    at: .init(position: 1, part: 0), app: 1, customer.environment, on: $0)
            }
        ),
        (
            "a notification by its UUID",
            { _ = try NotificationsTable.record(uuid: "", app: 1, customer.environment, on: $0) }
        ),
        (
            "a subscription's notification before another",
            {
                _ = try NotificationsTable.last(
                    before: .init(position: 1, part: 0), of: subscription, app: 1, customer.environment, on: $0)
            }
        ),
        (
            "a page of the history",
            {
                let filter = NotificationsTable.Filter(from: Instant(seconds: 0), until: Instant(seconds: 1))
                _ = try NotificationsTable.history(
                    filter, after: .beginning, limit: 10, app: 1, customer.environment, on: $0)
            }
        ),
        (
            "notifications that are forgotten",
            {
                try NotificationsTable.purge(
                    before: Instant(seconds: 0), app: 1, customer.environment, on: $0)
            }
        ),
    ]

    @Test(arguments: queries.indices)
    func `a customer's rows are found by index, not among all sales`(number: Int) async throws {
        let (what, ask) = Self.queries[number]
        let asked = Asked()
        var options = DatabaseOptions.forTests
        options.onPrepare = { text in asked.texts.withLock { $0.append(text) } }
        let database = try Database(.inMemory, options: options)
        try database.migrate()
        asked.texts.withLock { $0 = [] }
        try await database.write { try ask($0) }
        let texts = asked.texts.withLock { $0 }
        #expect(!texts.isEmpty)
        for text in texts {
            let plan = try await database.write { connection in
                try connection.query(
                    SQL("EXPLAIN QUERY PLAN \(text)"), Array(repeating: .null, count: try SQL(text).check())
                ) { try $0.text(3) }
            }
            for step in plan where step.hasPrefix("SCAN") || step.hasPrefix("SEARCH") {
                #expect(step.contains("SEARCH") && !step.hasSuffix("(environment=? AND app=?)"), "\(what): \(step)")
            }
        }
    }

    private final class Asked: Sendable {
        let texts = Mutex<[String]>([])
    }
}
