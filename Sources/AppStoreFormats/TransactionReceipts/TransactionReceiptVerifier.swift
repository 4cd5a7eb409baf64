import BaseEncoding
import Foundation
import X509

/// Proves that an old transaction receipt was signed under a trusted root, and reads it.
///
/// The rules are those of ``ReceiptVerifier``; the certificates must be valid at the purchase date. Chains that were
/// verified once are remembered.
public struct TransactionReceiptVerifier: Sendable {
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
    /// - Parameter bytes: The property list, not in base64.
    /// - Throws: ``ReceiptError``; its code tells a malformed receipt from one that is not authentic.
    public func verify(_ bytes: [UInt8]) throws(ReceiptError) -> TransactionReceipt {
        guard bytes.count <= AppReceipt.maximumSize else {
            throw ReceiptError(
                .tooLarge, subject: "receipt", reason: "\(bytes.count) bytes; at most \(AppReceipt.maximumSize)")
        }
        let entries = try PropertyListText.decode(bytes)
        let signature = try TransactionReceiptSignature(try Self.base64("signature", in: entries))
        let purchaseInfo = try Self.base64("purchase-info", in: entries)
        let chain: VerifiedChain
        do throws(CertificateChainError) {
            chain = try chains.verify([signature.leaf, signature.intermediate], signer: nil)
        } catch {
            throw ReceiptError(error)
        }
        try Self.check(signature, over: purchaseInfo, chain)
        let receipt = try TransactionReceipt(purchaseInfo: purchaseInfo)
        do throws(CertificateChainError) {
            try chain.check(at: receipt.purchaseDate)
        } catch {
            throw ReceiptError(error)
        }
        guard entries["environment", default: receipt.environment.rawValue] == receipt.environment.rawValue else {
            throw ReceiptError(
                .badSignature, subject: "environment", reason: "it is not the one that was signed")
        }
        return receipt
    }

    private static func check(
        _ signature: TransactionReceiptSignature, over purchaseInfo: [UInt8], _ chain: VerifiedChain
    ) throws(ReceiptError) {
        guard let key = chain.rsaKey else {
            throw ReceiptError(.untrustedChain, subject: chain.subject, reason: "its key is not an RSA key")
        }
        let signedBytes = TransactionReceiptSignature.signedBytes(purchaseInfo)
        let isValid = ReceiptDigest.allCases.contains {
            $0.isValid(signature.signature, over: signedBytes, with: key)
        }
        guard isValid else {
            throw ReceiptError(.badSignature, subject: "signature", reason: "it does not fit the purchase information")
        }
    }

    private static func base64(_ key: String, in entries: [String: String]) throws(ReceiptError) -> [UInt8] {
        guard let text = entries[key], let bytes = Base64.decode(text) else {
            throw ReceiptError(.notAReceipt, subject: key, reason: "missing, or not base64")
        }
        return bytes
    }
}
