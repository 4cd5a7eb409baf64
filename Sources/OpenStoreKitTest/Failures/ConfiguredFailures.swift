import AppStoreFormats
import Foundation
import OpenStoreKit

/// The simulated errors of a configuration file, `settings._storeKitErrors`: each names an API, and an error by its position in a list.
///
/// The lists are in the order of the errors' declarations. Xcode documents none; in the files that were compared a chosen error of
/// loading products is number 2 of the list `generic`, which is the network's.
struct ConfiguredFailures: Sendable {
    private(set) var failures: [SimulatedErrors.API: any SimulatedFailure] = [:]

    init() {}

    /// Reads the errors that are switched on. Without a chosen one, or with one of a later version, it is the first of the API's list.
    init(_ errors: [StoreKitFile.SimulatedError]) {
        for error in errors where error.isEnabled == true {
            guard let api = error.name.flatMap(Self.api) else { continue }
            failures[api] = Self.failure(of: api, error.current?.type ?? "", error.current?.index ?? 0)
        }
    }

    private static func api(named name: String) -> SimulatedErrors.API? {
        switch name {
        case "Load Products": .loadProducts
        case "Purchase": .purchase
        case "Verification": .verification
        case "App Store Sync": .appStoreSync
        case "Subscription Status": .subscriptionStatus
        case "App Transaction": .appTransaction
        case "Manage Subscriptions Sheet": .manageSubscriptions
        case "Refund Request Sheet": .refundRequest
        case "Offer Code Redeem Sheet": .offerCodeRedeem
        default: nil
        }
    }

    private static func failure(of api: SimulatedErrors.API, _ list: String, _ index: Int) -> any SimulatedFailure {
        let generic = entry(index, of: genericErrors, or: StoreKitError.unknown)
        return switch api {
        case .loadProducts: SKTestFailures.LoadProducts.generic(generic)
        case .purchase where list == "purchase":
            SKTestFailures.Purchase.purchase(entry(index, of: purchaseErrors, or: .invalidQuantity))
        case .purchase: SKTestFailures.Purchase.generic(generic)
        case .verification:
            SKTestFailures.Verification.verification(entry(index, of: verificationErrors, or: .revokedCertificate))
        case .appStoreSync: SKTestFailures.AppStoreSync.generic(generic)
        case .subscriptionStatus: SKTestFailures.SubscriptionStatus.generic(generic)
        case .appTransaction: SKTestFailures.AppTransaction.generic(generic)
        case .manageSubscriptions: SKTestFailures.ManageSubscriptions.generic(generic)
        case .refundRequest where list == "refundRequest":
            SKTestFailures.RefundRequest.refundRequest(entry(index, of: refundErrors, or: .failed))
        case .refundRequest: SKTestFailures.RefundRequest.generic(generic)
        case .offerCodeRedeem: SKTestFailures.OfferCodeRedeem.generic(generic)
        }
    }

    private static func entry<Failure>(_ index: Int, of list: [Failure], or other: Failure) -> Failure {
        list.indices.contains(index) ? list[index] : other
    }

    private static let genericErrors: [StoreKitError] = [
        .unknown, .userCancelled, .networkError(URLError(.notConnectedToInternet)), .systemError(SKError(.unknown)),
        .notAvailableInStorefront, .notEntitled, .unsupported,
    ]
    private static let purchaseErrors: [Product.PurchaseError] = [
        .invalidQuantity, .productUnavailable, .purchaseNotAllowed, .ineligibleForOffer, .invalidOfferIdentifier,
        .invalidOfferPrice, .invalidOfferSignature, .missingOfferParameters,
    ]
    private static let verificationErrors: [VerificationResult<Any>.VerificationError] = [
        .revokedCertificate, .invalidCertificateChain, .invalidDeviceVerification, .invalidEncoding, .invalidSignature,
        .missingRequiredProperties,
    ]
    private static let refundErrors: [OpenStoreKit.Transaction.RefundRequestError] = [.duplicateRequest, .failed]
}
