import Foundation

extension Product {
    /// An error of a purchase.
    ///
    /// Source: Apple, StoreKit documentation, "Product.PurchaseError".
    public enum PurchaseError: Error, Equatable, Hashable {
        /// The quantity is not 1 to 10, or the product can be bought only once.
        case invalidQuantity
        /// The product is unknown, or not for sale in the storefront.
        case productUnavailable
        /// The customer may not buy.
        case purchaseNotAllowed
        /// The customer is not eligible for the offer.
        case ineligibleForOffer
        /// The product has no such offer.
        case invalidOfferIdentifier
        /// The offer costs more than the product without it.
        case invalidOfferPrice
        /// The signature of the offer is invalid.
        case invalidOfferSignature
        /// A part of the offer is missing.
        case missingOfferParameters
        /// The payment method needs a configuration; never thrown.
        case paymentMethodBindingConfigurationRequired
        /// The product isn't sold in several seats.
        case multiSeatPurchaseDisabled
        /// The number of seats can't be reduced; never thrown.
        case seatReductionNotAllowed

        /// Domain of the bridged error, which names Apple's module.
        public var _domain: String { "StoreKit.Product.PurchaseError" }
    }

    /// The outcome of a purchase.
    ///
    /// Source: Apple, StoreKit documentation, "Product.PurchaseResult".
    public enum PurchaseResult: Sendable {
        /// The customer has bought the product.
        case success(VerificationResult<Transaction>)
        /// The customer cancelled the purchase.
        case userCancelled
        /// The purchase waits for an action outside of the app, such as a parent's approval. If it comes, the transaction arrives
        /// through ``Transaction/updates``.
        case pending
    }
}

extension Product.PurchaseError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .invalidQuantity: "Invalid Quantity"
        case .productUnavailable: "Item Unavailable"
        case .purchaseNotAllowed: "Purchase Not Allowed"
        case .ineligibleForOffer, .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature,
            .missingOfferParameters:
            "Offer Not Available"
        case .paymentMethodBindingConfigurationRequired: "Payment Method Unavailable"
        case .multiSeatPurchaseDisabled, .seatReductionNotAllowed: "Seats Not Available"
        }
    }

    public var failureReason: String? {
        switch self {
        case .invalidQuantity: "The quantity must be from 1 to 10, and 1 for products that can be bought only once."
        case .productUnavailable: "The item is not for sale in your country or region."
        case .purchaseNotAllowed: "Your account may not make this purchase."
        case .ineligibleForOffer: "You are not eligible for this offer."
        case .invalidOfferIdentifier: "The item has no such offer."
        case .invalidOfferPrice: "The price of the offer is not valid any more."
        case .invalidOfferSignature: "The signature of the offer is not valid."
        case .missingOfferParameters: "The offer is incomplete."
        case .paymentMethodBindingConfigurationRequired: "The payment method is not configured."
        case .multiSeatPurchaseDisabled: "The item is not sold in several seats."
        case .seatReductionNotAllowed: "The number of seats can't be reduced."
        }
    }

    public var recoverySuggestion: String? {
        switch self {
        case .invalidQuantity: "Choose another quantity."
        case .productUnavailable: "Choose another item."
        case .purchaseNotAllowed: "Check the restrictions of your account."
        case .ineligibleForOffer, .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature,
            .missingOfferParameters:
            "Buy the item without the offer, or try again later."
        case .paymentMethodBindingConfigurationRequired: "Choose another payment method."
        case .multiSeatPurchaseDisabled, .seatReductionNotAllowed: "Choose another number of seats."
        }
    }
}

extension Product.PurchaseError {
    private static let codes: [(error: Product.PurchaseError, code: SKError.Code)] = [
        (.invalidQuantity, .paymentInvalid), (.productUnavailable, .storeProductNotAvailable),
        (.purchaseNotAllowed, .paymentNotAllowed), (.ineligibleForOffer, .ineligibleForOffer),
        (.invalidOfferIdentifier, .invalidOfferIdentifier), (.invalidOfferPrice, .invalidOfferPrice),
        (.invalidOfferSignature, .invalidSignature), (.missingOfferParameters, .missingOfferParams),
        (.paymentMethodBindingConfigurationRequired, .paymentMethodBindingConfigurationRequired),
    ]

    /// Code of the error in StoreKit 1.
    var skErrorCode: SKError.Code { Self.codes.first { $0.error == self }?.code ?? .paymentInvalid }

    /// Reads a code of StoreKit 1; `nil` for one that is no error of the purchase's terms.
    fileprivate init?(_ code: SKError.Code) {
        guard let known = Self.codes.first(where: { $0.code == code }) else { return nil }
        self = known.error
    }

    /// Returns the error that `Product.purchase(options:)` throws in place of one that a session simulates: StoreKit 1's error for
    /// failing transactions isn't thrown by StoreKit 2.
    static func thrown(for simulated: any Error) -> any Error {
        guard let error = simulated as? SKError else { return simulated }
        if let error = Product.PurchaseError(error.code) { return error }
        return error.code == .unknown ? StoreKitError.unknown : StoreKitError.systemError(error)
    }
}
