/// The `signature` of a transaction receipt.
///
/// | bytes | contents |
/// |---|---|
/// | 1 | version: 3 |
/// | 256 | RSA signature, PKCS #1 v1.5, over the version byte followed by the bytes of `purchase-info` |
/// | 4 | length of the leaf certificate, big-endian |
/// | … | leaf certificate in DER |
/// | 4 | length of the intermediate certificate, big-endian |
/// | … | intermediate certificate in DER |
///
/// Genuine signatures hold one certificate; the layout of theirs was never published. Ours includes the intermediate,
/// because verifiers pin the root only. The digest is SHA-256 or SHA-1 and is not named: verifiers try both.
struct TransactionReceiptSignature {
    static let version: UInt8 = 3
    /// A limit that no certificate of a receipt comes near.
    static let maximumCertificateSize = 65_536

    let signature: [UInt8]
    let leaf: [UInt8]
    let intermediate: [UInt8]

    init(signature: [UInt8], leaf: [UInt8], intermediate: [UInt8]) {
        self.signature = signature
        self.leaf = leaf
        self.intermediate = intermediate
    }

    func encoded() -> [UInt8] {
        var bytes = [Self.version] + signature
        for certificate in [leaf, intermediate] {
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: certificate.count).bigEndian) { bytes += Array($0) }
            bytes += certificate
        }
        return bytes
    }

    init(_ bytes: [UInt8]) throws(ReceiptError) {
        guard bytes.first == Self.version, bytes.count > ReceiptContainer.signatureSize else {
            throw ReceiptError(.notAReceipt, subject: "signature", reason: "not of version \(Self.version)")
        }
        var rest = bytes[(1 + ReceiptContainer.signatureSize)...]
        signature = Array(bytes[1...ReceiptContainer.signatureSize])
        leaf = try Self.takeCertificate(&rest)
        intermediate = try Self.takeCertificate(&rest)
        guard rest.isEmpty else {
            throw ReceiptError(.notAReceipt, subject: "signature", reason: "\(rest.count) octets too many")
        }
    }

    /// Returns the bytes under the signature.
    static func signedBytes(_ purchaseInfo: [UInt8]) -> [UInt8] { [version] + purchaseInfo }

    private static func takeCertificate(_ rest: inout ArraySlice<UInt8>) throws(ReceiptError) -> [UInt8] {
        let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard rest.count >= 4, length <= maximumCertificateSize, rest.count - 4 >= length else {
            throw ReceiptError(.notAReceipt, subject: "signature", reason: "it ends inside a certificate")
        }
        let certificate = Array(rest.dropFirst(4).prefix(length))
        rest = rest.dropFirst(4 + length)
        return certificate
    }
}
