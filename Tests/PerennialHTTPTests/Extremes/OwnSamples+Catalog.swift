import TestSupport

@testable import PerennialHTTP

/// Samples of requests about the catalog and the team.
extension OwnSamples {
    /// Returns the value of a field; `nil` for another operation.
    static func catalogValue(_ name: String, _ path: String) -> JSONValue? {
        if path.hasSuffix("connect-keys"), name == "user" { return "uma@example.com" }
        if path.contains("/catalog/products/{productId}/offers") { return offer[name] }
        if path.hasSuffix("/catalog/promoted") { return promoted[name] }
        if path.contains("/catalog/groups") { return group[name] }
        if path.contains("/catalog/products") { return product[name] }
        if path.hasPrefix("control/v1/user") || path.hasPrefix("control/v1/testers") { return person[name] }
        return nil
    }

    /// Returns the value of a part of a path; `nil` for another operation.
    static func catalogParameter(_ name: String, _ path: String) -> String? {
        switch name {
        case "productId" where path.contains("/offers"): "monthly"
        case "group": "magazine"
        case "kind": "promotional"
        case "offer": "half"
        case "user": "uma@example.com"
        case "invitation": "ivy@example.com"
        default: nil
        }
    }

    private static let texts: JSONValue = [["locale": "de-DE", "name": "Das hier", "description": "Ganz"]]

    private static let product: [String: JSONValue] = [
        "productId": "sample.new", "type": "consumable", "name": "Sample", "reviewNote": "See page 3",
        "taxCategory": "books", "familyShareable": false, "group": "magazine", "level": 3, "period": "P1M",
        "localizations": texts, "removedLocales": ["de-DE"], "storefronts": ["USA"], "includesNewStorefronts": false,
        "clearedForSale": true, "revision": 1, "version": "1.0",
    ]
    private static let promoted: [String: JSONValue] = [
        "productId": "film.roll", "visible": true, "productIds": ["film.roll"],
    ]
    private static let group: [String: JSONValue] = [
        "name": "Sample", "localizations": [["locale": "de-DE", "name": "Das hier", "customAppName": "Heft"]],
        "removedLocales": ["de-DE"], "revision": 1,
    ]
    private static let offer: [String: JSONValue] = [
        "kind": "promotional", "offerId": "sample", "name": "Sample", "paymentMode": "payAsYouGo", "period": "P1M",
        "periodCount": 2, "price": 990, "prices": ["USA": 990], "storefronts": ["USA"], "starts": "2094-01-01",
        "ends": "2094-02-01", "eligibility": ["new"], "stackable": true, "active": true, "revision": 1,
        "winBack": [
            "paidMonths": 2, "monthsSinceEnd": 1, "maximumMonthsSinceEnd": 6, "monthsBetweenOffers": 3,
            "priority": "HIGH",
        ],
    ]
    private static let person: [String: JSONValue] = [
        "username": "sam@example.com", "firstName": "Sam", "lastName": "Sample", "roles": ["MARKETING"],
        "provisioningAllowed": false, "visibleApps": ["com.example.magazine"],
    ]
}
