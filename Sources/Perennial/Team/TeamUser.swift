/// A user of the seller's team, as App Store Connect has them.
package struct TeamUser: Hashable, Sendable {
    /// A UUID in lower case.
    package var id: String
    /// The email address.
    package var username: String
    package var firstName: String
    package var lastName: String
    package var access: TeamAccess
    package var created: Instant

    package init(
        id: String, username: String, firstName: String, lastName: String, access: TeamAccess, created: Instant
    ) {
        self.id = id
        self.username = username
        self.firstName = firstName
        self.lastName = lastName
        self.access = access
        self.created = created
    }

    package var isAccountHolder: Bool { access.roles.contains(.accountHolder) }

    /// Checks that the user may have an individual key: of the roles, these give the right to generate one.
    ///
    /// - Throws: ``CatalogEditError`` `.state`.
    package func checkMayHaveKey() throws {
        let roles: Set<ConnectRole> = [.accountHolder, .admin, .generateIndividualKeys]
        guard access.roles.isDisjoint(with: roles) else { return }
        throw CatalogEditError(
            .state, "\(username) needs the role GENERATE_INDIVIDUAL_KEYS, ADMIN or ACCOUNT_HOLDER for a key.")
    }
}

/// An invitation to the seller's team.
package struct TeamInvitation: Hashable, Sendable {
    /// The life of an invitation (App Store Connect help, "Add and edit users").
    package static let lifetime = Int64.days(3)

    /// A UUID in lower case.
    package var id: String
    package var email: String
    package var firstName: String
    package var lastName: String
    package var access: TeamAccess
    package var expires: Instant

    package init(
        id: String, email: String, firstName: String, lastName: String, access: TeamAccess, expires: Instant
    ) {
        self.id = id
        self.email = email
        self.firstName = firstName
        self.lastName = lastName
        self.access = access
        self.expires = expires
    }

    /// Makes an invitation.
    ///
    /// - Parameter id: The ID that it gets.
    /// - Throws: ``CatalogEditError`` for an address, a name or an access that breaks a rule.
    package init(_ person: TeamPerson, access: TeamAccess, id: String, at now: Instant) throws {
        try person.check(addressedBy: "email")
        try access.check(isAccountHolder: false)
        self.init(
            id: id, email: person.email, firstName: person.firstName, lastName: person.lastName, access: access,
            expires: now + Self.lifetime)
    }

    /// Returns the user who accepts the invitation.
    package func accepted(as id: String, at now: Instant) -> TeamUser {
        TeamUser(
            id: id, username: email, firstName: firstName, lastName: lastName, access: access, created: now)
    }
}

/// A person's name and email address.
package struct TeamPerson: Hashable, Sendable {
    /// A limit of this store on a name, in characters.
    private static let maximumNameLength = 100
    /// The longest address (RFC 5321).
    private static let maximumAddressLength = 254

    package var email: String
    package var firstName: String
    package var lastName: String

    package init(email: String, firstName: String, lastName: String) {
        self.email = email.lowercased()
        self.firstName = firstName
        self.lastName = lastName
    }

    /// - Parameter name: The attribute of the address.
    /// - Throws: ``CatalogEditError`` with the attribute.
    package func check(addressedBy name: String) throws {
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), email.utf8.count <= Self.maximumAddressLength,
            email.utf8.allSatisfy({ $0 > 32 && $0 != 127 })
        else {
            throw CatalogEditError(.invalid, at: .attribute(name), "'\(email)' is not an email address.")
        }
        for (name, value) in [("firstName", firstName), ("lastName", lastName)] {
            guard (1...Self.maximumNameLength).contains(value.count), !value.utf8.contains(0) else {
                throw CatalogEditError(
                    .invalid, at: .attribute(name), "A name has 1 to \(Self.maximumNameLength) characters.")
            }
            try ListingLimits.check(directionOf: value, name)
        }
    }
}
