import Perennial
import PerennialStorage

/// A family with its members' names.
package struct FamilySnapshot: Sendable, Equatable {
    package let id: Int64
    package let organizer: String
    package let members: [String]
}

/// Families: their members, and sharing when a member joins or leaves.
package struct Families: StoreChapter {
    let context: StoreContext
    let accounts: Accounts
    let subscriptions: Subscriptions

    /// A limit on the families in one answer.
    package static let maximumFamiliesListed = 1_000

    /// Creates a family. Creates accounts that don't exist yet.
    ///
    /// - Throws: ``StoreError`` `.malformed`, `FamilyError`.
    package func make(organizer: String, members: [String]) async throws -> FamilySnapshot {
        try await subscriptions.writeBatch { [self] connection, inUse in
            try EnvironmentsTable.lock(environment.id, on: connection)
            let head = try accounts.makeAccount(organizer, storefront: .usa, password: nil, on: connection)
            try refuseSecondFamily(of: head.id, on: connection)
            let number = try ids.next()
            let added = try members.map {
                try accounts.makeAccount($0, storefront: .usa, password: nil, on: connection).id
            }
            try subscriptions.lockCustomers(of: [head.id] + added, and: inUse, on: connection)
            var family = Family(organizer: head.id)
            try FamiliesTable.put(family, number, environment.id, on: connection)
            for account in added { family = try add(account, to: family, number, on: connection) }
            return try snapshot(of: family, number, on: connection)
        }
    }

    /// Adds a member, who gets everything that the others share and shares everything of their own.
    ///
    /// - Throws: ``StoreError`` `.familyNotFound`, `.malformed`, `FamilyError`.
    package func add(_ name: String, to number: Int64) async throws -> FamilySnapshot {
        try await subscriptions.writeBatch { [self] connection, inUse in
            let family = try lockedFamily(number, on: connection)
            let account = try accounts.makeAccount(name, storefront: .usa, password: nil, on: connection).id
            try subscriptions.lockCustomers(of: family.everyone + [account], and: inUse, on: connection)
            let grown = try add(account, to: family, number, on: connection)
            return try snapshot(of: grown, number, on: connection)
        }
    }

    /// Removes a member. Sharing ends in both directions.
    ///
    /// - Throws: ``StoreError`` `.familyNotFound`, `.accountNotFound`, `FamilyError`.
    package func remove(_ name: String, from number: Int64) async throws -> FamilySnapshot {
        try await subscriptions.writeBatch { [self] connection, inUse in
            var family = try lockedFamily(number, on: connection)
            guard let account = try AccountsTable.named(name, environment.id, on: connection) else {
                throw StoreError(.accountNotFound, name, "there is no account of that name")
            }
            try subscriptions.lockCustomers(of: family.everyone, and: inUse, on: connection)
            try family.remove(account.id)
            try endSharing(with: account.id, on: connection)
            try FamiliesTable.put(family, number, environment.id, on: connection)
            for entry in try catalog.all(on: connection) {
                try subscriptions.shareOwned(in: family, entry, on: connection)
            }
            return try snapshot(of: family, number, on: connection)
        }
    }

    /// Dissolves a family. All sharing ends.
    ///
    /// - Throws: ``StoreError`` `.familyNotFound`.
    package func dissolve(_ number: Int64) async throws {
        try await subscriptions.writeBatch { [self] connection, inUse in
            let family = try lockedFamily(number, on: connection)
            try subscriptions.lockCustomers(of: family.everyone, and: inUse, on: connection)
            for account in family.everyone { try endSharing(with: account, on: connection) }
            try FamiliesTable.put(nil, number, environment.id, on: connection)
        }
    }

    /// Returns a family by its number.
    ///
    /// - Throws: ``StoreError`` `.familyNotFound`.
    package func family(_ number: Int64) async throws -> FamilySnapshot {
        try await database.read { [self] connection in
            try snapshot(of: try found(number, on: connection), number, on: connection)
        }
    }

    /// Returns all families, oldest first, up to ``maximumFamiliesListed``.
    package func all() async throws -> [FamilySnapshot] {
        try await database.read { [self] connection in
            try FamiliesTable.numbers(environment.id, limit: Self.maximumFamiliesListed, on: connection).map {
                try snapshot(of: try found($0, on: connection), $0, on: connection)
            }
        }
    }

    /// Adds an account behind the locks of all members' customers.
    private func add(
        _ account: Account.ID, to family: Family, _ number: Int64, on connection: any Connection
    ) throws -> Family {
        var grown = family
        try grown.add(account)
        try refuseSecondFamily(of: account, on: connection)
        try FamiliesTable.put(grown, number, environment.id, on: connection)
        for entry in try catalog.all(on: connection) {
            for other in family.everyone {
                try shareAll(of: other, with: account, entry, on: connection)
                try shareAll(of: account, with: other, entry, on: connection)
            }
        }
        return grown
    }

    /// Shares everything that an owner has bought in an app so far with a new member.
    private func shareAll(
        of owner: Account.ID, with member: Account.ID, _ entry: CatalogCache.Entry, on connection: any Connection
    ) throws {
        let key = customerKey(of: owner, in: entry.app)
        guard try CustomersTable.joined(key, on: connection) != nil else { return }
        var revision = try CustomersTable.lock(key, on: connection)
        let now = try clock.now(on: connection)
        for found in try SubscriptionsTable.all(of: key, on: connection) where found.ownership == .purchased {
            let current = try subscriptions.broughtUpToDate(
                found.id, key, entry, until: now.wholeSeconds, revision: &revision, on: connection)
            let earlier = try SharedPurchasesTable.shares(of: current.id, app: key.app, environment.id, on: connection)
                .first { $0.account == member }
                .flatMap { try SubscriptionsTable.subscription($0.copy, app: key.app, environment.id, on: connection) }
            try subscriptions.share(current, earlier: earlier, with: member, key, at: now.wholeSeconds, on: connection)
        }
        try subscriptions.shareOwned(of: owner, with: member, entry, on: connection)
    }

    private func endSharing(with account: Account.ID, on connection: any Connection) throws {
        let now = try clock.now(on: connection).wholeSeconds
        for entry in try catalog.all(on: connection) {
            let key = customerKey(of: account, in: entry.app)
            for share in try SharedPurchasesTable.shares(with: key, on: connection) {
                try subscriptions.endSharing(share, app: key.app, at: now, on: connection)
            }
        }
    }

    private func refuseSecondFamily(of account: Account.ID, on connection: any Connection) throws {
        guard try FamiliesTable.number(of: account, environment.id, on: connection) == nil else {
            throw FamilyError(.alreadyMember, account, "the account belongs to a family already")
        }
    }

    /// Locks the environment, because families change one after the other.
    private func lockedFamily(_ number: Int64, on connection: any Connection) throws -> Family {
        try EnvironmentsTable.lock(environment.id, on: connection)
        return try found(number, on: connection)
    }

    private func found(_ number: Int64, on connection: any Connection) throws -> Family {
        guard let family = try FamiliesTable.family(number, environment.id, on: connection) else {
            throw StoreError(.familyNotFound, "\(number)", "there is no family with that number")
        }
        return family
    }

    private func snapshot(
        of family: Family, _ number: Int64, on connection: any Connection
    ) throws -> FamilySnapshot {
        let names = try family.everyone.map {
            try AccountsTable.account($0, environment.id, on: connection)?.name ?? "\($0.rawValue)"
        }
        return FamilySnapshot(id: number, organizer: names.first ?? "", members: Array(names.dropFirst()))
    }
}
