/// The parts of the App Store Connect API that a store has no use for.
enum ConnectUnserved {
    /// The reason why an operation of the tables isn't served.
    static func reason(_ operation: ConnectOperation) -> String {
        switch (operation.type, operation.action) {
        case ("apps", .related("webhooks")), ("apps", .linkages("webhooks")), ("webhooks", _), ("webhookDeliveries", _),
            ("webhookPings", _):
            "No webhook has an event of commerce: use App Store Server Notifications"
        case ("apps", .related("inAppPurchases")), ("apps", .linkages("inAppPurchases")), ("inAppPurchases.v1", _):
            "Use inAppPurchasesV2 of the app, and /v2/inAppPurchases"
        case ("inAppPurchaseContents", _), ("inAppPurchases", _): "The App Store no longer hosts content"
        case ("endAppAvailabilityPreOrders", _): "The store has no pre-orders"
        default: "The store doesn't serve it"
        }
    }

    /// Returns the reason why resources that Apple has, and the store hasn't, aren't served; `nil` for names of no
    /// resource.
    ///
    /// - Parameter name: Of a type, or of a relationship of an app.
    static func reason(of name: String) -> String? {
        groups.first { group in group.prefixes.contains { name.hasPrefix($0) } }?.reason
    }

    private static let groups: [(prefixes: [String], reason: String)] = [
        (["gameCenter"], "The store has no Game Center"),
        (
            ["beta", "build", "preReleaseVersion", "testFlight", "prerelease"],
            "The store has no TestFlight and no builds"
        ),
        (["ci", "scm"], "The store has no Xcode Cloud"),
        (
            ["bundleId", "certificate", "device", "profile", "merchantId", "passTypeId"],
            "The store has no provisioning: register an app in the catalog"
        ),
        (
            [
                "ageRating", "accessibility", "appCategor", "appClip", "appCustomProductPage", "appEncryption",
                "appEvent",
                "appInfo", "appKeyword", "appPreview", "appScreenshot", "appStoreIcon", "appStoreReviewDetail",
                "appStoreVersion", "appTag", "endUserLicense", "idfa", "nomination", "routingAppCoverage",
                "searchKeyword",
            ], "The store has no product pages"
        ),
        (["customerReview"], "The store has no customer reviews"),
        (["alternativeDistribution", "marketplace"], "The store has no alternative distribution"),
        (["backgroundAsset"], "The store has no background assets"),
        (["diagnostic", "perfPower"], "The store has no diagnostics"),
        (["android"], "The store doesn't know apps of other systems"),
        (["appAssetLibrar"], "The store has no asset library"),
        (["retention"], "Use the retention messaging of the App Store Server API"),
    ]
}
