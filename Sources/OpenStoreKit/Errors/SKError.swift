import Foundation

/// The domain of StoreKit's errors.
///
/// Source: Apple, StoreKit documentation, "SKErrorDomain".
public let SKErrorDomain: String = "SKErrorDomain"

/// Key in ``SKError/userInfo`` of the store's error code, a `String` such as `paymentDeclined`; an addition to StoreKit.
public let SKStoreErrorCodeKey = "SKStoreErrorCode"

/// Key in ``SKError/userInfo`` of the request's invalid field, a `String`; an addition to StoreKit.
public let SKStoreErrorFieldKey = "SKStoreErrorField"

/// A StoreKit error.
///
/// Wraps an `NSError`, as errors that are imported from Objective-C do: `as NSError` keeps domain, code and user info.
///
/// Source: Apple, StoreKit documentation, "SKError".
public struct SKError: _BridgedStoredNSError {
    /// The wrapped error.
    public let _nsError: NSError

    /// Wraps an error of any domain.
    public init(_nsError: NSError) {
        self._nsError = _nsError
    }

    /// The domain, for bridging.
    public static var _nsErrorDomain: String { SKErrorDomain }
    /// The domain, `SKErrorDomain`.
    public static var errorDomain: String { SKErrorDomain }

    // Foundation's own implementations for wrapped errors call each other without end on Linux.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(_nsError.domain)
        hasher.combine(_nsError.code)
    }

    public var hashValue: Int {
        var hasher = Hasher()
        hash(into: &hasher)
        return hasher.finalize()
    }

    /// Error codes of `SKErrorDomain`, with Apple's raw values.
    ///
    /// Source: Apple, StoreKit documentation, "SKError.Code".
    public enum Code: Int, Sendable, _ErrorCodeProtocol {
        public typealias _ErrorType = SKError

        /// An unknown or unexpected error.
        case unknown = 0
        /// The client may not perform the action.
        case clientInvalid = 1
        /// The customer cancelled the payment.
        case paymentCancelled = 2
        /// A parameter of the payment is invalid.
        case paymentInvalid = 3
        /// The customer may not make payments.
        case paymentNotAllowed = 4
        /// The product is not available in the storefront.
        case storeProductNotAvailable = 5
        /// The customer denied access to cloud services; never thrown.
        case cloudServicePermissionDenied = 6
        /// The device could not connect to the network; never thrown.
        case cloudServiceNetworkConnectionFailed = 7
        /// The customer revoked access to cloud services; never thrown.
        case cloudServiceRevoked = 8
        /// The customer has to acknowledge the privacy policy; never thrown.
        case privacyAcknowledgementRequired = 9
        /// The payment has request data, which is reserved.
        case unauthorizedRequestData = 10
        /// The offer identifier is unknown or not active.
        case invalidOfferIdentifier = 11
        /// The signature of the payment discount is invalid.
        case invalidSignature = 12
        /// The payment discount lacks parameters.
        case missingOfferParams = 13
        /// The price of the offer is invalid.
        case invalidOfferPrice = 14
        /// The app cancelled the overlay; never thrown.
        case overlayCancelled = 15
        /// The configuration of the overlay is invalid; never thrown.
        case overlayInvalidConfiguration = 16
        /// The overlay timed out; never thrown.
        case overlayTimeout = 17
        /// The customer is not eligible for the offer.
        case ineligibleForOffer = 18
        /// The platform doesn't support overlays; never thrown.
        case unsupportedPlatform = 19
        /// The overlay was presented in a background scene; never thrown.
        case overlayPresentedInBackgroundScene = 20
        /// The payment method binding lacks its configuration; never thrown.
        case paymentMethodBindingConfigurationRequired = 21
    }
}
