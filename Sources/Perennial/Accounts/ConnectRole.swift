/// A role of a team key of the App Store Connect API. It decides what the key may do (docs/reference/connect-api.md).
package enum ConnectRole: String, Sendable, Codable, CaseIterable {
    case admin = "ADMIN"
    case appManager = "APP_MANAGER"
    case developer = "DEVELOPER"
    case finance = "FINANCE"
    case sales = "SALES"
    case accessToReports = "ACCESS_TO_REPORTS"
    case marketing = "MARKETING"
    case customerSupport = "CUSTOMER_SUPPORT"

    /// A group of operations that the same roles may perform.
    package enum Permission: Sendable, CaseIterable {
        /// Reading apps.
        case readApps
        /// Downloading reports of Sales and Trends.
        case readSalesReports
        /// Downloading payments and financial reports.
        case readFinanceReports
        /// Reading analytics reports, their instances and segments.
        case readAnalytics
        /// Asking for analytics reports.
        case requestAnalytics
    }

    /// Returns true if the role may perform the operations of a group.
    package func grants(_ permission: Permission) -> Bool {
        switch permission {
        case .readApps: true
        case .readSalesReports: [.admin, .finance, .sales, .accessToReports].contains(self)
        case .readFinanceReports: [.admin, .finance].contains(self)
        case .readAnalytics: [.admin, .appManager, .finance, .sales, .accessToReports].contains(self)
        case .requestAnalytics: [.admin, .appManager].contains(self)
        }
    }
}

extension Set<ConnectRole> {
    /// Returns true if one of the roles may perform the operations of a group.
    package func grant(_ permission: ConnectRole.Permission) -> Bool { contains { $0.grants(permission) } }

    /// The roles in alphabetical order, as storage and the control API write them.
    package var names: [String] { map(\.rawValue).sorted() }
}
