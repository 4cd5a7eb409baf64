import Perennial

/// The columns of a person's access, which users and invitations have alike.
enum TeamColumns {
    static let names = "roles, all_apps_visible, provisioning_allowed, visible_apps"

    static func values(_ access: TeamAccess) -> [SQLValue] {
        [
            .text(access.roles.names.joined(separator: ",")), SQLValue(access.allAppsVisible),
            SQLValue(access.provisioningAllowed),
            .text(access.visibleApps.sorted().map(String.init).joined(separator: ",")),
        ]
    }

    /// Reads the access from four columns.
    static func access(_ row: any Row, from first: Int) throws -> TeamAccess {
        TeamAccess(
            roles: roles(try row.text(first)), allAppsVisible: try row.bool(first + 1),
            provisioningAllowed: try row.bool(first + 2),
            visibleApps: Set(try row.text(first + 3).split(separator: ",").compactMap { Int64($0) }))
    }

    static func roles(_ text: String) -> Set<ConnectRole> {
        Set(text.split(separator: ",").compactMap { ConnectRole(rawValue: String($0)) })
    }
}
