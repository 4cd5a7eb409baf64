/// A role of a user of the seller's team, or of a key. It decides what they may do (docs/reference/connect-api.md, "Keys and
/// roles").
package enum ConnectRole: String, Sendable, Codable, CaseIterable {
    /// One user of a team has it, no key.
    case accountHolder = "ACCOUNT_HOLDER"
    case admin = "ADMIN"
    case appManager = "APP_MANAGER"
    case developer = "DEVELOPER"
    case finance = "FINANCE"
    case sales = "SALES"
    case accessToReports = "ACCESS_TO_REPORTS"
    case marketing = "MARKETING"
    case customerSupport = "CUSTOMER_SUPPORT"
    // Users have these beside another role. The first three are for services that this store doesn't have.
    case createApps = "CREATE_APPS"
    case cloudManagedDeveloperID = "CLOUD_MANAGED_DEVELOPER_ID"
    case cloudManagedAppDistribution = "CLOUD_MANAGED_APP_DISTRIBUTION"
    /// A user who may have an individual key.
    case generateIndividualKeys = "GENERATE_INDIVIDUAL_KEYS"

    /// A group of operations that the same roles may perform.
    package enum Permission: Sendable, CaseIterable {
        /// Reading apps and storefronts.
        case readApps
        /// Reading products, prices, offers, codes, submissions and who made them.
        case readCatalog
        /// Changing an app: the URLs of server notifications, the grace period, its price and availability.
        case manageApps
        /// Creating, changing, pricing, deleting and submitting products and groups, with introductory and promotional
        /// offers.
        case manageProducts
        /// Creating and changing win-back offers, offer codes and promoted purchases.
        case manageOffers
        /// Reading and changing sandbox testers.
        case manageTesters
        /// Reading and changing users and invitations.
        case manageUsers
        /// Downloading reports of Sales and Trends.
        case readSalesReports
        /// Downloading payments and financial reports.
        case readFinanceReports
        /// Reading analytics reports, their instances and segments.
        case readAnalytics
        /// Asking for analytics reports.
        case requestAnalytics
    }

    /// The roles that a team key may have: Apple's keys have roles up to ADMIN.
    package static let ofKeys: [ConnectRole] = [
        .admin, .appManager, .developer, .finance, .sales, .accessToReports, .marketing, .customerSupport,
    ]

    /// True for a role that a user has beside another one: alone it opens nothing.
    package var isAdditional: Bool { self != .accountHolder && !Self.ofKeys.contains(self) }

    /// Returns true if the role may perform the operations of a group.
    package func grants(_ permission: Permission) -> Bool {
        if isAdditional { return false }
        if self == .accountHolder || self == .admin { return true }
        return switch permission {
        case .readApps: true
        case .readCatalog: self != .accessToReports
        case .manageApps, .manageProducts: self == .appManager
        case .manageOffers: self == .appManager || self == .marketing
        case .manageTesters: self == .appManager || self == .developer
        case .manageUsers: false
        case .readSalesReports: [.finance, .sales, .accessToReports].contains(self)
        case .readFinanceReports: self == .finance
        case .readAnalytics: [.appManager, .finance, .sales, .accessToReports].contains(self)
        case .requestAnalytics: self == .appManager
        }
    }
}

extension ConnectRole.Permission {
    /// False for operations that only team keys may perform: Apple's individual keys download no reports of sales and
    /// finance.
    package var isOpenToIndividualKeys: Bool { self != .readSalesReports && self != .readFinanceReports }
}

extension Set<ConnectRole> {
    /// Returns true if one of the roles may perform the operations of a group.
    package func grant(_ permission: ConnectRole.Permission) -> Bool { contains { $0.grants(permission) } }

    /// The roles in alphabetical order, as storage and the control API write them.
    package var names: [String] { map(\.rawValue).sorted() }
}
