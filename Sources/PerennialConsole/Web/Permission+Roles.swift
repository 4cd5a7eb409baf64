import Perennial
import PerennialConnect

extension Permission {
    /// Returns the permissions of a user's roles (docs/reference/console.md has the table).
    static func all(of roles: Set<ConnectRole>) -> Set<Permission> {
        roles.reduce(into: []) { $0.formUnion(all(of: $1)) }
    }

    /// Returns the permissions of a visitor: the operator has all.
    static func all(of session: ConsoleSession) -> Set<Permission> {
        session.user.map { all(of: $0.access.roles) } ?? Set(allCases)
    }

    private static func all(of role: ConnectRole) -> Set<Permission> {
        switch role {
        case .accountHolder, .admin: Set(allCases)
        case .appManager: [.view, .viewSales, .support, .editCatalog, .operate]
        case .developer: [.view, .support, .operate]
        case .finance: [.view, .viewSales, .viewMoney]
        case .sales, .accessToReports: [.view, .viewSales]
        case .marketing: [.view, .editCatalog]
        case .customerSupport: [.view, .support]
        // A user has these beside another role: alone they open nothing.
        case .createApps, .cloudManagedDeveloperID, .cloudManagedAppDistribution, .generateIndividualKeys: []
        }
    }
}
