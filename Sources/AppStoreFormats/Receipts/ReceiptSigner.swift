import CryptoExtras
import Foundation
import Synchronization

/// Signs app receipts: PKCS #7 in the exact shape of genuine ones.
///
/// The payload is signed itself, without signed attributes; leaf, intermediate and root are embedded in this order; all
/// lengths are definite. Everything but the payload and the signature is prepared once, so that a receipt costs little
/// more than its RSA signature.
public struct ReceiptSigner: Sendable {
    /// The parts of a receipt that name its certificates.
    private struct Signer {
        /// `[0] { leaf, intermediate, root }`.
        let certificates: [UInt8]
        /// The signer's fields before its signature.
        let head: [UInt8]
    }

    private let identities: SigningIdentities
    private let digest: ReceiptDigest
    /// `SET { digest algorithm }`.
    private let digestAlgorithms: [UInt8]
    /// The signer of receipts dated before 2050: prepared with the first receipt, when its certificates are needed.
    private let prepared = Prepared()

    private final class Prepared: Sendable {
        private let signer = Mutex<Signer?>(nil)

        func value(_ make: () -> Signer) -> Signer {
            signer.withLock { signer in
                if let signer { return signer }
                let made = make()
                signer = made
                return made
            }
        }
    }

    /// Makes a signer.
    /// - Parameters:
    ///   - identities: The certificates and the key of receipts.
    ///   - digest: SHA-256, or SHA-1 for validators that know nothing else.
    public init(identities: SigningIdentities, digest: ReceiptDigest = .sha256) {
        self.identities = identities
        self.digest = digest
        digestAlgorithms = .der(.set, Self.algorithm(digest))
    }

    private var current: Signer {
        prepared.value { Self.signer(identities.receiptChain, identities.receiptLeaf.identity, digest) }
    }

    private static func algorithm(_ digest: ReceiptDigest) -> [UInt8] {
        .der(.sequence, digest.objectIdentifier, ReceiptContainer.null)
    }

    private static func signer(
        _ chain: CertificateChain, _ leaf: CertificateIdentity, _ digest: ReceiptDigest
    ) -> Signer {
        Signer(
            certificates: .der(.context0, chain.leaf, chain.intermediate, chain.root),
            head: ReceiptContainer.versionOne + .der(.sequence, leaf.issuer, leaf.serialNumber) + algorithm(digest)
                + .der(.sequence, ReceiptContainer.rsaEncryption, ReceiptContainer.null))
    }

    private func signer(at date: Date) throws -> Signer {
        let chain = try identities.receiptChain(at: date)
        guard chain.leaf != identities.receiptLeaf.encoding else { return current }
        return Self.signer(chain, try CertificateIdentity(certificate: chain.leaf), digest)
    }

    /// Signs a receipt.
    /// - Returns: The receipt as an app finds it at its receipt URL.
    /// - Throws: An error of the cryptographic library.
    public func sign(_ receipt: AppReceipt) throws -> [UInt8] {
        try sign(payload: receipt.encodedPayload(), signer(at: receipt.creationDate))
    }

    /// Signs any payload, also one that is no receipt's: for tests of validators.
    /// - Throws: An error of the cryptographic library.
    public func sign(payload: [UInt8]) throws -> [UInt8] {
        try sign(payload: payload, current)
    }

    private func sign(payload: [UInt8], _ signer: Signer) throws -> [UInt8] {
        let signature = try digest.signature(over: payload, with: identities.receiptLeaf.key)
        return container(payload: payload, by: signer, signature: signature)
    }

    private func container(payload: [UInt8], by who: Signer, signature: [UInt8]) -> [UInt8] {
        let (certificates, signerHead) = (who.certificates, who.head)
        let signer = signerHead.count + DERLength.element(content: signature.count)
        let signers = DERLength.element(content: signer)
        let octets = DERLength.element(content: payload.count)
        let explicitContent = DERLength.element(content: octets)
        let content = ReceiptContainer.data.count + explicitContent
        let signedData =
            ReceiptContainer.versionOne.count + digestAlgorithms.count + DERLength.element(content: content)
            + certificates.count + DERLength.element(content: signers)
        let explicitSignedData = DERLength.element(content: signedData)
        let all = ReceiptContainer.signedData.count + DERLength.element(content: explicitSignedData)

        var bytes = [UInt8]()
        bytes.reserveCapacity(DERLength.element(content: all))
        bytes.appendDERHeader(.sequence, length: all)
        bytes += ReceiptContainer.signedData
        bytes.appendDERHeader(.context0, length: explicitSignedData)
        bytes.appendDERHeader(.sequence, length: signedData)
        bytes += ReceiptContainer.versionOne
        bytes += digestAlgorithms
        bytes.appendDERHeader(.sequence, length: content)
        bytes += ReceiptContainer.data
        bytes.appendDERHeader(.context0, length: octets)
        bytes.appendDER(.octetString, payload)
        bytes += certificates
        bytes.appendDERHeader(.set, length: signers)
        bytes.appendDERHeader(.sequence, length: signer)
        bytes += signerHead
        bytes.appendDER(.octetString, signature)
        return bytes
    }
}
