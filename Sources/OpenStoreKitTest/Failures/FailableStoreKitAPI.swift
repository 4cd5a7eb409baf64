/// An API of StoreKit whose errors a test session can simulate.
///
/// Source: Apple, StoreKitTest documentation, "FailableStoreKitAPI".
public protocol FailableStoreKitAPI<Failure>: Sendable {
    /// Errors that the API throws.
    associatedtype Failure: SKTestFailure
}

/// A code of a simulated error.
public struct _SKTestFailureCode: Equatable {
    let rawValue: Int
}

/// `AppStore.sync()`.
public struct StoreKitAppStoreSyncAPI: FailableStoreKitAPI {
    /// Errors of this API.
    public typealias Failure = SKTestFailures.AppStoreSync

    /// Makes the value.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitAppStoreSyncAPI {
    /// `AppStore.sync()`.
    public static var appStoreSync: StoreKitAppStoreSyncAPI { StoreKitAppStoreSyncAPI() }
}

/// `AppTransaction.shared` and `refresh()`.
public struct StoreKitAppTransactionAPI: FailableStoreKitAPI {
    /// Errors of this API.
    public typealias Failure = SKTestFailures.AppTransaction

    /// Makes the value.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitAppTransactionAPI {
    /// `AppTransaction.shared` and `refresh()`.
    public static var appTransaction: StoreKitAppTransactionAPI { StoreKitAppTransactionAPI() }
}

/// `Product.products(for:)`.
public struct StoreKitLoadProductsAPI: FailableStoreKitAPI {
    /// Errors of this API.
    public typealias Failure = SKTestFailures.LoadProducts

    /// Makes the value.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitLoadProductsAPI {
    /// `Product.products(for:)`.
    public static var loadProducts: StoreKitLoadProductsAPI { StoreKitLoadProductsAPI() }
}

/// The sheet of subscriptions, which needs a screen: there is none here, so its error is stored and never thrown.
public struct StoreKitManageSubscriptionsAPI: FailableStoreKitAPI {
    /// Errors of this API.
    public typealias Failure = SKTestFailures.ManageSubscriptions

    /// Makes the value.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitManageSubscriptionsAPI {
    /// The sheet of subscriptions.
    public static var manageSubscriptions: StoreKitManageSubscriptionsAPI { StoreKitManageSubscriptionsAPI() }
}

/// The sheet of offer codes, and `StoreConnection.redeem(code:)`.
public struct StoreKitOfferCodeRedeemAPI: FailableStoreKitAPI {
    /// Errors of this API.
    public typealias Failure = SKTestFailures.OfferCodeRedeem

    /// Makes the value.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitOfferCodeRedeemAPI {
    /// The sheet of offer codes.
    public static var offerCodeRedeem: StoreKitOfferCodeRedeemAPI { StoreKitOfferCodeRedeemAPI() }
}

/// `Product.purchase(options:)`.
public struct StoreKitPurchaseAPI: FailableStoreKitAPI {
    /// Errors of this API.
    public typealias Failure = SKTestFailures.Purchase

    /// Makes the value.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitPurchaseAPI {
    /// `Product.purchase(options:)`.
    public static var purchase: StoreKitPurchaseAPI { StoreKitPurchaseAPI() }
}

/// Requests for refunds.
public struct StoreKitRefundRequestAPI: FailableStoreKitAPI {
    /// Errors of this API.
    public typealias Failure = SKTestFailures.RefundRequest

    /// Makes the value.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitRefundRequestAPI {
    /// Requests for refunds.
    public static var refundRequest: StoreKitRefundRequestAPI { StoreKitRefundRequestAPI() }
}

/// Statuses of subscriptions.
public struct StoreKitSubscriptionStatusAPI: FailableStoreKitAPI {
    /// Errors of this API.
    public typealias Failure = SKTestFailures.SubscriptionStatus

    /// Makes the value.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitSubscriptionStatusAPI {
    /// Statuses of subscriptions.
    public static var subscriptionStatus: StoreKitSubscriptionStatusAPI { StoreKitSubscriptionStatusAPI() }
}

/// The verification of transactions.
public struct StoreKitVerificationAPI: FailableStoreKitAPI {
    /// Errors of this API.
    public typealias Failure = SKTestFailures.Verification

    /// Makes the value.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitVerificationAPI {
    /// The verification of transactions.
    public static var verification: StoreKitVerificationAPI { StoreKitVerificationAPI() }
}
