import AppStoreFormats
import Synchronization

/// What the store signs with, and what it believes. The keys it signs with can be replaced while it runs; the root, and so
/// what it believes, stays.
package final class Signing: Sendable {
    package let receiptVerifier: ReceiptVerifier
    package let transactionReceiptVerifier: TransactionReceiptVerifier
    private let digest: ReceiptDigest
    private let signers: Mutex<Signers>

    private struct Signers: Sendable {
        let receipts: ReceiptSigner
        let transactionReceipts: TransactionReceiptSigner
        let jws: JWSSigner

        init(_ identities: SigningIdentities, digest: ReceiptDigest) {
            receipts = ReceiptSigner(identities: identities, digest: digest)
            transactionReceipts = TransactionReceiptSigner(identities: identities, digest: digest)
            jws = JWSSigner(identities: identities)
        }
    }

    /// - Parameter digest: What receipts are signed over; SHA-1 for validators from before 2023.
    package init(_ identities: SigningIdentities, digest: ReceiptDigest = .sha256) throws {
        self.digest = digest
        signers = Mutex(Signers(identities, digest: digest))
        receiptVerifier = try ReceiptVerifier(trustedRoots: [identities.rootCertificate])
        transactionReceiptVerifier = try TransactionReceiptVerifier(trustedRoots: [identities.rootCertificate])
    }

    package var receipts: ReceiptSigner { signers.withLock { $0.receipts } }
    package var transactionReceipts: TransactionReceiptSigner { signers.withLock { $0.transactionReceipts } }
    package var jws: JWSSigner { signers.withLock { $0.jws } }

    /// Signs with other leaves of the same root from now on.
    package func replace(with identities: SigningIdentities) {
        let new = Signers(identities, digest: digest)
        signers.withLock { $0 = new }
    }
}
