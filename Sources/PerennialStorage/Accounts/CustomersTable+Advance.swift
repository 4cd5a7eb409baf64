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

    /// Locks the customers in order, compares, and updates: one round trip for dozens of them instead of one for each.
    private static func advanceTogether(_ customers: [CustomerAdvance], on connection: any Connection) throws -> Bool {
        var expected: [CustomerKey: CustomerAdvance] = [:]
        expected.reserveCapacity(customers.count)
        for customer in customers { expected[customer.key] = customer }
        var same = 0
        try locks.run(customers, append: { $1 += $0.key.values }) { sql, values, rows in
            try connection.forEachRow(sql, values) { row in
                let key = CustomerKey(
                    environment: StoreEnvironment.ID(rawValue: try row.integer(0)), app: try row.integer(1),
                    account: Account.ID(rawValue: try row.integer(2)))
                guard let customer = expected[key], try row.integer(3) == customer.revision,
                    try row.text(4) == customer.payer.paymentMethod.rawValue,
                    try row.optionalText(5) ?? "" == customer.payer.renewalRate?.rawValue ?? ""
                else { return }
                same += 1
            }
        }
        guard same == customers.count else { return false }
        try revisions.run(customers, on: connection) { customer, values in
            values.append(.integer(customer.nextRevision))
            values += customer.key.values
        }
        return true
    }

    private static let key: [BatchUpdate.Column] = [
        ("environment", "BIGINT"), ("app", "BIGINT"), ("account", "BIGINT"),
    ]

    private static let revisions = BatchUpdate("customers", set: [("revision", "BIGINT")], key: key)

    /// Locks customers in the order of locks: the server sorts rows before it locks them.
    private static let locks = RowBatches(columns: key.count, types: key.map(\.type), rowsMax: 128) {
        """
        SELECT customers.environment, customers.app, customers.account, customers.revision, accounts.payment_method,
        accounts.renewal_rate FROM (VALUES \($0)) AS made (environment, app, account)
        JOIN customers ON customers.environment = made.environment AND customers.app = made.app
        AND customers.account = made.account
        JOIN accounts ON accounts.environment = customers.environment AND accounts.id = customers.account
        ORDER BY customers.app, customers.account /*FOR UPDATE OF customers*/
        """
    }
}
