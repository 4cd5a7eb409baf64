import Perennial

/// A customer whose purchases get another revision, with the versions on which the change is based.
package struct CustomerAdvance: Sendable {
    package var key: CustomerKey
    package var payer: BillingAccount
    package var revision: Int64
    package var nextRevision: Int64

    package init(key: CustomerKey, payer: BillingAccount, revision: Int64, nextRevision: Int64) {
        self.key = key
        self.payer = payer
        self.revision = revision
        self.nextRevision = nextRevision
    }
}

extension CustomersTable {
    /// Sets the next revisions of customers' purchases and locks the customers, if the revision, the payment method and the
    /// renewal rate of each are the expected ones.
    ///
    /// - Parameter customers: In the order of locks, each once.
    /// - Returns: False on a version conflict; then the transaction has to be rolled back.
    package static func advance(_ customers: [CustomerAdvance], on connection: any Connection) throws -> Bool {
        guard connection.engine == .postgres, customers.count > 1 else {
            return try customers.allSatisfy { try advance($0, on: connection) }
        }
        return try advanceTogether(customers, on: connection)
    }

    private static func advance(_ customer: CustomerAdvance, on connection: any Connection) throws -> Bool {
        let changed = try connection.execute(
            """
            UPDATE customers SET revision = $1 WHERE environment = $2 AND app = $3 AND account = $4 AND revision = $5
            AND EXISTS (SELECT 1 FROM accounts WHERE accounts.environment = $2 AND accounts.id = $4
            AND accounts.payment_method = $6 AND COALESCE(accounts.renewal_rate, '') = $7)
            """,
            [.integer(customer.nextRevision)] + customer.key.values + [
                .integer(customer.revision), .text(customer.payer.paymentMethod.rawValue),
                .text(customer.payer.renewalRate?.rawValue ?? ""),
            ])
        return changed == 1
    }

    /// Locks the customers in order, compares and updates them with one statement.
    private static func advanceTogether(_ customers: [CustomerAdvance], on connection: any Connection) throws -> Bool {
        let changed = try connection.execute(
            advances,
            [
                .array(customers.lazy.map(\.key.environment.rawValue)), .array(customers.lazy.map(\.key.app)),
                .array(customers.lazy.map(\.key.account.rawValue)), .array(customers.lazy.map(\.revision)),
                .array(customers.lazy.map(\.nextRevision)),
                .array(texts: customers.lazy.map(\.payer.paymentMethod.rawValue)),
                .array(texts: customers.lazy.map { $0.payer.renewalRate?.rawValue ?? "" }),
            ])
        return changed == customers.count
    }

    /// The server sorts the rows before it locks them. A row that was changed meanwhile doesn't have the expected revision, or
    /// another place than the one that was found.
    ///
    /// The keys are arrays: the planner expects few elements, and finds each row by its key. Of a list of a hundred rows it
    /// knows the length, and reads whole tables of ten thousand customers instead.
    private static let advances: SQL = """
        UPDATE customers SET revision = expected.next FROM (
        SELECT customers.ctid AS place, made.next
        FROM unnest(CAST($1 AS BIGINT[]), CAST($2 AS BIGINT[]), CAST($3 AS BIGINT[]), CAST($4 AS BIGINT[]),
        CAST($5 AS BIGINT[]), CAST($6 AS TEXT[]), CAST($7 AS TEXT[]))
        AS made (environment, app, account, revision, next, payment_method, renewal_rate)
        JOIN customers ON customers.environment = made.environment AND customers.app = made.app
        AND customers.account = made.account AND customers.revision = made.revision
        JOIN accounts ON accounts.environment = customers.environment AND accounts.id = customers.account
        AND accounts.payment_method = made.payment_method AND COALESCE(accounts.renewal_rate, '') = made.renewal_rate
        ORDER BY customers.app, customers.account /*FOR UPDATE OF customers*/
        ) AS expected WHERE customers.ctid = expected.place
        """
}
