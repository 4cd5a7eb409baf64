import Perennial

/// The permissions that operations need, by the types of their resources (docs/reference/connect-api.md, "Keys and roles").
enum ConnectPermissions {
    /// The permission that an operation needs, apart from those of the resources it includes.
    static func needed(_ operation: ConnectOperation, _ schema: ConnectSchema) -> ConnectRole.Permission {
        // Which apps a user sees is about the user; all other related resources have a permission of their own.
        let isOfUsers = operation.type == "users" || operation.type == "userInvitations"
        let type = isOfUsers ? operation.type : schema.answered(by: operation)?.jsonType ?? operation.type
        return operation.action.isReading ? reading(type) : changing(type)
    }

    /// The permission to read resources of a type.
    static func reading(_ type: String) -> ConnectRole.Permission {
        switch type {
        case "apps", "territories": .readApps
        case "users", "userInvitations": .manageUsers
        case "sandboxTesters": .manageTesters
        case "salesReports": .readSalesReports
        case "financeReports": .readFinanceReports
        case _ where type.hasPrefix("analyticsReport"): .readAnalytics
        default: .readCatalog
        }
    }

    /// The permission to create, change and delete resources of a type.
    static func changing(_ type: String) -> ConnectRole.Permission {
        switch type {
        case "apps", "subscriptionGracePeriods", "appPriceSchedules", "appAvailabilities", "territoryAvailabilities":
            .manageApps
        case "users", "userInvitations": .manageUsers
        case "sandboxTesters", "sandboxTestersClearPurchaseHistoryRequest": .manageTesters
        case "promotedPurchases", "winBackOffers": .manageOffers
        case _ where type.contains("OfferCode"): .manageOffers
        case _ where type.hasPrefix("analyticsReport"): .requestAnalytics
        default: .manageProducts
        }
    }
}
