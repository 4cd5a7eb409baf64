import Perennial
import Testing

@testable import PerennialHTTP

/// The permissions of operations (docs/reference/connect-api.md, "Keys and roles").
struct ConnectPermissionTests {
    @Test(arguments: [
        ("GET v1/apps", ConnectRole.Permission.readApps), ("GET v1/territories", .readApps),
        ("GET v1/apps/{id}/inAppPurchasesV2", .readCatalog),
        ("GET v1/apps/{id}/analyticsReportRequests", .readAnalytics),
        ("PATCH v1/apps/{id}", .manageApps), ("PATCH v1/subscriptionGracePeriods/{id}", .manageApps),
        ("POST v2/inAppPurchases", .manageProducts), ("POST v1/subscriptionPrices", .manageProducts),
        ("DELETE v1/subscriptions/{id}/relationships/prices", .manageProducts),
        ("PATCH v1/apps/{id}/relationships/promotedPurchases", .manageOffers), ("POST v1/winBackOffers", .manageOffers),
        ("POST v1/subscriptionOfferCodeCustomCodes", .manageOffers), ("PATCH v2/sandboxTesters/{id}", .manageTesters),
        ("POST v2/sandboxTestersClearPurchaseHistoryRequest", .manageTesters), ("GET v1/users", .manageUsers),
        ("GET v1/users/{id}/visibleApps", .manageUsers), ("POST v1/users/{id}/relationships/visibleApps", .manageUsers),
        ("GET v1/actors", .readCatalog), ("GET v1/salesReports", .readSalesReports),
        ("GET v1/financeReports", .readFinanceReports), ("POST v1/analyticsReportRequests", .requestAnalytics),
        ("POST v1/reviewSubmissions", .manageProducts),
    ])
    func `an operation needs the permission of its resources`(
        name: String, permission: ConnectRole.Permission
    ) throws {
        let schema = ConnectSchema.current
        let operation = try #require(schema.operations[name])
        #expect(ConnectPermissions.needed(operation, schema) == permission)
    }
}
