import Foundation
import TestSupport
import Testing

/// Documents of the App Store Connect API about the magazine, member by member.
///
/// Record them anew with `PERENNIAL_RECORD=1 swift test --filter GoldenDocumentTests`; a path instead of `1` names another
/// folder.
struct GoldenDocumentTests {
    /// A document's name and its path. `{monthly}` stands for the ID of the monthly subscription.
    static let documents: [(name: String, path: String)] = [
        ("app", "v1/apps/1234567"),
        ("products", "v1/apps/1234567/inAppPurchasesV2?include=inAppPurchaseLocalizations,versions&limit=2"),
        ("product", "v2/inAppPurchases/101?include=iapPriceSchedule,inAppPurchaseAvailability,promotedPurchase"),
        ("price-points", "v2/inAppPurchases/101/pricePoints?filter[territory]=USA,JPN&include=territory&limit=3"),
        ("price-schedule", "v1/inAppPurchasePriceSchedules/101?include=manualPrices,baseTerritory"),
        (
            "automatic-prices",
            "v1/inAppPurchasePriceSchedules/101/automaticPrices?include=territory,inAppPurchasePricePoint&limit=3"
        ),
        ("groups", "v1/apps/1234567/subscriptionGroups?include=subscriptions,subscriptionGroupLocalizations"),
        ("subscription", "v1/subscriptions/{monthly}?include=group,introductoryOffers,promotionalOffers,winBackOffers"),
        ("subscription-prices", "v1/subscriptions/{monthly}/prices?include=subscriptionPricePoint,territory&limit=3"),
        ("offer-codes", "v1/subscriptions/{monthly}/offerCodes?include=prices&limit[prices]=2"),
        ("grace-period", "v1/apps/1234567/subscriptionGracePeriod"),
        ("linkages", "v1/apps/1234567/relationships/inAppPurchasesV2?limit=3"),
        ("territories", "v1/territories?limit=3"),
    ]

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Golden")

    /// An environment with a clock that stands still.
    private static let place = "/environments/staging"

    @Test(arguments: documents.map(\.name))
    func `a document has the recorded members`(name: String) async throws {
        let text = try await ConnectServer.run(app: TestCatalog.magazineWithOffers) { connect in
            var path = try #require(Self.documents.first { $0.name == name }).path
            if path.contains("{monthly}") {
                let found = try await connect.get(
                    "\(Self.place)/v1/apps/1234567/subscriptionGroups?include=subscriptions&limit[subscriptions]=50")
                let monthly = found["included"]?.elements?.first { $0["attributes"]?["productId"] == "monthly" }
                path = path.replacing("{monthly}", with: try #require(monthly?["id"]?.text))
            }
            let reply = try await connect.get("\(Self.place)/\(path)")
            #expect(reply.status == 200)
            return try Self.readable(try #require(reply.json))
        }
        if let place = ProcessInfo.processInfo.environment["PERENNIAL_RECORD"] {
            let folder = place.hasPrefix("/") ? URL(filePath: place) : Self.folder
            try Data(text.utf8).write(to: folder.appending(path: "\(name).json"))
        }
        let recorded = try String(contentsOf: Self.folder.appending(path: "\(name).json"), encoding: .utf8)
        #expect(text == recorded)
    }

    /// One member a line, and the same host everywhere.
    private static func readable(_ document: JSONValue) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(document), as: UTF8.self)
        return text.replacing(/https?:\/\/[^\/"]+/, with: "https://HOST") + "\n"
    }
}
