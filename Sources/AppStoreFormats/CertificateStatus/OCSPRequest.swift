/// A question about certificates (RFC 6960, 4.1).
struct OCSPRequest: Sendable {
    /// Which certificate is meant.
    struct CertificateID: Sendable {
        /// As it was asked, to be repeated in the answer.
        let encoding: [UInt8]
        /// The hash's object identifier, a whole element.
        let hash: [UInt8]
        let issuerNameHash: [UInt8]
        let issuerKeyHash: [UInt8]
        /// The content of the INTEGER.
        let serialNumber: [UInt8]
    }

    /// How many bytes are read.
    static let maximumSize = 16_384
    /// How many certificates may be asked about at once.
    static let maximumCertificates = 16
    /// RFC 9654: responders take nonces of up to 128 octets.
    static let maximumNonceLength = 128
    /// RFC 5280: serial numbers have up to 20 octets.
    static let maximumSerialNumberLength = 20
    /// id-pkix-ocsp-nonce, 1.3.6.1.5.5.7.48.1.2, a whole element.
    static let nonceIdentifier: [UInt8] = [0x06, 0x09, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01, 0x02]

    let certificates: [CertificateID]
    /// The nonce's whole extension, to be repeated in the answer.
    let nonce: [UInt8]?

    /// Reads a request. A signature under it is passed over: everybody may ask.
    /// - Throws: ``ReceiptError`` of the reader, which says what is not DER or not a request.
    init(_ bytes: [UInt8]) throws(ReceiptError) {
        guard bytes.count <= Self.maximumSize else { throw Self.malformed("larger than \(Self.maximumSize) bytes") }
        var outer = DERReader(bytes)
        var request = try outer.enter(.sequence, "request")
        try outer.expectEnd("request")
        var asked = try request.enter(.sequence, "request")
        if asked.nextTag == DERTag.context0.rawValue { _ = try asked.next(.context0, "version") }
        if asked.nextTag == DERTag.context1.rawValue { _ = try asked.next(.context1, "requestor") }
        var list = try asked.enter(.sequence, "request list")
        var certificates: [CertificateID] = []
        while !list.isAtEnd {
            guard certificates.count < Self.maximumCertificates else {
                throw Self.malformed("more than \(Self.maximumCertificates) certificates")
            }
            var single = try list.enter(.sequence, "single request")
            certificates.append(try CertificateID(from: &single))
        }
        guard !certificates.isEmpty else { throw Self.malformed("no certificate") }
        self.certificates = certificates
        nonce = asked.nextTag == DERTag.context2.rawValue ? try Self.nonce(in: &asked) : nil
        try asked.expectEnd("request")
    }

    private static func nonce(in asked: inout DERReader) throws(ReceiptError) -> [UInt8]? {
        var tagged = try asked.enter(.context2, "extensions")
        var extensions = try tagged.enter(.sequence, "extensions")
        while !extensions.isAtEnd {
            let element = try extensions.next(.sequence, "extension")
            var fields = DERReader(asked.bytes, in: element.content)
            let identifier = try fields.next(.objectIdentifier, "extension").encoding
            guard asked.bytes[identifier].elementsEqual(nonceIdentifier) else { continue }
            guard element.content.count <= maximumNonceLength + 32 else { throw malformed("a nonce too long") }
            return Array(asked.bytes[element.encoding])
        }
        return nil
    }

    fileprivate static func malformed(_ reason: String) -> ReceiptError {
        ReceiptError(.notAReceipt, subject: "OCSP request", reason: reason)
    }
}

extension OCSPRequest.CertificateID {
    fileprivate init(from single: inout DERReader) throws(ReceiptError) {
        let element = try single.next(.sequence, "certificate ID")
        let bytes = single.bytes
        var fields = DERReader(bytes, in: element.content)
        var algorithm = try fields.enter(.sequence, "hash")
        hash = Array(bytes[try algorithm.next(.objectIdentifier, "hash").encoding])
        issuerNameHash = Array(bytes[try fields.next(.octetString, "issuer's name").content])
        issuerKeyHash = Array(bytes[try fields.next(.octetString, "issuer's key").content])
        serialNumber = Array(bytes[try fields.next(.integer, "serial number").content])
        try fields.expectEnd("certificate ID")
        guard (1...OCSPRequest.maximumSerialNumberLength).contains(serialNumber.count) else {
            throw OCSPRequest.malformed("a serial number of \(serialNumber.count) octets")
        }
        encoding = Array(bytes[element.encoding])
    }
}
