import Crypto
import Foundation

// Three separate extensions, because app code extends the same specialisations with members of its own.

extension VerificationResult where SignedType == Transaction {
    /// The JWS in compact form.
    public var jwsRepresentation: String { unsafePayloadValue.content.signed.text }
    /// The JWS header, decoded from base64url.
    public var headerData: Data { unsafePayloadValue.content.signed.headerData }
    /// The JWS payload, decoded from base64url.
    public var payloadData: Data { unsafePayloadValue.content.signed.payload }
    /// The JWS signature, decoded from base64url.
    public var signatureData: Data { unsafePayloadValue.content.signed.signatureData }
    /// The bytes that were signed: header and payload in base64url.
    public var signedData: Data { unsafePayloadValue.content.signed.signedData }
    /// The signature.
    public var signature: P256.Signing.ECDSASignature { unsafePayloadValue.content.signed.signature }
    /// The date of signing.
    public var signedDate: Date { unsafePayloadValue.signedDate }
    /// SHA-384 over the nonce and the device verification ID.
    public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
    /// The nonce of ``deviceVerification``.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }
}

extension VerificationResult where SignedType == Product.SubscriptionInfo.RenewalInfo {
    /// The JWS in compact form.
    public var jwsRepresentation: String { unsafePayloadValue.content.signed.text }
    /// The JWS header, decoded from base64url.
    public var headerData: Data { unsafePayloadValue.content.signed.headerData }
    /// The JWS payload, decoded from base64url.
    public var payloadData: Data { unsafePayloadValue.content.signed.payload }
    /// The JWS signature, decoded from base64url.
    public var signatureData: Data { unsafePayloadValue.content.signed.signatureData }
    /// The bytes that were signed: header and payload in base64url.
    public var signedData: Data { unsafePayloadValue.content.signed.signedData }
    /// The signature.
    public var signature: P256.Signing.ECDSASignature { unsafePayloadValue.content.signed.signature }
    /// The date of signing.
    public var signedDate: Date { unsafePayloadValue.signedDate }
    /// SHA-384 over the nonce and the device verification ID.
    public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
    /// The nonce of ``deviceVerification``.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }
}

extension VerificationResult where SignedType == AppTransaction {
    /// The JWS in compact form.
    public var jwsRepresentation: String { unsafePayloadValue.jws }
    /// The JWS header, decoded from base64url.
    public var headerData: Data { signed?.headerData ?? Data() }
    /// The JWS payload, decoded from base64url.
    public var payloadData: Data { signed?.payload ?? Data() }
    /// The JWS signature, decoded from base64url.
    public var signatureData: Data { signed?.signatureData ?? Data() }
    /// The bytes that were signed: header and payload in base64url.
    public var signedData: Data { signed?.signedData ?? Data() }
    /// The signature.
    public var signature: P256.Signing.ECDSASignature { signed?.signature ?? SignedText.noSignature }
    /// The date of signing.
    public var signedDate: Date { unsafePayloadValue.signedDate }
    /// SHA-384 over the nonce and the device verification ID.
    public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
    /// The nonce of ``deviceVerification``.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }

    private var signed: SignedText? { SignedText(unsafePayloadValue.jws) }
}
