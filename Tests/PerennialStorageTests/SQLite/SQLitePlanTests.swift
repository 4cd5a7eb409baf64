import Perennial
import Synchronization
import TestSupport
import Testing

@testable import PerennialStorage

/// SQLite's plans for queries about one customer or one subscription, in an empty store: the same as in a store with a million
/// sales, and never a search among all sales of the app.
struct SQLitePlanTests {
    private typealias Query = ListQueries.Query

    private static let customer = ListQueries.customer

    private static let subscription = TransactionID(rawValue: 1)

    private static let queries: [Query] = [
        ("transactions", { _ = try TransactionsTable.all(of: customer, on: $0) }),
        (
            "history for a purchase",
            {
                _ = try TransactionsTable.history(
                    of: customer, product: Product.ID(rawValue: "film"), group: "magazine", on: $0)
            }
        ),
        (
            "changes of purchases",
            {
                let place = TransactionsTable.ChangePlace.end(of: 1)
                _ = try TransactionsTable.changes(of: customer, after: place, limit: 10, on: $0)
            }
        ),
        (
            "a deleted subscription",
            { _ = try TransactionsTable.delete(originalID: subscription, of: customer, on: $0) }
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
                _ = try CustomersTable.advance(
                    [CustomerAdvance(key: customer, payer: payer, revision: 1, nextRevision: 2)], on: $0)
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

    private static let changedProducts: Query = (
        "changed products", { _ = try ProductsTable.definitions(changedAfter: 9, on: $0) }
    )
    private static let productChanges: Query = (
        "products changed in environments", { _ = try ProductChangesTable.all(changedAfter: 9, on: $0) }
    )

    @Test(arguments: ListQueries.all.indices)
    func `a page of a list is found by its key`(number: Int) async throws {
        let query = ListQueries.all[number]
        try await check(query, isInOrder: !ListQueries.sorted.contains(query.0))
    }

    @Test(arguments: [
        (ListQueries.notifications("failed ones", .failed), "notifications_failed"),
        (ListQueries.transactions("refunded ones", .revoked), "transactions_revoked_by_time"),
        (changedProducts, "products_by_revision"), (productChanges, "product_changes_by_revision"),
    ])
    private func `few rows are found by an index of theirs`(query: Query, index: String) async throws {
        try await check(query, index: index)
    }

    @Test(arguments: queries.indices)
    func `a customer's rows are found by index, not among all sales`(number: Int) async throws {
        try await check(Self.queries[number])
    }

    /// - Parameter isInOrder: True if the rows must come in their order: a page then takes as long wherever it begins.
    private func check(_ query: Query, index: String = "", isInOrder: Bool = false) async throws {
        let (what, ask) = query
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
            if isInOrder { #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(what): \(plan)") }
            for step in plan where step.hasPrefix("SCAN") || step.hasPrefix("SEARCH") {
                #expect(index.isEmpty || step.contains(index), "\(what): \(step)")
                #expect(step.contains("SEARCH") && !step.hasSuffix("(environment=? AND app=?)"), "\(what): \(step)")
            }
        }
    }

    private final class Asked: Sendable {
        let texts = Mutex<[String]>([])
    }
}
