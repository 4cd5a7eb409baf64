import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An error of StoreKit 2.
///
/// The order of the cases is Apple's, since it decides the codes of bridged errors.
///
/// Source: Apple, StoreKit documentation, "StoreKitError".
public enum StoreKitError: Error, Sendable {
    /// An unknown error.
    case unknown
    /// The customer cancelled the action.
    case userCancelled
    /// The store can't be reached.
    case networkError(URLError)
    /// An error of the system or the store; see the error inside.
    case systemError(any Error)
    /// The product is not available in the customer's storefront.
    case notAvailableInStorefront
    /// The app lacks the entitlement for the action.
    case notEntitled
    /// The action is not supported.
    case unsupported
    /// The action can't present its sheet here; never thrown.
    case invalidPresentationContext

    /// Domain of the bridged error, which names Apple's module.
    public var _domain: String { "StoreKit.StoreKitError" }
}

extension StoreKitError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .unknown, .systemError: "Unable to Complete Request"
        case .userCancelled: "Request Canceled"
        case .networkError: "No Connection to the Store"
        case .notAvailableInStorefront: "Item Unavailable"
        case .notEntitled: "Not Entitled"
        case .unsupported: "Not Supported"
        case .invalidPresentationContext: "Unable to Show Sheet"
        }
    }

    public var failureReason: String? {
        switch self {
        case .unknown: "An unknown error occurred."
        case .userCancelled: "The request was canceled."
        case .networkError(let error): error.localizedDescription
        case .systemError(let error): error.localizedDescription
        case .notAvailableInStorefront: "The item is not for sale in your country or region."
        case .notEntitled: "The app lacks the entitlement for the request."
        case .unsupported: "The store doesn't support the request."
        case .invalidPresentationContext: "The sheet can't be shown here."
        }
    }

    public var recoverySuggestion: String? {
        switch self {
        case .unknown, .systemError: "Try again later."
        case .networkError: "Check the connection and try again."
        case .notAvailableInStorefront: "Choose another item."
        case .userCancelled, .notEntitled, .unsupported, .invalidPresentationContext: nil
        }
    }
}

extension StoreKitError {
    /// Makes an error of StoreKit 2 from any error of the client.
    init(wrapping error: any Error) {
        switch error {
        case let error as StoreKitError: self = error
        case is CancellationError: self = .networkError(URLError(.cancelled))
        case let error as URLError: self = .networkError(error)
        default:
            let failure = StoreFailure(wrapping: error)
            self = failure.urlError.map { .networkError($0) } ?? .systemError(failure.skError)
        }
    }
}
