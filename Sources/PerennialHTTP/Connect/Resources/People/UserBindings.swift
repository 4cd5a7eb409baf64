import Perennial
import PerennialConnect
import PerennialStore

/// Bindings of `users`, `userInvitations` and `actors`.
enum UserBindings {
    static let all = [users, invitations, actors]

    private static let users = ConnectBinding(
        type: "users",
        read: { id, at in try user(id, at).map { attributes($0) } },
        list: { at in .init(try team(at).users().map(\.id)) },
        related: ["visibleApps": { id, at in .many(apps(try user(id, at)?.access)) }],
        update: { id, entity, at in _ = try team(at).update(id, try change(entity)) },
        delete: { id, at in try team(at).remove(id) },
        setRelated: [
            "visibleApps": { id, ids, at in
                let apps = try numbers(ids)
                _ = try team(at).update(id, TeamAccess.Change(visibleApps: apps))
            }
        ],
        addRelated: [
            "visibleApps": { id, ids, at in
                let apps = try team(at).found(id).access.visibleApps.union(numbers(ids))
                _ = try team(at).update(id, TeamAccess.Change(visibleApps: apps))
            }
        ],
        removeRelated: [
            "visibleApps": { id, ids, at in
                let apps = try team(at).found(id).access.visibleApps.subtracting(numbers(ids))
                _ = try team(at).update(id, TeamAccess.Change(visibleApps: apps))
            }
        ],
        filters: ["roles": { ids, roles, at in try ids.filter { try has(user($0, at)?.access, roles) } }],
        content: { id, at in apps(try user(id, at)?.access) })

    private static let invitations = ConnectBinding(
        type: "userInvitations",
        read: { id, at in try invitation(id, at).map { attributes($0) } },
        list: { at in .init(try team(at).invitations().map(\.id)) },
        related: ["visibleApps": { id, at in .many(apps(try invitation(id, at)?.access)) }],
        create: { entity, at in
            let person = TeamPerson(
                email: try entity.requiredText("email"), firstName: try entity.requiredText("firstName"),
                lastName: try entity.requiredText("lastName"))
            let change = try change(entity)
            // A request that names apps means these.
            let visible = change.visibleApps ?? []
            let access = TeamAccess(
                roles: change.roles ?? [], allAppsVisible: change.allAppsVisible ?? visible.isEmpty,
                provisioningAllowed: change.provisioningAllowed ?? false, visibleApps: visible)
            return try team(at).invite(person, access: access).id
        },
        delete: { id, at in try team(at).cancelInvitation(id) },
        filters: ["roles": { ids, roles, at in try ids.filter { try has(invitation($0, at)?.access, roles) } }])

    /// The author of a change: a user, or a key of the team.
    private static let actors = ConnectBinding(
        type: "actors",
        read: { id, at in
            if let user = try user(id, at) {
                return [
                    "actorType": .text("USER"), "userFirstName": .text(user.firstName),
                    "userLastName": .text(user.lastName), "userEmail": .text(user.username), "apiKeyId": .null,
                ]
            }
            guard let key = try team(at).key(id) else { return nil }
            return [
                "actorType": .text("API_KEY"), "userFirstName": .null, "userLastName": .null, "userEmail": .null,
                "apiKeyId": .text(key.id),
            ]
        },
        // The list is by ID only.
        list: { at in ConnectIDs((at.filter("id") ?? []).sorted()).applied("id") })

    // MARK: Reading

    private static func team(_ at: ConnectReading) -> TeamDraft {
        // Invitations expire by real time in every environment.
        TeamDraft(on: at.catalog.connection, at: at.store.wallClockNow)
    }

    private static func team(_ at: ConnectEditing) -> TeamDraft {
        TeamDraft(on: at.catalog.connection, at: at.catalog.at)
    }

    private static func user(_ id: String, _ at: ConnectReading) throws -> TeamUser? {
        try team(at).user(id)
    }

    private static func invitation(_ id: String, _ at: ConnectReading) throws -> TeamInvitation? {
        try team(at).invitation(id)
    }

    private static func attributes(_ user: TeamUser) -> ConnectAttributes {
        attributes(user.access).merging([
            "username": .text(user.username), "firstName": .text(user.firstName), "lastName": .text(user.lastName),
        ]) { $1 }
    }

    private static func attributes(_ invitation: TeamInvitation) -> ConnectAttributes {
        attributes(invitation.access).merging([
            "email": .text(invitation.email), "firstName": .text(invitation.firstName),
            "lastName": .text(invitation.lastName), "expirationDate": .dateTime(invitation.expires),
        ]) { $1 }
    }

    private static func attributes(_ access: TeamAccess) -> ConnectAttributes {
        [
            "roles": .texts(access.roles.names), "allAppsVisible": .bool(access.allAppsVisible),
            "provisioningAllowed": .bool(access.provisioningAllowed),
        ]
    }

    private static func apps(_ access: TeamAccess?) -> [String] {
        (access?.visibleApps ?? []).sorted().map(String.init)
    }

    private static func has(_ access: TeamAccess?, _ roles: Set<String>) -> Bool {
        access?.roles.contains { roles.contains($0.rawValue) } ?? false
    }

    // MARK: Changing

    private static func change(_ entity: ConnectEntity) throws -> TeamAccess.Change {
        TeamAccess.Change(
            roles: try entity.texts("roles").map { texts in
                Set(
                    try texts.map { text in
                        guard let role = ConnectRole(rawValue: text) else {
                            throw CatalogEditError(.invalid, at: .attribute("roles"), "'\(text)' is not a role.")
                        }
                        return role
                    })
            },
            allAppsVisible: try entity.bool("allAppsVisible"),
            provisioningAllowed: try entity.bool("provisioningAllowed"),
            visibleApps: try entity.many("visibleApps").map { try numbers($0) })
    }

    private static func numbers(_ ids: [String]) throws -> Set<Int64> {
        Set(
            try ids.map { id in
                guard let number = Int64(id) else {
                    throw CatalogEditError(
                        .relationshipInvalid, at: .relationship("visibleApps"),
                        "There is no resource of type 'apps' with id '\(id)'.")
                }
                return number
            })
    }
}
