import Foundation

/// A value that the store signed, with the outcome of verifying its signature.
///
/// Source: Apple, StoreKit documentation, "VerificationResult".
@frozen
public enum VerificationResult<SignedType> {
    /// The signature is valid, and its certificates lead to the store's root.
    case verified(SignedType)
    /// The value failed verification.
    case unverified(SignedType, VerificationResult<SignedType>.VerificationError)

    /// The value if it was verified.
    ///
    /// - Throws: ``VerificationError`` of an unverified value.
    public var payloadValue: SignedType {
        get throws {
            switch self {
            case .verified(let value): return value
            case .unverified(_, let error): throw error
            }
        }
    }

    /// The value, verified or not.
    public var unsafePayloadValue: SignedType {
        switch self {
        case .verified(let value), .unverified(let value, _): value
        }
    }

    /// The reason why a value failed verification.
    ///
    /// The order of the cases is Apple's, since it decides the codes of bridged errors.
    ///
    /// Source: Apple, StoreKit documentation, "VerificationResult.VerificationError".
    public enum VerificationError: Error, LocalizedError, Equatable, Hashable {
        /// A certificate of the chain was revoked.
        case revokedCertificate
        /// The certificates don't lead to the store's root, or weren't valid at the time of signing.
        case invalidCertificateChain
        /// The value was signed for another device or app.
        case invalidDeviceVerification
        /// The signed text is malformed.
        case invalidEncoding
        /// The signature doesn't fit the signed data.
        case invalidSignature
        /// The signed data lacks required properties.
        case missingRequiredProperties

        /// Domain of the bridged error, which names Apple's module and the signed type.
        public var _domain: String {
            String(reflecting: Self.self).replacingOccurrences(of: "OpenStoreKit.", with: "StoreKit.")
        }
    }
}

extension VerificationResult: Equatable where SignedType: Equatable {}

extension VerificationResult: Hashable where SignedType: Hashable {}

extension VerificationResult: Sendable where SignedType: Sendable {}

extension VerificationResult: CustomDebugStringConvertible where SignedType: CustomDebugStringConvertible {
    /// The outcome and the value's own description.
    public var debugDescription: String {
        switch self {
        case .verified(let value): "verified(\(value.debugDescription))"
        case .unverified(let value, let error): "unverified(\(value.debugDescription), \(error.failure.rawValue))"
        }
    }
}

extension VerificationResult.VerificationError {
    /// A localized message.
    public var errorDescription: String? { "The store's signature could not be verified." }

    /// The cause of the error.
    public var failureReason: String? { failure.reason }

    /// An action that may help.
    public var recoverySuggestion: String? { "Try again later, or restore purchases." }

    init(_ failure: VerificationFailure) {
        switch failure {
        case .revokedCertificate: self = .revokedCertificate
        case .invalidCertificateChain: self = .invalidCertificateChain
        case .invalidDeviceVerification: self = .invalidDeviceVerification
        case .invalidEncoding: self = .invalidEncoding
        case .invalidSignature: self = .invalidSignature
        case .missingRequiredProperties: self = .missingRequiredProperties
        }
    }

    var failure: VerificationFailure {
        switch self {
        case .revokedCertificate: .revokedCertificate
        case .invalidCertificateChain: .invalidCertificateChain
        case .invalidDeviceVerification: .invalidDeviceVerification
        case .invalidEncoding: .invalidEncoding
        case .invalidSignature: .invalidSignature
        case .missingRequiredProperties: .missingRequiredProperties
        }
    }
}

extension VerificationResult {
    init(_ value: SignedType, _ failure: VerificationFailure?) {
        if let failure {
            self = .unverified(value, VerificationError(failure))
        } else {
            self = .verified(value)
        }
    }
}
