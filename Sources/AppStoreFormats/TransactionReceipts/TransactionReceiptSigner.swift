import BaseEncoding
import Foundation

/// Signs old transaction receipts: a property list with the signed purchase information inside.
public struct TransactionReceiptSigner: Sendable {
    private let identities: SigningIdentities
    private let digest: ReceiptDigest

    /// Makes a signer.
    /// - Parameters:
    ///   - identities: The certificates and the key of receipts.
    ///   - digest: SHA-256, or SHA-1 for validators that know nothing else.
    public init(identities: SigningIdentities, digest: ReceiptDigest = .sha256) {
        self.identities = identities
        self.digest = digest
    }

    /// Signs a receipt.
    ///
    /// The outer `environment` is written outside of the production store only, as in genuine receipts; the signed part
    /// always names it.
    /// - Returns: The receipt as `SKPaymentTransaction.transactionReceipt` holds it.
    /// - Throws: An error of the cryptographic library.
    public func sign(_ receipt: TransactionReceipt) throws -> [UInt8] {
        let purchaseInfo = receipt.encodedPurchaseInfo()
        let chain = try identities.receiptChain(at: receipt.purchaseDate)
        let signature = TransactionReceiptSignature(
            signature: try digest.signature(
                over: TransactionReceiptSignature.signedBytes(purchaseInfo), with: identities.receiptLeaf.key),
            leaf: chain.leaf, intermediate: chain.intermediate)
        var entries: [(key: String, value: String)] = [
            ("signature", Base64.encode(signature.encoded())), ("purchase-info", Base64.encode(purchaseInfo)),
        ]
        if receipt.environment != .production { entries.append(("environment", receipt.environment.rawValue)) }
        entries.append(("pod", "100"))
        entries.append(("signing-status", "0"))
        return PropertyListText.encode(entries)
    }
}
