import Perennial
import Testing

/// Roles and visible apps of users (docs/reference/connect-api.md, "Users and keys").
struct TeamAccessTests {
    private static let developer = TeamAccess(roles: [.developer], allAppsVisible: false, visibleApps: [1])

    @Test(arguments: [
        (TeamAccess(roles: []), CatalogEditError.Code.invalid),
        (TeamAccess(roles: [.generateIndividualKeys]), .invalid), (TeamAccess(roles: [.accountHolder]), .invalid),
        (TeamAccess(roles: [.admin], allAppsVisible: false, visibleApps: [1]), .invalid),
        (TeamAccess(roles: [.finance], allAppsVisible: false, visibleApps: [1]), .invalid),
        (TeamAccess(roles: [.developer], allAppsVisible: false), .relationshipRequired),
        (TeamAccess(roles: [.developer], visibleApps: [1]), .relationshipInvalid),
    ])
    func `access that breaks a rule is refused`(access: TeamAccess, code: CatalogEditError.Code) {
        #expect { try access.check(isAccountHolder: false) } throws: { ($0 as? CatalogEditError)?.code == code }
    }

    @Test func `access to some apps or to all is allowed`() throws {
        try Self.developer.check(isAccountHolder: false)
        try TeamAccess(roles: [.marketing, .generateIndividualKeys]).check(isAccountHolder: false)
        try TeamAccess(roles: [.accountHolder]).check(isAccountHolder: true)
        #expect(Self.developer.scope == [1])
        #expect(TeamAccess(roles: [.admin]).scope == nil)
    }

    @Test func `making all apps visible empties the list of apps`() throws {
        let all = try Self.developer.applying(TeamAccess.Change(allAppsVisible: true))
        #expect(all == TeamAccess(roles: [.developer]))
        #expect(throws: CatalogEditError.self) { try all.applying(TeamAccess.Change(visibleApps: [2])) }
        let some = try all.applying(TeamAccess.Change(allAppsVisible: false, visibleApps: [2]))
        #expect(some.visibleApps == [2])
    }

    @Test func `the account holder keeps the role`() {
        let holder = TeamAccess(roles: [.accountHolder])
        #expect(throws: CatalogEditError.self) { try holder.applying(TeamAccess.Change(roles: [.admin])) }
        #expect(throws: CatalogEditError.self) {
            try Self.developer.applying(TeamAccess.Change(roles: [.accountHolder], allAppsVisible: true))
        }
    }

    @Test func `a permission is granted to the documented roles`() {
        let main = ConnectRole.allCases.filter { !$0.isAdditional }
        func roles(_ permission: ConnectRole.Permission) -> Set<ConnectRole> {
            Set(main.filter { $0.grants(permission) })
        }
        let heads: Set<ConnectRole> = [.accountHolder, .admin]
        #expect(roles(.manageUsers) == heads)
        #expect(roles(.manageApps) == heads.union([.appManager]))
        #expect(roles(.manageProducts) == heads.union([.appManager]))
        #expect(roles(.manageOffers) == heads.union([.appManager, .marketing]))
        #expect(roles(.manageTesters) == heads.union([.appManager, .developer]))
        #expect(roles(.readCatalog) == Set(main).subtracting([.accessToReports]))
        #expect(roles(.readFinanceReports) == heads.union([.finance]))
        for role in ConnectRole.allCases where role.isAdditional {
            #expect(ConnectRole.Permission.allCases.allSatisfy { !role.grants($0) })
        }
    }

    @Test(arguments: [
        ("ann", "Ann", "Able", "email"), ("@example.com", "Ann", "Able", "email"),
        ("a b@example.com", "Ann", "Able", "email"), ("ann@example.com", "", "Able", "firstName"),
        ("ann@example.com", "Ann", String(repeating: "x", count: 101), "lastName"),
    ])
    func `a person without a good name or address isn't invited`(
        email: String, first: String, last: String, field: String
    ) {
        let person = TeamPerson(email: email, firstName: first, lastName: last)
        #expect {
            try TeamInvitation(
                person, access: TeamAccess(roles: [.sales]), id: "1", at: Instant(milliseconds: 0))
        } throws: {
            ($0 as? CatalogEditError)?.place == .attribute(field)
        }
    }

    @Test func `an account left behind has a name that fits and is its own`() {
        let name = String(repeating: "ü", count: 127)
        let account = Account(
            id: Account.ID(rawValue: 7), name: name, storefront: .usa, created: Instant(milliseconds: 0))
        let cleared = account.nameAfterClearing()
        #expect(cleared.utf8.count <= Account.maximumNameLength)
        #expect(cleared.hasSuffix("(cleared, account 7)"))
    }
}
