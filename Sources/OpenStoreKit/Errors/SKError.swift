import Foundation

/// The domain of StoreKit's errors.
///
/// Source: Apple, StoreKit documentation, "SKErrorDomain".
public let SKErrorDomain = "SKErrorDomain"

/// Key in ``SKError/userInfo`` of the store's error code, a `String` such as `paymentDeclined`; an addition to StoreKit.
public let SKStoreErrorCodeKey = "SKStoreErrorCode"

/// Key in ``SKError/userInfo`` of the request's invalid field, a `String`; an addition to StoreKit.
public let SKStoreErrorFieldKey = "SKStoreErrorField"

/// A StoreKit error.
///
/// Equality compares the code only.
///
/// Source: Apple, StoreKit documentation, "SKError".
public struct SKError: CustomNSError, LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// Error codes of `SKErrorDomain`, with Apple's raw values.
    ///
    /// Source: Apple, StoreKit documentation, "SKError.Code".
    public enum Code: Int, Sendable, CaseIterable, Codable {
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
    }

    /// The error code.
    public let code: Code
    /// Message of the store or the client, for people.
    public let message: String
    /// Error code of the store's protocol; `nil` without an answer of the store.
    public let storeErrorCode: String?
    /// The request's invalid field; `nil` if no field is at fault.
    public let field: String?
    /// True if the request may have been carried out: without a reliable answer.
    let isAmbiguous: Bool
    /// True for an error in the store's protocol.
    let isStoresAnswer: Bool

    /// Makes an error from a code.
    public init(_ code: Code) {
        self.init(code, message: "")
    }

    init(
        _ code: Code, message: String, storeErrorCode: String? = nil, field: String? = nil, isAmbiguous: Bool = false,
        isStoresAnswer: Bool = false
    ) {
        self.code = code
        self.message = message
        self.storeErrorCode = storeErrorCode
        self.field = field
        self.isAmbiguous = isAmbiguous
        self.isStoresAnswer = isStoresAnswer
    }

    public static var errorDomain: String { SKErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorDescription: String? { description }

    /// The message, and the store's error code and field under ``SKStoreErrorCodeKey`` and ``SKStoreErrorFieldKey``.
    public var userInfo: [String: Any] { errorUserInfo }

    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: description]
        if let storeErrorCode { info[SKStoreErrorCodeKey] = storeErrorCode }
        if let field { info[SKStoreErrorFieldKey] = field }
        return info
    }

    public var description: String {
        let word = storeErrorCode.map { " (\($0))" } ?? ""
        return message.isEmpty ? "\(code)\(word)" : "\(message)\(word)"
    }

    public static func == (one: SKError, other: SKError) -> Bool { one.code == other.code }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}

/// Short names of the codes, also as patterns: `catch SKError.paymentCancelled`.
extension SKError {
    /// ``SKError/Code/unknown``
    public static var unknown: Code { .unknown }
    /// ``SKError/Code/clientInvalid``
    public static var clientInvalid: Code { .clientInvalid }
    /// ``SKError/Code/paymentCancelled``
    public static var paymentCancelled: Code { .paymentCancelled }
    /// ``SKError/Code/paymentInvalid``
    public static var paymentInvalid: Code { .paymentInvalid }
    /// ``SKError/Code/paymentNotAllowed``
    public static var paymentNotAllowed: Code { .paymentNotAllowed }
    /// ``SKError/Code/storeProductNotAvailable``
    public static var storeProductNotAvailable: Code { .storeProductNotAvailable }
    /// ``SKError/Code/cloudServicePermissionDenied``
    public static var cloudServicePermissionDenied: Code { .cloudServicePermissionDenied }
    /// ``SKError/Code/cloudServiceNetworkConnectionFailed``
    public static var cloudServiceNetworkConnectionFailed: Code { .cloudServiceNetworkConnectionFailed }
    /// ``SKError/Code/cloudServiceRevoked``
    public static var cloudServiceRevoked: Code { .cloudServiceRevoked }
    /// ``SKError/Code/privacyAcknowledgementRequired``
    public static var privacyAcknowledgementRequired: Code { .privacyAcknowledgementRequired }
    /// ``SKError/Code/unauthorizedRequestData``
    public static var unauthorizedRequestData: Code { .unauthorizedRequestData }
    /// ``SKError/Code/invalidOfferIdentifier``
    public static var invalidOfferIdentifier: Code { .invalidOfferIdentifier }
    /// ``SKError/Code/invalidSignature``
    public static var invalidSignature: Code { .invalidSignature }
    /// ``SKError/Code/missingOfferParams``
    public static var missingOfferParams: Code { .missingOfferParams }
    /// ``SKError/Code/invalidOfferPrice``
    public static var invalidOfferPrice: Code { .invalidOfferPrice }
    /// ``SKError/Code/ineligibleForOffer``
    public static var ineligibleForOffer: Code { .ineligibleForOffer }
    /// ``SKError/Code/unsupportedPlatform``
    public static var unsupportedPlatform: Code { .unsupportedPlatform }
}

extension SKError.Code {
    /// Matches an error by its code.
    public static func ~= (code: SKError.Code, error: any Error) -> Bool {
        (error as? SKError)?.code == code
    }
}
