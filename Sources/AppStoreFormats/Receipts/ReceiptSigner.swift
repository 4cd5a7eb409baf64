import CryptoExtras
import Foundation

/// Signs app receipts: PKCS #7 in the exact shape of genuine ones.
///
/// The payload is signed itself, without signed attributes; leaf, intermediate and root are embedded in this order; all
/// lengths are definite. Everything but the payload and the signature is prepared once, so that a receipt costs little
/// more than its RSA signature.
public struct ReceiptSigner: Sendable {
    private let key: _RSA.Signing.PrivateKey
    private let digest: ReceiptDigest
    /// `SET { digest algorithm }`.
    private let digestAlgorithms: [UInt8]
    /// `[0] { leaf, intermediate, root }`.
    private let certificates: [UInt8]
    /// The signer's fields before its signature.
    private let signerHead: [UInt8]

    /// Makes a signer.
    /// - Parameters:
    ///   - identities: The certificates and the key of receipts.
    ///   - digest: SHA-256, or SHA-1 for validators that know nothing else.
    public init(identities: SigningIdentities, digest: ReceiptDigest = .sha256) {
        let chain = identities.receiptChain
        key = identities.receiptLeaf.key
        self.digest = digest
        let algorithm = [UInt8].der(.sequence, digest.objectIdentifier, ReceiptContainer.null)
        digestAlgorithms = .der(.set, algorithm)
        certificates = .der(.context0, chain.leaf, chain.intermediate, chain.root)
        let identity = identities.receiptLeaf.identity
        signerHead =
            ReceiptContainer.versionOne + .der(.sequence, identity.issuer, identity.serialNumber) + algorithm
            + .der(.sequence, ReceiptContainer.rsaEncryption, ReceiptContainer.null)
    }

    /// Signs a receipt.
    /// - Returns: The receipt as an app finds it at its receipt URL.
    /// - Throws: An error of the cryptographic library.
    public func sign(_ receipt: AppReceipt) throws -> [UInt8] {
        try sign(payload: receipt.encodedPayload())
    }

    /// Signs any payload, also one that is no receipt's: for tests of validators.
    /// - Throws: An error of the cryptographic library.
    public func sign(payload: [UInt8]) throws -> [UInt8] {
        container(payload: payload, signature: try digest.signature(over: payload, with: key))
    }

    private func container(payload: [UInt8], signature: [UInt8]) -> [UInt8] {
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
