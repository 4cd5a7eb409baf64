import StoreKit
import StoreKitTest
import Testing

// What clients add themselves. Each of these lines is an error if the module has the conformance already.

extension SKPaymentTransactionState: CustomDebugStringConvertible {
    public var debugDescription: String {
        switch self {
        case .purchasing: "purchasing"
        case .purchased: "purchased"
        case .failed: "failed"
        case .restored: "restored"
        case .deferred: "deferred"
        @unknown default: "unknown"
        }
    }
}

extension SKError.Code: CaseIterable {
    public static var allCases: [SKError.Code] { (0...20).compactMap(SKError.Code.init(rawValue:)) }
}

extension StoreKitError: Equatable {
    public static func == (one: StoreKitError, other: StoreKitError) -> Bool {
        switch (one, other) {
        case (.unknown, .unknown), (.userCancelled, .userCancelled), (.notEntitled, .notEntitled): true
        case (.networkError(let one), .networkError(let other)): one.code == other.code
        default: false
        }
    }
}

extension VerificationResult: CustomStringConvertible where SignedType == StoreKit.Transaction {
    public var description: String { "\(unsafePayloadValue.productID)" }
}

extension SKRequest: @unchecked Sendable {}

/// A protocol of an app over Apple's type: the class has to match it to the letter.
protocol ProductSource {
    static func products<Identifiers>(for identifiers: Identifiers) async throws -> [Product]
    where Identifiers: Collection, Identifiers.Element == String
}

extension Product: ProductSource {}

protocol Finishable {
    var productID: String { get }
    func finish() async
}

extension StoreKit.Transaction: Finishable {}

@Suite("Usage: names and raw values")
struct NamesTests {
    @Test("types have the names that app code writes")
    func names() {
        #expect(namesOfStoreKit.count > 150)
        #expect(namesOfStoreKitTest.count > 30)
    }

    @Test("clients add the conformances that Apple's types don't have")
    func conformances() {
        #expect("\(SKPaymentTransactionState.deferred.debugDescription)" == "deferred")
        #expect(SKError.Code.allCases.count == 21)
        #expect(StoreKitError.userCancelled == .userCancelled)
    }

    @Test("raw values of StoreKit 1 are Apple's")
    func rawValuesOfStoreKit1() {
        let states: [SKPaymentTransactionState] = [.purchasing, .purchased, .failed, .restored, .deferred]
        #expect(states.map(\.rawValue) == [0, 1, 2, 3, 4])
        let downloads: [SKDownloadState] = [.waiting, .active, .paused, .finished, .failed, .cancelled]
        #expect(downloads.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
        let units: [SKProduct.PeriodUnit] = [.day, .week, .month, .year]
        #expect(units.map(\.rawValue) == [0, 1, 2, 3] as [UInt])
        let modes: [SKProductDiscount.PaymentMode] = [.payAsYouGo, .payUpFront, .freeTrial]
        #expect(modes.map(\.rawValue) == [0, 1, 2] as [UInt])
        let types: [SKProductDiscount.`Type`] = [.introductory, .subscription]
        #expect(types.map(\.rawValue) == [0, 1] as [UInt])
        #expect(SKDownloadTimeRemainingUnknown == -1)
        #expect(
            NSNotification.Name.SKStorefrontCountryCodeDidChange.rawValue
                == "SKStorefrontCountryCodeDidChangeNotification")
    }

    @Test("raw values of StoreKit 2 are those of the signed payloads")
    func rawValuesOfStoreKit2() {
        #expect(Product.ProductType.consumable.rawValue == "Consumable")
        #expect(Product.ProductType.nonConsumable.rawValue == "Non-Consumable")
        #expect(Product.ProductType.autoRenewable.rawValue == "Auto-Renewable Subscription")
        #expect(Product.ProductType.nonRenewable.rawValue == "Non-Renewing Subscription")
        #expect(AppStore.Environment(rawValue: "Xcode") == .xcode)
        #expect(StoreKit.Transaction.Reason(rawValue: "RENEWAL") == .renewal)
        #expect(StoreKit.Transaction.OwnershipType.familyShared.rawValue == "FAMILY_SHARED")
        #expect(StoreKit.Transaction.OfferType.promotional.rawValue == 2)
        #expect(StoreKit.Transaction.RevocationReason.developerIssue.rawValue == 1)
        #expect(Product.SubscriptionInfo.RenewalState.subscribed.rawValue == 1)
        #expect(Product.SubscriptionInfo.RenewalState.revoked.rawValue == 5)
        #expect(Product.SubscriptionInfo.RenewalInfo.ExpirationReason.billingError.rawValue == 2)
        switch Product.ProductType(rawValue: "Consumable") {
        case .consumable: break
        default: Issue.record("a raw value isn't its constant")
        }
    }

    @Test("raw values of time rates are Apple's")
    func rawValuesOfTimeRates() {
        #expect(SKTestSession.TimeRate(rawValue: 6) == .oneSecondIsOneDay)
        #expect(SKTestSession.TimeRate.monthlyRenewalEveryThirtySeconds.rawValue == 15)
        #expect(SKTestSession.TimeRate.oneRenewalEveryTwoSeconds.rawValue == 1005)
        #expect(SKTestSession.TimeRate.realTime.rawValue == 0)
    }

    @Test("purchase options are values: equal ones are one member of a set")
    func options() {
        let token = UUID()
        let options: Set<Product.PurchaseOption> = [.appAccountToken(token), .quantity(2), .appAccountToken(token)]
        #expect(options == [.quantity(2), .appAccountToken(token)])
        #expect(Product.PurchaseOption.promotionalOffer("a", compactJWS: "b.c.d").count == 2)
        #expect(Product.PurchaseOption.custom(key: "a", value: 1.0) != .custom(key: "a", value: "1"))
    }
}
