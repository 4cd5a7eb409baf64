import AppStoreFormats
import Foundation
import Perennial
import Synchronization

/// The keys and certificates that the store signs with, and the roots that it trusts.
///
/// The signing keys can be replaced while the store runs. The roots stay.
package final class Signing: Sendable {
    private let identities: SigningIdentities
    private let verifiers = Mutex<Verifiers?>(nil)
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

    /// - Parameter digest: The digest that receipts are signed over. Validators from before 2023 need SHA-1.
    package init(_ identities: SigningIdentities, digest: ReceiptDigest = .sha256) {
        self.digest = digest
        signers = Mutex(Signers(identities, digest: digest))
        self.identities = identities
    }

    /// The verifiers of receipts, made at first use: the root's key may still be generated when the store starts.
    private final class Verifiers: Sendable {
        let receipts: ReceiptVerifier
        let transactionReceipts: TransactionReceiptVerifier

        init(_ identities: SigningIdentities) {
            (receipts, transactionReceipts) = identities.receiptVerifiers
        }
    }

    package var receiptVerifier: ReceiptVerifier { madeVerifiers.receipts }
    package var transactionReceiptVerifier: TransactionReceiptVerifier { madeVerifiers.transactionReceipts }

    private var madeVerifiers: Verifiers {
        verifiers.withLock { verifiers in
            if let verifiers { return verifiers }
            let made = Verifiers(identities)
            verifiers = made
            return made
        }
    }

    /// The roots of signed data and of receipts in DER; waits for the receipts' key.
    var rootCertificates: (signedData: [UInt8], receipts: [UInt8]) {
        (identities.rootCertificate, identities.receiptRootCertificate)
    }

    /// The intermediates of signed data and of receipts in DER, which stay when leaves are rotated.
    var intermediates: [[UInt8]] {
        [identities.transactionChain.intermediate, identities.receiptChain.intermediate]
    }

    package var receipts: ReceiptSigner { signers.withLock { $0.receipts } }
    package var transactionReceipts: TransactionReceiptSigner { signers.withLock { $0.transactionReceipts } }
    package var jws: JWSSigner { signers.withLock { $0.jws } }

    /// The signing dates that the certificates cover.
    var validity: ClosedRange<Instant> { signers.withLock { $0.validity } }

    /// Checks that signatures made at an instant verify. Outside the certificates' validity every answer of the store would
    /// be refused.
    ///
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
