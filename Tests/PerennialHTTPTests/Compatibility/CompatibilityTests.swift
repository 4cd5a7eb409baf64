import AppStoreFormats
import Foundation
import HTTPTypes
import Hummingbird
import Perennial
import PerennialHTTP
import TestSupport
import Testing

/// `docs/reference/compatibility.md` is complete: a row for every endpoint, notification and field, each with a test that there is.
struct CompatibilityTests {
    @Test func `every row names a test that there is`() throws {
        let tests = try CompatibilityPage.tests()
        let rows = try CompatibilityPage().rows
        #expect(rows.count > 100)
        for row in rows {
            #expect(tests[row.suite]?.contains(row.testName) == true, "\(row.subject): there is no \(row.test)")
        }
    }

    @Test func `every endpoint of Apple's has a row, and every row an endpoint`() async throws {
        let shop = try await TestStore.make()
        let router = PerennialRouter(
            registry: shop.registry, controlToken: "", rootCertificate: [], delivery: nil, nanoseconds: { 0 })
        // Each environment has the same: those of the first are looked at.
        let apples = ["/inApps/", "/advancedCommerce/", "/verifyReceipt"]
        var endpoints: Set<String> = []
        for route in router.make().routes {
            let path = "/" + route.path.description.drop { $0 == "/" }
            // verifyReceipt answers every method, and means one.
            guard apples.contains(where: { path.hasPrefix($0) }), route.method == .post || path != "/verifyReceipt"
            else { continue }
            endpoints.insert("\(route.method.rawValue) \(path.dropFirst().replacing(/:(\w+)/) { "{\($0.1)}" })")
        }
        let rows = try CompatibilityPage().subjects("Endpoints")
        #expect(endpoints.subtracting(rows).sorted() == [], "endpoints without a row")
        #expect(rows.subtracting(endpoints).sorted() == [], "rows without an endpoint")
    }

    @Test func `every notification has a row`() throws {
        let known = DomainEvent.Kind.allCases.compactMap(\.notification).map { notification in
            notification.subtype.map { "\(notification.type) \($0)" } ?? notification.type
        }
        #expect(try CompatibilityPage().subjects("Notifications") == Set(known))
    }

    /// The suites that prove nothing but rules of the lifecycle.
    private static let lifecycleSuites = [
        "BillingRetryTests", "OfferEligibilityTests", "OfferPaymentModeTests", "PlanChangeTests", "PriceConsentTests",
        "RefundAndFamilyTests", "RenewalRateTests", "SignedOfferTests",
    ]

    @Test func `every rule of the lifecycle has a row, and every lifecycle test`() throws {
        let rows = try CompatibilityPage().rows("Subscriptions")
        let rules = try CompatibilityPage.headings(
            of: "docs/reference/apple-behaviour.md",
            below: [
                "Subscriptions", "Accelerated time",
            ])
        #expect(rules.count == 18)
        #expect(Set(rows.map(\.subject)) == Set(rules))
        let tests = try CompatibilityPage.tests()
        for suite in Self.lifecycleSuites {
            let named = try #require(tests[suite], "there is no \(suite)")
            let listed = rows.filter { $0.suite == suite }.map(\.testName)
            #expect(named.subtracting(listed).sorted() == [], "\(suite): tests without a row")
        }
    }

    /// Fields that Apple documents and Perennial doesn't model: each says why.
    private static let unmodelled: Set<String> = ["advancedCommerceInfo"]

    @Test func `every field of signed data has a row`() throws {
        let date = Date(timeIntervalSince1970: 0)
        let transaction = TransactionPayload(
            transactionId: "", originalTransactionId: "", bundleId: "", productId: "", type: .consumable,
            purchaseDate: date, originalPurchaseDate: date, signedDate: date, environment: .sandbox)
        let renewal = RenewalInfoPayload(
            originalTransactionId: "", productId: "", autoRenewProductId: "", autoRenewStatus: .init(rawValue: 1),
            signedDate: date, environment: .sandbox)
        let app = AppTransactionPayload(
            receiptType: .sandbox, bundleId: "", applicationVersion: "", receiptCreationDate: date,
            originalPurchaseDate: date)
        let page = try CompatibilityPage()
        for (heading, payload) in [
            ("Transactions", transaction as Any), ("Renewal information", renewal), ("App transactions", app),
        ] {
            // A property wrapper's storage has an underscore before the field's name.
            let fields = Set(
                Mirror(reflecting: payload).children.compactMap(\.label).map { String($0.drop { $0 == "_" }) })
            #expect(!fields.isEmpty)
            let rows = page.subjects(heading)
            #expect(fields.subtracting(rows).sorted() == [], "\(heading): fields without a row")
            #expect(rows.subtracting(fields).isSubset(of: Self.unmodelled), "\(heading): rows without a field")
            for row in page.rows(heading) where Self.unmodelled.contains(row.subject) {
                #expect(!row.difference.isEmpty, "\(row.subject)")
            }
        }
    }

    @Test func `every field of a notification has a row`() throws {
        let payload = NotificationPayload(
            notificationType: .test, notificationUUID: "", signedDate: Date(timeIntervalSince1970: 0))
        let parts: [Any] = [
            payload, NotificationPayload.Details(appAppleId: nil, bundleId: nil, environment: .sandbox),
            NotificationPayload.Summary(
                requestIdentifier: "", environment: .sandbox, appAppleId: nil, bundleId: "", productId: "",
                storefrontCountryCodes: [], succeededCount: 0, failedCount: 0),
            NotificationPayload.ExternalPurchaseToken(
                externalPurchaseId: "", tokenCreationDate: nil, appAppleId: nil, bundleId: ""),
            NotificationPayload.AppData(appAppleId: nil, bundleId: "", environment: .sandbox),
        ]
        let labels = parts.flatMap { Mirror(reflecting: $0).children.compactMap(\.label) }
        let fields = Set(labels.map { String($0.drop { $0 == "_" }) })
        #expect(try CompatibilityPage().subjects("Notification payloads") == fields)
    }

    @Test func `every pitfall has a row`() throws {
        #expect(try CompatibilityPage().subjects("Pitfalls") == Set((1...26).map { "\($0)" }))
    }
}
