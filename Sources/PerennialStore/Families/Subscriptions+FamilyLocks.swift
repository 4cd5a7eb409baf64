import Perennial
import PerennialStorage

/// Locks of customers who share with each other (docs/architecture.md, "Order of locks").
///
/// A family's members are read behind the lock of one of its customers, and a change of the family locks the customers of all
/// its members. So no purchase is shared with a member who is being removed.
extension Subscriptions {
    /// Locks the customer of a family member, behind the lock of the member who shares.
    ///
    /// - Returns: The revision of the member's purchases.
    /// - Throws: `CustomersInUse` if another transaction holds it: this one begins again, with the whole family locked in
    ///   order.
    func lockMember(
        _ member: CustomerKey, of owner: CustomerKey, on connection: any Connection
    ) throws -> Int64 {
        if let revision = try CustomersTable.lockWithoutWaiting(member, on: connection) { return revision }
        var keys: Set<CustomerKey> = [member, owner]
        for account in try family(of: owner, on: connection) { keys.insert(owner.member(account)) }
        throw CustomersInUse(keys: keys)
    }

    /// Locks the customers of a batch in order, together with the members of their families, whose purchases may change with
    /// theirs. Later the batch may hold a journal, and must not wait for a customer any more.
    ///
    /// - Parameter others: The customers whom an earlier run of the transaction found in use.
    func lockWithFamilies(
        _ customers: Set<CustomerKey>, and others: Set<CustomerKey>, on connection: any Connection
    ) throws {
        var all = customers.union(others)
        if try FamiliesTable.areAny(in: environment.id, on: connection) {
            for customer in customers {
                for member in try family(of: customer, on: connection) { all.insert(customer.member(member)) }
            }
        }
        try CustomersTable.lock(inOrder: all, on: connection)
    }

    /// Locks the customers of accounts in all apps, and the accounts themselves, for a change of their family.
    ///
    /// Call it behind the environment's lock.
    /// - Parameter others: The customers whom an earlier run of the transaction found in use.
    func lockCustomers(
        of accounts: [Account.ID], and others: Set<CustomerKey>, on connection: any Connection
    ) throws {
        let keys = try catalog.all(on: connection).flatMap { entry in
            accounts.map { customerKey(of: $0, in: entry.app) }
        }
        let all = others.union(keys)
        let locked = try CustomersTable.lock(inOrder: all, on: connection)
        for account in accounts.sorted(by: { $0.rawValue < $1.rawValue }) {
            try AccountsTable.lock(account, environment.id, on: connection)
        }
        // Customers that joined an app before the account's lock: from now on none does.
        for key in all.subtracting(locked).sorted(by: CustomerKey.inOrderOfLocks)
        where try CustomersTable.knownRevision(key, on: connection) != nil {
            guard try CustomersTable.lockWithoutWaiting(key, on: connection) != nil else {
                throw CustomersInUse(keys: all)
            }
        }
    }
}

extension CustomerKey {
    /// Returns the key of another account in the same app.
    func member(_ account: Account.ID) -> CustomerKey {
        CustomerKey(environment: environment, app: app, account: account)
    }
}
