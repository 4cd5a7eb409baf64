import AppStoreFormats

/// What the store signs with, and what it believes.
package struct Signing: Sendable {
    package let receipts: ReceiptSigner
    package let transactionReceipts: TransactionReceiptSigner
    package let receiptVerifier: ReceiptVerifier
    package let transactionReceiptVerifier: TransactionReceiptVerifier
    package let jws: JWSSigner

    /// - Parameter digest: What receipts are signed over; SHA-1 for validators from before 2023.
    package init(_ identities: SigningIdentities, digest: ReceiptDigest = .sha256) throws {
        receipts = ReceiptSigner(identities: identities, digest: digest)
        transactionReceipts = TransactionReceiptSigner(identities: identities, digest: digest)
        receiptVerifier = try ReceiptVerifier(trustedRoots: [identities.rootCertificate])
        transactionReceiptVerifier = try TransactionReceiptVerifier(trustedRoots: [identities.rootCertificate])
        jws = JWSSigner(identities: identities)
    }
}
