import HTTPTypes
import Perennial
import PerennialConnect
import PerennialStore

/// control/v1/users and user-invitations: the seller's team, the same in every environment.
struct TeamRoutes {
    private struct UserBody: RequestModel {
        var username: String
        var firstName: String
        var lastName: String
        var roles: [String]
        var provisioningAllowed: Bool?
        var visibleApps: [String]?

        static let constraints: [String: Constraint] = [
            "username": TeamFields.email, "firstName": TeamFields.name, "lastName": TeamFields.name,
            "roles": TeamFields.roles, "visibleApps": TeamFields.apps,
        ]
    }

    private struct AccessBody: RequestModel {
        var roles: [String]?
        var provisioningAllowed: Bool?
        var visibleApps: [String]?

        static let constraints: [String: Constraint] = [
            "roles": TeamFields.roles, "visibleApps": TeamFields.apps,
        ]
    }

    private struct UsersAnswer: AnswerModel { var users: [UserModel] }
    private struct InvitationsAnswer: AnswerModel { var invitations: [InvitationModel] }

    private struct UserModel: AnswerModel {
        var id: String
        var username: String
        var firstName: String
        var lastName: String
        var roles: [String]
        var allAppsVisible: Bool
        var provisioningAllowed: Bool
        /// Bundle IDs.
        var visibleApps: [String]
        var created: String

        static let constraints: [String: Constraint] = [
            "id": .uuid, "created": .time,
            "visibleApps": .described("The bundle IDs of the apps that the user may see; empty if all are visible"),
        ]

        init(_ user: TeamUser, _ apps: [Int64: String]) {
            (id, username, firstName, lastName) = (user.id, user.username, user.firstName, user.lastName)
            (roles, allAppsVisible) = (user.access.roles.names, user.access.allAppsVisible)
            provisioningAllowed = user.access.provisioningAllowed
            visibleApps = TeamFields.bundleIDs(of: user.access, apps)
            created = user.created.rfc3339(fraction: true)
        }
    }

    private struct InvitationModel: AnswerModel {
        var id: String
        var email: String
        var firstName: String
        var lastName: String
        var roles: [String]
        var allAppsVisible: Bool
        var visibleApps: [String]
        var expires: String

        static let constraints: [String: Constraint] = ["id": .uuid, "expires": .time]

        init(_ invitation: TeamInvitation, _ apps: [Int64: String]) {
            (id, email) = (invitation.id, invitation.email)
            (firstName, lastName) = (invitation.firstName, invitation.lastName)
            (roles, allAppsVisible) = (invitation.access.roles.names, invitation.access.allAppsVisible)
            visibleApps = TeamFields.bundleIDs(of: invitation.access, apps)
            expires = invitation.expires.rfc3339(fraction: true)
        }
    }

