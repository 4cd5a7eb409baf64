import Perennial

/// Families. The organizer has place 0, the others follow in the order in which they joined.
package enum FamiliesTable {
    /// Returns the number of an account's family.
    package static func number(
        of account: Account.ID, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Int64? {
        try connection.first(
            "SELECT family FROM family_members WHERE environment = $1 AND account = $2",
            [.integer(environment.rawValue), .integer(account.rawValue)]
        ) { try $0.integer(0) }
    }

    /// Returns true if the environment has a family.
    package static func areAny(in environment: StoreEnvironment.ID, on connection: any Connection) throws -> Bool {
        try connection.first(
            "SELECT 1 FROM family_members WHERE environment = $1 LIMIT 1", [.integer(environment.rawValue)]
        ) { _ in true } ?? false
    }

    package static func family(
        _ number: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Family? {
        let accounts = try connection.query(
            "SELECT account FROM family_members WHERE environment = $1 AND family = $2 ORDER BY place",
            [.integer(environment.rawValue), .integer(number)]
        ) { Account.ID(rawValue: try $0.integer(0)) }
        guard let organizer = accounts.first else { return nil }
        var family = Family(organizer: organizer)
        for member in accounts.dropFirst() { try family.add(member) }
        return family
    }

    package static func numbers(
        _ environment: StoreEnvironment.ID, limit: Int, on connection: any Connection
    ) throws -> [Int64] {
        try connection.query(
            "SELECT family FROM family_members WHERE environment = $1 AND place = 0 ORDER BY family LIMIT $2",
            [.integer(environment.rawValue), .integer(Int64(limit))]
        ) { try $0.integer(0) }
    }

    /// Writes a family; `nil` or an empty one deletes it.
    package static func put(
        _ family: Family?, _ number: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.execute(
            "DELETE FROM family_members WHERE environment = $1 AND family = $2",
            [.integer(environment.rawValue), .integer(number)])
        for (place, account) in (family?.everyone ?? []).enumerated() {
            try connection.execute(
                "INSERT INTO family_members (environment, account, family, place) VALUES ($1, $2, $3, $4)",
                [
                    .integer(environment.rawValue), .integer(account.rawValue), .integer(number),
                    .integer(Int64(place)),
                ])
        }
    }
}
