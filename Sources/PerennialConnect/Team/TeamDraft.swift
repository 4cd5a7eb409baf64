import Perennial
import PerennialStorage

/// Reads and changes the seller's team in a transaction: users, invitations and individual keys.
package struct TeamDraft {
    private let connection: any Connection
    /// The real time: invitations expire by it.
    private let now: Instant

    package init(on connection: any Connection, at now: Instant) {
        self.connection = connection
        self.now = now
    }

    // MARK: Users

    /// Returns all users, by their names.
    package func users() throws -> [TeamUser] { try TeamUsersTable.all(on: connection) }

    /// Returns the users whose names come after one, by their names.
    ///
    /// - Parameter username: Empty for the first.
    package func users(after username: String, limit: Int) throws -> [TeamUser] {
        try TeamUsersTable.page(after: username, limit: limit, on: connection)
    }

    package func user(_ id: String) throws -> TeamUser? { try TeamUsersTable.user(id, on: connection) }

    /// Returns a user by ID or by email address.
    ///
    /// - Throws: ``CatalogEditError`` `.notFound`.
    package func found(_ name: String) throws -> TeamUser {
        let user = try user(name.lowercased()) ?? TeamUsersTable.named(name.lowercased(), on: connection)
        guard let user else { throw CatalogEditError(.notFound, "There is no user '\(name)'.") }
        return user
    }

    /// Returns a key of the App Store Connect API, also a revoked one.
    package func key(_ id: String) throws -> APIKey? {
        guard APIKey.isID(id), let key = try APIKeysTable.key(id, on: connection), key.kind == .connectAPI else {
            return nil
        }
        return key
    }

    /// Creates a user, as an operator does who needs no invitation.
    ///
    /// The role ACCOUNT_HOLDER may be given while no user has it.
    /// - Throws: ``CatalogEditError`` `.invalid`, `.duplicate`, `.relationshipInvalid`.
    package func create(_ person: TeamPerson, access: TeamAccess) throws -> TeamUser {
        try person.check(addressedBy: "username")
        let isFirstHolder = try access.roles.contains(.accountHolder) && accountHolder() == nil
        try access.check(isAccountHolder: isFirstHolder)
        try check(access)
        try refuseKnown(person.email, at: "username")
        let user = TeamUser(
            id: newID("user", person.email), username: person.email, firstName: person.firstName,
            lastName: person.lastName,
            access: access, created: now)
        try TeamUsersTable.insert(user, on: connection)
        return user
    }

    /// Changes what a user may do and see.
    ///
    /// - Throws: ``CatalogEditError`` `.notFound`, `.invalid`, `.relationshipRequired`, `.relationshipInvalid`.
    package func update(_ name: String, _ change: TeamAccess.Change) throws -> TeamUser {
        var user = try found(name)
        user.access = try user.access.applying(change)
        try check(user.access)
        try TeamUsersTable.update(user, on: connection)
        return user
    }

    /// Makes a user the account holder, who gets the role from the one before. That one stays an admin.
    ///
    /// - Throws: ``CatalogEditError`` `.notFound`.
    package func transferAccount(to name: String) throws -> TeamUser {
        var user = try found(name)
        if var holder = try accountHolder(), holder.id != user.id {
            holder.access.roles.remove(.accountHolder)
            holder.access.roles.insert(.admin)
            try TeamUsersTable.update(holder, on: connection)
        }
        user.access = TeamAccess(
            roles: user.access.roles.union([.accountHolder]), provisioningAllowed: user.access.provisioningAllowed)
        try TeamUsersTable.update(user, on: connection)
        return user
    }

    /// Removes a user from the team, revokes the user's keys and ends the user's sessions in the console.
    ///
    /// - Throws: ``CatalogEditError`` `.notFound`, and `.state` for the account holder.
    package func remove(_ name: String) throws {
        let user = try found(name)
        guard !user.isAccountHolder else {
            throw CatalogEditError(.state, "The account holder can't be removed: transfer the role first.")
        }
        try APIKeysTable.revoke(ofUser: user.id, at: now, on: connection)
        try ConsoleSessionsTable.delete(ofUser: user.id, on: connection)
        try ConsoleLinksTable.delete(ofUser: user.id, on: connection)
        try TeamPasswordsTable.delete(ofUser: user.id, on: connection)
        try TeamUsersTable.delete(user.id, on: connection)
    }

    private func accountHolder() throws -> TeamUser? { try users().first(where: \.isAccountHolder) }

    // MARK: Invitations

    /// Returns the invitations that can be accepted, by their addresses.
    package func invitations() throws -> [TeamInvitation] { try TeamInvitationsTable.valid(at: now, on: connection) }

    /// Returns the invitations that can be accepted and whose addresses come after one, by their addresses.
    ///
    /// - Parameter email: Empty for the first.
    package func invitations(after email: String, limit: Int) throws -> [TeamInvitation] {
        try TeamInvitationsTable.valid(after: email, limit: limit, at: now, on: connection)
    }

    package func invitation(_ id: String) throws -> TeamInvitation? { try invitations().first { $0.id == id } }

    /// Invites a person.
    ///
    /// - Throws: ``CatalogEditError`` `.invalid`, `.duplicate`, `.relationshipRequired`, `.relationshipInvalid`.
    package func invite(_ person: TeamPerson, access: TeamAccess) throws -> TeamInvitation {
        try TeamInvitationsTable.deleteExpired(at: now, on: connection)
        let invitation = try TeamInvitation(person, access: access, id: newID("invitation", person.email), at: now)
        try check(access)
        try refuseKnown(person.email, at: "email")
        try TeamInvitationsTable.insert(invitation, on: connection)
        return invitation
    }

    /// Makes the invited person a user.
    ///
    /// - Parameter name: The invitation's ID or its email address.
    /// - Throws: ``CatalogEditError`` `.notFound`.
    package func accept(_ name: String) throws -> TeamUser {
        let invitation = try foundInvitation(name)
        let user = invitation.accepted(as: newID("user", invitation.email), at: now)
        try TeamInvitationsTable.delete(invitation.id, on: connection)
        try TeamUsersTable.insert(user, on: connection)
        return user
    }

    /// Takes an invitation back.
    ///
    /// - Parameter name: The invitation's ID or its email address.
    /// - Throws: ``CatalogEditError`` `.notFound`.
    package func cancelInvitation(_ name: String) throws {
        try TeamInvitationsTable.delete(try foundInvitation(name).id, on: connection)
    }

    private func foundInvitation(_ name: String) throws -> TeamInvitation {
        let name = name.lowercased()
        guard let invitation = try invitations().first(where: { $0.id == name || $0.email == name }) else {
            throw CatalogEditError(.notFound, "There is no invitation '\(name)', or it has expired.")
        }
        return invitation
    }

    /// A UUID: no address gets two in a millisecond.
    private func newID(_ kind: String, _ email: String) -> String {
        DerivedUUID.make("\(kind) \(email) \(now.milliseconds)")
    }

    // MARK: Checks

    private func refuseKnown(_ email: String, at attribute: String) throws {
        let isUser = try TeamUsersTable.named(email, on: connection) != nil
        guard !isUser, try !invitations().contains(where: { $0.email == email }) else {
            throw CatalogEditError(
                .duplicate, at: .attribute(attribute),
                "'\(email)' is \(isUser ? "a user already" : "invited already").")
        }
    }

    /// Checks that the chosen apps exist.
    private func check(_ access: TeamAccess) throws {
        guard !access.visibleApps.isEmpty else { return }
        let known = Set(try AppsTable.all(on: connection).map(\.id))
        guard let app = access.visibleApps.sorted().first(where: { !known.contains($0) }) else { return }
        throw CatalogEditError(
            .relationshipInvalid, at: .relationship("visibleApps"),
            "There is no resource of type 'apps' with id '\(app)'.")
    }
}
