import Perennial
import PerennialStorage

/// A family with its people's names.
package struct FamilyStanding: Sendable, Equatable {
    package let id: Int64
    package let organizer: String
    package let members: [String]
}

extension Store {
    /// A limit on what one answer lists.
    package static let maximumFamiliesListed = 1_000

    /// Makes a family; accounts that aren't there yet are made.
    ///
    /// - Throws: ``StoreError`` `.malformed`, `FamilyError`.
    package func makeFamily(organizer: String, members: [String]) async throws -> FamilyStanding {
        try await write { [self] connection in
            try EnvironmentsTable.lock(environment.id, on: connection)
            let head = try makeAccount(organizer, storefront: .usa, password: nil, on: connection)
            try refuseSecondFamily(of: head.id, on: connection)
            let number = try numbers.next()
            var family = Family(organizer: head.id)
            try FamiliesTable.put(family, number, environment.id, on: connection)
            for name in members {
                family = try add(name, to: family, number, on: connection)
            }
            return try standing(of: family, number, on: connection)
        }
    }

    /// Adds somebody, who gets all that the others share, and shares what is his.
    ///
    /// - Throws: ``StoreError`` `.familyNotFound`, `.malformed`, `FamilyError`.
    package func addFamilyMember(_ name: String, to number: Int64) async throws -> FamilyStanding {
        try await write { [self] connection in
            let family = try add(name, to: try lockedFamily(number, on: connection), number, on: connection)
            return try standing(of: family, number, on: connection)
        }
    }

    /// Takes somebody out of a family: what was shared, either way, is lost.
    ///
    /// - Throws: ``StoreError`` `.familyNotFound`, `.accountNotFound`, `FamilyError`.
    package func removeFamilyMember(_ name: String, from number: Int64) async throws -> FamilyStanding {
        try await write { [self] connection in
            var family = try lockedFamily(number, on: connection)
            guard let account = try AccountsTable.named(name, environment.id, on: connection) else {
                throw StoreError(.accountNotFound, name, "there is no account of that name")
            }
            try family.remove(account.id)
            try endSharing(with: account.id, on: connection)
            try FamiliesTable.put(family, number, environment.id, on: connection)
            try shareOwned(in: family, on: connection)
            return try standing(of: family, number, on: connection)
        }
    }

    /// Ends a family: nothing is shared any more.
    ///
    /// - Throws: ``StoreError`` `.familyNotFound`.
    package func dissolveFamily(_ number: Int64) async throws {
        try await write { [self] connection in
            let family = try lockedFamily(number, on: connection)
            for account in family.everyone { try endSharing(with: account, on: connection) }
            try FamiliesTable.put(nil, number, environment.id, on: connection)
        }
    }

    /// - Throws: ``StoreError`` `.familyNotFound`.
    package func family(_ number: Int64) async throws -> FamilyStanding {
        try await database.read { [self] connection in
            try standing(of: try found(number, on: connection), number, on: connection)
        }
    }

    /// All families, oldest first, up to ``maximumFamiliesListed``.
    package func families() async throws -> [FamilyStanding] {
        try await database.read { [self] connection in
            try FamiliesTable.numbers(environment.id, limit: Self.maximumFamiliesListed, on: connection).map {
                try standing(of: try found($0, on: connection), $0, on: connection)
            }
        }
    }

    private func add(
        _ name: String, to family: Family, _ number: Int64, on connection: any Connection
    ) throws -> Family {
        let account = try makeAccount(name, storefront: .usa, password: nil, on: connection)
        var grown = family
        try grown.add(account.id)
        try refuseSecondFamily(of: account.id, on: connection)
        try FamiliesTable.put(grown, number, environment.id, on: connection)
        for entry in try catalog.all(on: connection) {
            for other in family.everyone {
                try shareAll(of: other, with: account.id, entry, on: connection)
                try shareAll(of: account.id, with: other, entry, on: connection)
            }
        }
        return grown
    }

    /// Shares what somebody has bought in an app until now.
    private func shareAll(
        of owner: Account.ID, with member: Account.ID, _ entry: CatalogCache.Entry, on connection: any Connection
    ) throws {
        let key = CustomerKey(environment: environment.id, app: entry.app.appleID, account: owner)
        guard try CustomersTable.joined(key, on: connection) != nil else { return }
        var revision = try CustomersTable.lock(key, on: connection)
        let now = try clock.now(on: connection)
        for found in try SubscriptionsTable.all(of: key, on: connection) where found.ownership == .purchased {
            let current = try settled(
                found.id, key, entry, until: now.wholeSeconds, revision: &revision, on: connection)
            let earlier = try SharedPurchasesTable.shares(of: current.id, app: key.app, environment.id, on: connection)
                .first { $0.account == member }
                .flatMap { try SubscriptionsTable.subscription($0.copy, app: key.app, environment.id, on: connection) }
            try share(current, earlier: earlier, with: member, key, at: now.wholeSeconds, on: connection)
        }
        try shareOwned(of: owner, with: member, entry, on: connection)
    }

    private func endSharing(with account: Account.ID, on connection: any Connection) throws {
        let now = try clock.now(on: connection).wholeSeconds
        for entry in try catalog.all(on: connection) {
            let key = CustomerKey(environment: environment.id, app: entry.app.appleID, account: account)
            for share in try SharedPurchasesTable.shares(with: key, on: connection) {
                try endSharing(share, app: key.app, at: now, on: connection)
            }
        }
    }

    private func refuseSecondFamily(of account: Account.ID, on connection: any Connection) throws {
        guard try FamiliesTable.number(of: account, environment.id, on: connection) == nil else {
            throw FamilyError(.alreadyMember, account, "the account belongs to a family already")
        }
    }

    /// Families change one after the other.
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

    private func standing(
        of family: Family, _ number: Int64, on connection: any Connection
    ) throws -> FamilyStanding {
        let names = try family.everyone.map {
            try AccountsTable.account($0, environment.id, on: connection)?.name ?? "\($0.rawValue)"
        }
        return FamilyStanding(id: number, organizer: names.first ?? "", members: Array(names.dropFirst()))
    }
}
