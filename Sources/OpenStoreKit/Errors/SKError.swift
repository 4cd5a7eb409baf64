import Foundation

/// The domain of StoreKit's errors.
public let SKErrorDomain = "SKErrorDomain"

/// In ``SKError/userInfo``: the store's own word for the error, such as `paymentDeclined` (a `String`).
public let SKStoreErrorCodeKey = "SKStoreErrorCode"

/// In ``SKError/userInfo``: the field of a request which the store objected to (a `String`).
public let SKStoreErrorFieldKey = "SKStoreErrorField"

/// What StoreKit tells an app of a failure.
///
/// Equality looks at the code only.
public struct SKError: CustomNSError, LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// The numbers of `SKErrorDomain`, as Apple documents them.
    public enum Code: Int, Sendable, CaseIterable, Codable {
        case unknown = 0
        case clientInvalid = 1
        case paymentCancelled = 2
        case paymentInvalid = 3
        case paymentNotAllowed = 4
        case storeProductNotAvailable = 5
        case cloudServicePermissionDenied = 6
        case cloudServiceNetworkConnectionFailed = 7
        case cloudServiceRevoked = 8
        case privacyAcknowledgementRequired = 9
        case unauthorizedRequestData = 10
        case invalidOfferIdentifier = 11
        case invalidSignature = 12
        case missingOfferParams = 13
        case invalidOfferPrice = 14
        case overlayCancelled = 15
        case overlayInvalidConfiguration = 16
        case overlayTimeout = 17
        case ineligibleForOffer = 18
        case unsupportedPlatform = 19
        case overlayPresentedInBackgroundScene = 20
    }

    public let code: Code
    /// The store's message, or the client's, for a person.
    public let message: String
    /// The store's word for it; `nil` where the store didn't answer.
    public let storeErrorCode: String?
    /// The field of the request which the store objected to.
    public let field: String?
    /// Whether the request may have been carried out all the same: no answer came, or none that can be relied on.
    let isAmbiguous: Bool
    /// Whether the store itself has said so, in its protocol.
    let isStoresAnswer: Bool

    /// An error with a code and nothing more.
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

    /// The message, and under ``SKStoreErrorCodeKey`` the store's word.
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

/// The codes by their short names, and as patterns: `catch SKError.paymentCancelled`.
extension SKError {
    public static var unknown: Code { .unknown }
    public static var clientInvalid: Code { .clientInvalid }
    public static var paymentCancelled: Code { .paymentCancelled }
    public static var paymentInvalid: Code { .paymentInvalid }
    public static var paymentNotAllowed: Code { .paymentNotAllowed }
    public static var storeProductNotAvailable: Code { .storeProductNotAvailable }
    public static var cloudServicePermissionDenied: Code { .cloudServicePermissionDenied }
    public static var cloudServiceNetworkConnectionFailed: Code { .cloudServiceNetworkConnectionFailed }
    public static var cloudServiceRevoked: Code { .cloudServiceRevoked }
    public static var privacyAcknowledgementRequired: Code { .privacyAcknowledgementRequired }
    public static var unauthorizedRequestData: Code { .unauthorizedRequestData }
    public static var invalidOfferIdentifier: Code { .invalidOfferIdentifier }
    public static var invalidSignature: Code { .invalidSignature }
    public static var missingOfferParams: Code { .missingOfferParams }
    public static var invalidOfferPrice: Code { .invalidOfferPrice }
    public static var ineligibleForOffer: Code { .ineligibleForOffer }
    public static var unsupportedPlatform: Code { .unsupportedPlatform }
}

extension SKError.Code {
    /// Lets a `catch` or `case` name a code where an error is expected.
    public static func ~= (code: SKError.Code, error: any Error) -> Bool {
        (error as? SKError)?.code == code
    }
}
