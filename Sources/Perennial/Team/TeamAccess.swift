/// The roles of a user and the apps that the user may see.
package struct TeamAccess: Hashable, Sendable {
    package var roles: Set<ConnectRole>
    package var allAppsVisible: Bool
    /// True if the user may use signing certificates. This store has none, and keeps the setting.
    package var provisioningAllowed: Bool
    /// The Apple IDs of the apps that the user may see; empty if all are visible.
    package var visibleApps: Set<Int64>

    package init(
        roles: Set<ConnectRole>, allAppsVisible: Bool = true, provisioningAllowed: Bool = false,
        visibleApps: Set<Int64> = []
    ) {
        self.roles = roles
        self.allAppsVisible = allAppsVisible
        self.provisioningAllowed = provisioningAllowed
        self.visibleApps = visibleApps
    }

    /// The apps that a request on the user's behalf may see; `nil` for all.
    package var scope: Set<Int64>? { allAppsVisible ? nil : visibleApps }
}

extension TeamAccess {
    /// A change of some of the settings. Missing ones stay.
    package struct Change: Hashable, Sendable {
        package var roles: Set<ConnectRole>?
        package var allAppsVisible: Bool?
        package var provisioningAllowed: Bool?
        package var visibleApps: Set<Int64>?

        package init(
            roles: Set<ConnectRole>? = nil, allAppsVisible: Bool? = nil, provisioningAllowed: Bool? = nil,
            visibleApps: Set<Int64>? = nil
        ) {
            self.roles = roles
            self.allAppsVisible = allAppsVisible
            self.provisioningAllowed = provisioningAllowed
            self.visibleApps = visibleApps
        }
    }

    /// Returns the access after a change. Making all apps visible empties the list of apps.
    ///
    /// - Throws: ``CatalogEditError`` for a result that breaks a rule.
    package func applying(_ change: Change) throws -> TeamAccess {
        var access = self
        access.roles = change.roles ?? roles
        access.provisioningAllowed = change.provisioningAllowed ?? provisioningAllowed
        access.allAppsVisible = change.allAppsVisible ?? allAppsVisible
        access.visibleApps = change.visibleApps ?? (access.allAppsVisible ? [] : visibleApps)
        try access.check(isAccountHolder: roles.contains(.accountHolder))
        return access
    }

    /// Checks the access of a user or of an invitation.
    ///
    /// - Parameter isAccountHolder: True for the user who is the account holder, whose role can't be taken or given.
    /// - Throws: ``CatalogEditError`` with the attribute or relationship.
    package func check(isAccountHolder: Bool) throws {
        guard roles.contains(where: { !$0.isAdditional }) else {
            throw CatalogEditError(
                .invalid, at: .attribute("roles"),
                "A user has at least one of the roles \(Self.mainRoles.joined(separator: ", ")).")
        }
        guard roles.contains(.accountHolder) == isAccountHolder else {
            throw CatalogEditError(
                .invalid, at: .attribute("roles"),
                isAccountHolder
                    ? "The account holder keeps the role ACCOUNT_HOLDER until it is transferred."
                    : "The role ACCOUNT_HOLDER is transferred by the account holder, not given.")
        }
        if allAppsVisible {
            guard visibleApps.isEmpty else {
                throw CatalogEditError(
                    .relationshipInvalid, at: .relationship("visibleApps"),
                    "The user sees all apps: set allAppsVisible to false to choose some.")
            }
            return
        }
        if let role = Self.rolesOfAllApps.first(where: roles.contains) {
            throw CatalogEditError(
                .invalid, at: .attribute("allAppsVisible"), "A user with the role \(role.rawValue) sees all apps.")
        }
        guard !visibleApps.isEmpty else {
            throw CatalogEditError(
                .relationshipRequired, at: .relationship("visibleApps"),
                "A user who doesn't see all apps sees at least one.")
        }
    }

    private static let mainRoles = ConnectRole.allCases.filter { !$0.isAdditional }.map(\.rawValue)
    /// Roles that are about the whole account.
    private static let rolesOfAllApps: [ConnectRole] = [.accountHolder, .admin, .finance, .accessToReports]
}
