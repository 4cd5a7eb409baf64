/// The issuer and serial number by which a signer names its certificate, in the bytes of the certificate.
struct CertificateIdentity: Hashable, Sendable {
    /// The issuer's distinguished name, a whole element.
    let issuer: [UInt8]
    /// The serial number, a whole element.
    let serialNumber: [UInt8]

    init(issuer: [UInt8], serialNumber: [UInt8]) {
        self.issuer = issuer
        self.serialNumber = serialNumber
    }

    /// Reads both from a certificate, and checks the parts that a parser ignores: those outside of the signed part have
    /// one allowed form, so that no changed copy of a certificate verifies.
    init(certificate: [UInt8]) throws(CertificateChainError) {
        do throws(ReceiptError) {
            var outer = DERReader(certificate)
            var fields = try outer.enter(.sequence, "certificate")
            try outer.expectEnd("certificate")
            var signed = try fields.enter(.sequence, "certificate")
            let algorithm = try fields.next(.sequence, "signature algorithm").encoding
            let signature = try fields.next("signature").content
            try fields.expectEnd("certificate")
            if signed.nextTag == DERTag.context0.rawValue { _ = try signed.next(.context0, "version") }
            serialNumber = Array(certificate[try signed.next(.integer, "serial number").encoding])
            let signedAlgorithm = try signed.next(.sequence, "signature algorithm").encoding
            issuer = Array(certificate[try signed.next(.sequence, "issuer").encoding])
            guard certificate[algorithm] == certificate[signedAlgorithm], certificate[signature].first == 0 else {
                throw ReceiptError(.notAReceipt, subject: "certificate", reason: "its signature's form")
            }
        } catch {
            throw CertificateChainError(.unreadable, subject: error.subject, reason: error.reason)
        }
    }
}
