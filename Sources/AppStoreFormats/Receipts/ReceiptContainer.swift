/// The fixed parts of a receipt's container: CMS SignedData (RFC 5652) in the one form that genuine receipts have.
///
///     ContentInfo { signedData, [0] { SignedData {
///         version 1, SET { digest algorithm }, { data, [0] { OCTET STRING payload } },
///         [0] { leaf, intermediate, root },
///         SET { SignerInfo { version 1, issuer and serial, digest algorithm, rsaEncryption, OCTET STRING signature } }
///     } } }
enum ReceiptContainer {
    // Object identifiers, whole elements.
    static let signedData: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
    static let data: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
    static let rsaEncryption: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    static let sha1WithRSA: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x05]
    static let sha256WithRSA: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B]
    static let contentType: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x03]
    static let messageDigest: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x04]

    static let null: [UInt8] = [0x05, 0x00]
    static let versionOne: [UInt8] = [0x02, 0x01, 0x01]

    /// The most certificates that a container is read with, as validators report it.
    static let maximumCertificates = 10
    /// The most signed attributes that a signer is read with.
    static let maximumSignedAttributes = 32
    /// The octets of a signature by an RSA key of 2048 bits.
    static let signatureSize = 256
}

/// The digest under a receipt's signature.
public enum ReceiptDigest: Sendable, CaseIterable {
    /// What the App Store signs with today.
    case sha256
    /// What the App Store signed with until January 2025, for validators of that age.
    case sha1

    /// The algorithm's object identifier, a whole element.
    var objectIdentifier: [UInt8] {
        switch self {
        case .sha256: [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
        case .sha1: [0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A]
        }
    }

    /// The combined algorithm, which some signers name in place of rsaEncryption.
    var signatureAlgorithm: [UInt8] {
        switch self {
        case .sha256: ReceiptContainer.sha256WithRSA
        case .sha1: ReceiptContainer.sha1WithRSA
        }
    }
}
