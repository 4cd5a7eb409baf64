import AppStoreFormats
import Foundation
import Perennial
import Synchronization

/// What the store signs with, and what it believes. The keys it signs with can be replaced while it runs; the roots, and
/// so what it believes, stay.
package final class Signing: Sendable {
    package let receiptVerifier: ReceiptVerifier
    package let transactionReceiptVerifier: TransactionReceiptVerifier
    private let digest: ReceiptDigest
    private let signers: Mutex<Signers>

    private struct Signers: Sendable {
        let receipts: ReceiptSigner
        let transactionReceipts: TransactionReceiptSigner
        let jws: JWSSigner
        let validity: ClosedRange<Instant>

        init(_ identities: SigningIdentities, digest: ReceiptDigest) {
            receipts = ReceiptSigner(identities: identities, digest: digest)
            transactionReceipts = TransactionReceiptSigner(identities: identities, digest: digest)
            jws = JWSSigner(identities: identities)
            validity = Instant(identities.validity.lowerBound)...Instant(identities.validity.upperBound)
        }
    }

    /// - Parameter digest: What receipts are signed over; SHA-1 for validators from before 2023.
    package init(_ identities: SigningIdentities, digest: ReceiptDigest = .sha256) throws {
        self.digest = digest
        signers = Mutex(Signers(identities, digest: digest))
        receiptVerifier = try ReceiptVerifier(trustedRoots: [identities.receiptRootCertificate])
        transactionReceiptVerifier = try TransactionReceiptVerifier(trustedRoots: [identities.receiptRootCertificate])
    }

    package var receipts: ReceiptSigner { signers.withLock { $0.receipts } }
    package var transactionReceipts: TransactionReceiptSigner { signers.withLock { $0.transactionReceipts } }
    package var jws: JWSSigner { signers.withLock { $0.jws } }

    /// The dates that what is signed may carry.
    var validity: ClosedRange<Instant> { signers.withLock { $0.validity } }

    /// Checks that what is signed at an instant verifies: a clock outside of the certificates' validity would make a store
    /// whose every answer is refused.
    /// - Throws: ``StoreError`` `.malformed` about the field.
    func check(_ time: Instant, field: String) throws {
        let validity = validity
        guard validity.contains(time) else {
            throw StoreError(
                .malformed, field,
                "a time from \(validity.lowerBound.rfc3339()) to \(validity.upperBound.rfc3339()): "
                    + "what this store signs at another, its certificates don't cover")
        }
    }

    /// Signs with other leaves of the same roots from now on.
    package func replace(with identities: SigningIdentities) {
        let new = Signers(identities, digest: digest)
        signers.withLock { $0 = new }
    }
}