    let team: Team

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get("users", "The users of the seller's team") { (_: Call<NoBody>, context) in
            let apps = try await TeamFields.apps(context)
            return UsersAnswer(users: try await team.read { try $0.users() }.map { UserModel($0, apps) })
        }
        routes.post("users", "Add a user without an invitation", .created, errors: [409], use: create)
        routes.get("users/:user", "A user, by ID or email address") { (_: Call<NoBody>, context) in
            let name = context.name("user")
            return UserModel(try await team.read { try $0.found(name) }, try await TeamFields.apps(context))
        }
        routes.post("users/:user", "Change a user's roles and apps", errors: [409], use: update)
        routes.post("users/:user/account-holder", "Transfer the role of the account holder to a user") {
            (_: Call<NoBody>, context) in
            let name = context.name("user")
            return UserModel(
                try await team.edit { try $0.transferAccount(to: name) }, try await TeamFields.apps(context))
        }
        routes.delete("users/:user", "Remove a user from the team, and revoke the user's keys", errors: [409]) {
            (_: Call<NoBody>, context) in
            let name = context.name("user")
            try await team.edit { try $0.remove(name) }
            return NoContent()
        }
        addInvitations(to: routes)
    }

    private func addInvitations(to routes: RouteGroup<ControlContext>) {
        routes.get("user-invitations", "The invitations to the team that can be accepted") {
            (_: Call<NoBody>, context) in
            let apps = try await TeamFields.apps(context)
            let invitations = try await team.read { try $0.invitations() }
            return InvitationsAnswer(invitations: invitations.map { InvitationModel($0, apps) })
        }
        routes.post("user-invitations", "Invite a person to the team", .created, errors: [409]) {
            (call: Call<UserBody>, context) in
            let (person, access) = try await Self.person(try await call.body(), context)
            return InvitationModel(
                try await team.edit { try $0.invite(person, access: access) }, try await TeamFields.apps(context))
        }
        routes.post(
            "user-invitations/:invitation/accept", "Accept an invitation, by ID or email address, for the person"
        ) { (_: Call<NoBody>, context) in
            let name = context.name("invitation")
            return UserModel(try await team.edit { try $0.accept(name) }, try await TeamFields.apps(context))
        }
        routes.delete("user-invitations/:invitation", "Take an invitation back") { (_: Call<NoBody>, context) in
            let name = context.name("invitation")
            try await team.edit { try $0.cancelInvitation(name) }
            return NoContent()
        }
    }

    private func create(_ call: Call<UserBody>, _ context: ControlContext) async throws -> UserModel {
        let (person, access) = try await Self.person(try await call.body(), context)
        return UserModel(
            try await team.edit { try $0.create(person, access: access) }, try await TeamFields.apps(context))
    }

    private func update(_ call: Call<AccessBody>, _ context: ControlContext) async throws -> UserModel {
        let (name, body) = (context.name("user"), try await call.body())
        let apps = try await TeamFields.apps(context)
        let visible = try body.visibleApps.map { try TeamFields.numbers(of: $0, apps) }
        let change = TeamAccess.Change(
            roles: try body.roles.map { try TeamFields.roles($0, among: ConnectRole.allCases) },
            // An empty list makes all apps visible.
            allAppsVisible: visible.map(\.isEmpty), provisioningAllowed: body.provisioningAllowed,
            visibleApps: visible)
        return UserModel(try await team.edit { try $0.update(name, change) }, apps)
    }

    private static func person(
        _ body: UserBody, _ context: ControlContext
    ) async throws -> (TeamPerson, TeamAccess) {
        let apps = try await TeamFields.apps(context)
        let visible = try TeamFields.numbers(of: body.visibleApps ?? [], apps)
        return (
            TeamPerson(email: body.username, firstName: body.firstName, lastName: body.lastName),
            TeamAccess(
                roles: try TeamFields.roles(body.roles, among: ConnectRole.allCases), allAppsVisible: visible.isEmpty,
                provisioningAllowed: body.provisioningAllowed ?? false, visibleApps: visible)
        )
    }
}

/// Fields of requests about the team.
enum TeamFields {
    static let email = Constraint.pattern(#"^[!-?A-~]{1,100}@[!-?A-~]{1,100}$"#, "An email address")
    static let name = Constraint.pattern(
        #"^[^\u0000\u202A-\u202E\u2066-\u2069]{1,100}$"#, "1 to 100 characters")
    static let nameOrNone = Constraint.pattern(
        #"^[^\u0000\u202A-\u202E\u2066-\u2069]{0,100}$"#, "At most 100 characters")
    static let roles = Constraint.items(.oneOf(ConnectRole.self), count: 1...ConnectRole.allCases.count)
    static let apps = Constraint.described("Bundle IDs of the apps that the user may see; all if empty")

    /// - Throws: ``APIError`` `malformedRequest` with the roles there are.
    static func roles(_ texts: [String], among allowed: [ConnectRole]) throws -> Set<ConnectRole> {
        guard texts.count <= allowed.count else {
            throw APIError(.badRequest, "malformedRequest", "each role is named once", field: "roles")
        }
        return Set(
            try texts.map { text in
                guard let role = allowed.first(where: { $0.rawValue == text }) else {
                    let names = allowed.map(\.rawValue).joined(separator: ", ")
                    throw APIError(.badRequest, "malformedRequest", "roles is one of: \(names)", field: "roles")
                }
                return role
            })
    }

    /// The bundle IDs of all apps by their Apple IDs.
    static func apps(_ context: ControlContext) async throws -> [Int64: String] {
        Dictionary(
            try await context.store.products.apps().map { ($0.app.appleID, $0.app.bundleID.rawValue) }
        ) { first, _ in first }
    }

    /// - Throws: ``CatalogEditError`` `.relationshipInvalid` for an app that the store doesn't have.
    static func numbers(of bundleIDs: [String], _ apps: [Int64: String]) throws -> Set<Int64> {
        Set(
            try bundleIDs.map { bundleID in
                guard let app = apps.first(where: { $0.value == bundleID }) else {
                    throw CatalogEditError(
                        .relationshipInvalid, at: .relationship("visibleApps"),
                        "This store has no app with the bundle ID '\(bundleID)'.")
                }
                return app.key
            })
    }

    static func bundleIDs(of access: TeamAccess, _ apps: [Int64: String]) -> [String] {
        access.visibleApps.compactMap { apps[$0] }.sorted()
    }
}
