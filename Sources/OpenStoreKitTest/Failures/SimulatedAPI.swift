import OpenStoreKit

/// The name of an API in the client.
protocol SimulatedAPI: FailableStoreKitAPI {
    static var name: SimulatedErrors.API { get }
}

extension StoreKitAppStoreSyncAPI: SimulatedAPI { static var name: SimulatedErrors.API { .appStoreSync } }
extension StoreKitAppTransactionAPI: SimulatedAPI { static var name: SimulatedErrors.API { .appTransaction } }
extension StoreKitLoadProductsAPI: SimulatedAPI { static var name: SimulatedErrors.API { .loadProducts } }
extension StoreKitManageSubscriptionsAPI: SimulatedAPI { static var name: SimulatedErrors.API { .manageSubscriptions } }
extension StoreKitOfferCodeRedeemAPI: SimulatedAPI { static var name: SimulatedErrors.API { .offerCodeRedeem } }
extension StoreKitPurchaseAPI: SimulatedAPI { static var name: SimulatedErrors.API { .purchase } }
extension StoreKitRefundRequestAPI: SimulatedAPI { static var name: SimulatedErrors.API { .refundRequest } }
extension StoreKitSubscriptionStatusAPI: SimulatedAPI { static var name: SimulatedErrors.API { .subscriptionStatus } }
extension StoreKitVerificationAPI: SimulatedAPI { static var name: SimulatedErrors.API { .verification } }

/// The error that an API throws.
protocol SimulatedFailure: SKTestFailure {
    var thrownError: any Error { get }
}

extension SKTestFailures.AppStoreSync: SimulatedFailure {
    var thrownError: any Error {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.AppTransaction: SimulatedFailure {
    var thrownError: any Error {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.LoadProducts: SimulatedFailure {
    var thrownError: any Error {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.ManageSubscriptions: SimulatedFailure {
    var thrownError: any Error {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.OfferCodeRedeem: SimulatedFailure {
    var thrownError: any Error {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.Purchase: SimulatedFailure {
    var thrownError: any Error {
        switch self {
        case .generic(let error): error
        case .purchase(let error): error
        }
    }
}

extension SKTestFailures.RefundRequest: SimulatedFailure {
    var thrownError: any Error {
        switch self {
        case .generic(let error): error
        case .refundRequest(let error): error
        }
    }
}

extension SKTestFailures.SubscriptionStatus: SimulatedFailure {
    var thrownError: any Error {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.Verification: SimulatedFailure {
    var thrownError: any Error {
        switch self {
        case .verification(let error): error
        }
    }
}
