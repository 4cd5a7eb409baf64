import Foundation
import OpenStoreKit

/// An error that a test session can simulate.
///
/// Source: Apple, StoreKitTest documentation, "SKTestFailure".
public protocol SKTestFailure: Equatable, Sendable {}

/// The errors that a test session can simulate, by API.
///
/// Source: Apple, StoreKitTest documentation, "SKTestFailures".
public enum SKTestFailures {
    /// Errors of `AppStore.sync()`.
    public enum AppStoreSync: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)
    }

    /// Errors of `AppTransaction.shared` and `refresh()`.
    public enum AppTransaction: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)
    }

    /// Errors of `Product.products(for:)`.
    public enum LoadProducts: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)
    }

    /// Errors of the sheet of subscriptions.
    public enum ManageSubscriptions: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)
    }

    /// Errors of the sheet of offer codes.
    public enum OfferCodeRedeem: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)
    }

    /// Errors of `Product.purchase(options:)`.
    public enum Purchase: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)
        /// An error of the purchase.
        case purchase(Product.PurchaseError)
    }

    /// Errors of requests for refunds.
    public enum RefundRequest: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)
        /// An error of the request.
        case refundRequest(OpenStoreKit.Transaction.RefundRequestError)
    }

    /// Errors of subscription statuses.
    public enum SubscriptionStatus: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)
    }

    /// Errors of the verification of transactions.
    public enum Verification: SKTestFailure {
        /// An error of the verification.
        case verification(VerificationResult<Any>.VerificationError)
    }
}
