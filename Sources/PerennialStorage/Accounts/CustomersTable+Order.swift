import Perennial

/// The order in which transactions lock customers (docs/architecture.md, "Order of locks").
///
/// A transaction that has locked a customer waits for others in ascending order only. One that learns of further customers
/// when it is too late for their order takes them without waiting, or begins again with all of them (``CustomersInUse``).
extension CustomersTable {
    /// Locks the rows of customers, one after the other in the order of all transactions. Those without a row are skipped.
    ///
    /// - Returns: The customers that have a row.
    @discardableResult
    package static func lock(
        inOrder keys: some Sequence<CustomerKey>, on connection: any Connection
    ) throws -> Set<CustomerKey> {
        var locked: Set<CustomerKey> = []
        for key in Set(keys).sorted(by: CustomerKey.inOrderOfLocks) {
            let exists = try connection.first(selectLocked, key.values) { _ in true }
            if exists == true { locked.insert(key) }
        }
        return locked
    }

    /// Locks a customer without waiting, and returns the revision of its purchases.
    ///
    /// - Returns: `nil` if another transaction holds the row.
    /// - Throws: `StorageError` `.corrupt` if there is no row.
    package static func lockWithoutWaiting(_ key: CustomerKey, on connection: any Connection) throws -> Int64? {
        let revision = try connection.first(
            """
            SELECT revision FROM customers WHERE environment = $1 AND app = $2 AND account = $3
            /*FOR UPDATE SKIP LOCKED*/
            """, key.values
        ) { try $0.integer(0) }
        if let revision { return revision }
        return try knownRevision(key, on: connection) == nil ? try lock(key, on: connection) : nil
    }

    private static let selectLocked = SQL(
        "SELECT revision FROM customers WHERE environment = $1 AND app = $2 AND account = $3 /*FOR UPDATE*/")
}

/// Signals that a transaction must begin again and lock these customers in order before anything else: it needs one that
/// another transaction holds, and waiting now could be a deadlock.
package struct CustomersInUse: Error {
    package let keys: Set<CustomerKey>

    package init(keys: Set<CustomerKey>) { self.keys = keys }
}

extension CustomerKey {
    /// The order in which all transactions lock customers.
    package static func inOrderOfLocks(_ first: CustomerKey, _ second: CustomerKey) -> Bool {
        (first.app, first.account.rawValue) < (second.app, second.account.rawValue)
    }
}
