import AppStoreFormats

/// A reason of ``VerificationResult/VerificationError``, independent of the signed type.
package enum VerificationFailure: String, Error, Sendable, Hashable, CaseIterable {
    case revokedCertificate, invalidCertificateChain, invalidDeviceVerification, invalidEncoding, invalidSignature
    case missingRequiredProperties

    init(_ error: JWSError) {
        switch error.code {
        case .tooLarge, .malformed: self = .invalidEncoding
        case .malformedPayload: self = .missingRequiredProperties
        case .untrustedChain, .wrongCertificatePurpose, .expiredCertificate: self = .invalidCertificateChain
        case .badSignature: self = .invalidSignature
        }
    }

    /// Reads an error that a session simulates: one of these, or a `VerificationError` of any signed type.
    init(simulated error: any Error) {
        switch error {
        case let failure as VerificationFailure: self = failure
        case let error as VerificationResult<Transaction>.VerificationError: self = error.failure
        case let error as VerificationResult<Product.SubscriptionInfo.RenewalInfo>.VerificationError:
            self = error.failure
        case let error as VerificationResult<AppTransaction>.VerificationError: self = error.failure
        // The generic type has one case name for each signed type.
        default: self = VerificationFailure(rawValue: "\(error)") ?? .invalidSignature
        }
    }

    var reason: String {
        switch self {
        case .revokedCertificate: "A certificate of the signature was revoked."
        case .invalidCertificateChain: "The signature's certificates don't lead to the store's root."
        case .invalidDeviceVerification: "The data was signed for another device or app."
        case .invalidEncoding: "The signed data is malformed."
        case .invalidSignature: "The signature doesn't fit the data."
        case .missingRequiredProperties: "The signed data lacks required properties."
        }
    }
}
