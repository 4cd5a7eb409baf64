import Foundation

/// A payment method that a customer binds to an app. This store binds none.
///
/// Source: Apple, StoreKit documentation, "PaymentMethodBinding".
public struct PaymentMethodBinding: Sendable, Hashable, Identifiable {
    /// Type of identifiers.
    public typealias ID = String

    /// Identifier of the binding.
    public let id: String

    /// Looks up a binding.
    ///
    /// - Throws: ``PaymentMethodBindingError/invalidPinningID`` for an empty identifier, otherwise
    ///   ``PaymentMethodBindingError/notEligible``: as for any customer who may not bind.
    public init(id: String) async throws {
        guard !id.isEmpty else { throw PaymentMethodBindingError.invalidPinningID }
        throw PaymentMethodBindingError.notEligible
    }

    /// Binds the payment method.
    ///
    /// - Throws: ``PaymentMethodBindingError/notEligible``.
    public func bind() async throws {
        throw PaymentMethodBindingError.notEligible
    }

    /// An error of a binding.
    public enum PaymentMethodBindingError: LocalizedError, Equatable, Hashable {
        /// The customer may not bind a payment method.
        case notEligible
        /// The identifier is invalid.
        case invalidPinningID
        /// The binding failed.
        case failed

        /// Domain of the bridged error, which names Apple's module.
        public var _domain: String { "StoreKit.PaymentMethodBinding.PaymentMethodBindingError" }

        public var errorDescription: String? { "Unable to Bind Payment Method" }

        public var failureReason: String? {
            switch self {
            case .notEligible: "You may not bind a payment method to this app."
            case .invalidPinningID: "The identifier is not valid."
            case .failed: "The payment method could not be bound."
            }
        }

        public var recoverySuggestion: String? {
            switch self {
            case .notEligible: "Choose another way to pay."
            case .invalidPinningID: "Use another identifier."
            case .failed: "Try again later."
            }
        }
    }
}
