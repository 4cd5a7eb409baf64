import Perennial
import PerennialStorage
import PerennialStore

/// The customers and subscriptions beside the transactions of a year.
extension ConsoleMeasure {
    /// Adds the accounts of the year's transactions.
    static func addCustomers(_ count: Int, to year: SalesYear) async throws {
        let (environment, app) = (year.store.environment.id.rawValue, SalesYear.app.appleID)
        let (account, now) = (SalesYear.account, SalesYear.start.milliseconds)
        try await year.shop.database.write(timeout: .long) { connection in
            let numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT \(count))"
            try connection.execute(
                SQL(
                    """
                    INSERT INTO accounts (environment, id, name, storefront, payment_method, can_make_payments, created)
                    \(numbers)
                    SELECT \(environment), \(account) + i, 'customer' || i || '@example.com', 'USA', 'valid', 1, \(now)
                    FROM n
                    """))
            try connection.execute(
                SQL(
                    """
                    INSERT INTO customers (environment, app, account, revision, joined)
                    \(numbers)
                    SELECT \(environment), \(app), \(account) + i, 5, \(now) FROM n
                    """))
        }
    }

    /// Adds active subscriptions of the year's most usual product.
    static func addSubscriptions(_ count: Int, to year: SalesYear) async throws {
        let (environment, app) = (year.store.environment.id.rawValue, SalesYear.app)
        let (account, transaction) = ("(\(SalesYear.account) + i)", "(\(SalesYear.firstTransaction) + i)")
        // Whole seconds, as all periods begin with one.
        let began = "(\(SalesYear.lastDay.end.milliseconds - .days(20)) + i % 86400 * 1000)"
        let document = try SubscriptionDocument(Product.ID(rawValue: "monthly0"), of: app)
        let insert = """
            INSERT INTO subscriptions (environment, app, original_id, account, subscription_group, due, document)
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT \(count))
            SELECT \(environment), \(app.appleID), \(transaction), \(account), 'group0',
            \(began) + \(SubscriptionDocument.period - .hours(24)),
            \(document.sql(transaction: transaction, account: account, began: began)) FROM n
            """
        try await year.shop.database.write(timeout: .long) { try $0.execute(SQL(insert)) }
    }
}
