import CryptoExtras
import Foundation
import X509

/// Verifies that an app receipt was signed under a trusted root, and reads it.
///
/// It requires a leaf and an intermediate with the App Store's marker extensions, a chain to a pinned root, both valid
/// at the receipt's creation date (so that a leaf may have expired since then), and an RSA signature with SHA-256 or
/// SHA-1 over the payload. Verified chains are cached: a further receipt from the same chain costs its parsing and one
/// RSA verification.
///
/// The root itself is pinned, never verified, neither its signature nor its dates: a root signed with SHA-1, as Apple's
/// is, can be trusted.
public struct ReceiptVerifier: Sendable {
    private let chains: ChainVerifier

    /// Makes a verifier.
    /// - Parameter trustedRoots: The roots to trust.
    public init(trustedRoots: [Certificate]) {
        chains = ChainVerifier(trustedRoots: trustedRoots)
    }

    /// Makes a verifier.
    /// - Parameter trustedRoots: The DER encodings of the roots to trust.
    /// - Throws: ``CertificateChainError`` if one of them is not a certificate.
    public init(trustedRoots: [[UInt8]]) throws(CertificateChainError) {
        chains = try ChainVerifier(trustedRoots: trustedRoots)
    }

    /// Verifies and reads a receipt.
    /// - Parameter bytes: The receipt, not in base64.
    /// - Throws: ``ReceiptError``; its code tells a malformed receipt from one that is not authentic.
    public func verify(_ bytes: [UInt8]) throws(ReceiptError) -> AppReceipt {
        let container = try ParsedReceiptContainer(bytes)
        let chain = try self.chain(of: container)
        guard let key = chain.rsaKey else {
            throw ReceiptError(.untrustedChain, subject: chain.subject, reason: "its key is not an RSA key")
        }
        let signedBytes = try container.signedBytes()
        guard container.digest.isValid(container.signature, over: signedBytes, with: key) else {
            throw ReceiptError(.badSignature, subject: "signature", reason: "it does not fit the payload")
        }
        let receipt = try AppReceipt(payload: container.payload)
        do throws(CertificateChainError) {
            try chain.check(at: receipt.creationDate)
        } catch {
            throw ReceiptError(error)
        }
        return receipt
    }

    /// The chain of the certificate that the signer names.
    private func chain(of container: ParsedReceiptContainer) throws(ReceiptError) -> VerifiedChain {
        do throws(CertificateChainError) {
            return try chains.verify(container.certificates, signer: container.signer)
        } catch {
            throw ReceiptError(error)
        }
    }
}
