/// The parts of a receipt's container, not verified yet.
struct ParsedReceiptContainer {
    let payload: [UInt8]
    /// The embedded certificates in their order.
    let certificates: [[UInt8]]
    /// The issuer and serial number of the signer's certificate.
    let signer: CertificateIdentity
    let digest: ReceiptDigest
    /// The signed attributes in the encoding that is signed; `nil` if there are none.
    let signedAttributes: [UInt8]?
    let signature: [UInt8]

    /// Splits a container into its parts.
    ///
    /// It is strict: every byte outside of the signed part has one allowed value, so that a receipt has no second
    /// encoding that verifies.
    init(_ bytes: [UInt8]) throws(ReceiptError) {
        guard bytes.count <= AppReceipt.maximumSize else {
            throw ReceiptError(
                .tooLarge, subject: "receipt", reason: "\(bytes.count) bytes; at most \(AppReceipt.maximumSize)")
        }
        var signedData = try Self.signedData(in: bytes)
        try signedData.expect(ReceiptContainer.versionOne, "version")
        var algorithms = try signedData.enter(.set, "digest algorithms")
        let declared = try Self.digest(&algorithms)
        try algorithms.expectEnd("digest algorithms")
        payload = try Self.payload(&signedData)
        certificates = try Self.certificates(&signedData)

        var signers = try signedData.enter(.set, "signers")
        try signedData.expectEnd("signed data")
        var fields = try signers.enter(.sequence, "signer")
        try signers.expectEnd("signers")
        try fields.expect(ReceiptContainer.versionOne, "signer version")
        signer = try Self.identity(&fields)
        digest = try Self.digest(&fields)
        guard digest == declared else {
            throw ReceiptError(
                .unsupportedAlgorithm, subject: "digest algorithm", reason: "the signer's is not the container's")
        }
        signedAttributes = try Self.signedAttributes(&fields)
        try Self.checkSignatureAlgorithm(&fields, digest)
        signature = Array(bytes[try fields.next(.octetString, "signature").content])
        try fields.expectEnd("signer")
    }

    /// Returns the bytes under the signature, after it has checked that signed attributes, if there are any, name the
    /// payload's digest.
    func signedBytes() throws(ReceiptError) -> [UInt8] {
        guard let signedAttributes else { return payload }
        var set = try DERReader.entering(signedAttributes)
        var digestFound = false
        var count = 0
        while !set.isAtEnd {
            count += 1
            guard count <= ReceiptContainer.maximumSignedAttributes else {
                throw ReceiptError(.notAReceipt, subject: "signed attributes", reason: "too many")
            }
            var attribute = try set.enter(.sequence, "signed attribute")
            let type = Array(set.bytes[try attribute.next(.objectIdentifier, "signed attribute").encoding])
            var values = try attribute.enter(.set, "signed attribute")
            try attribute.expectEnd("signed attribute")
            if type == ReceiptContainer.contentType {
                try values.expect(ReceiptContainer.data, "content type")
            } else if type == ReceiptContainer.messageDigest {
                let value = try values.next(.octetString, "message digest").content
                guard !digestFound, set.bytes[value].elementsEqual(digest.hash(payload)) else {
                    throw ReceiptError(
                        .badSignature, subject: "message digest", reason: "it is not the payload's")
                }
                digestFound = true
            }
        }
        guard digestFound else {
            throw ReceiptError(.badSignature, subject: "message digest", reason: "missing in the signed attributes")
        }
        return signedAttributes
    }
}

// MARK: - Parts

extension ParsedReceiptContainer {
    private static func signedData(in bytes: [UInt8]) throws(ReceiptError) -> DERReader {
        var outer = DERReader(bytes)
        var contentInfo = try outer.enter(.sequence, "content info")
        try outer.expectEnd("receipt")
        try contentInfo.expect(ReceiptContainer.signedData, "content type")
        var explicit = try contentInfo.enter(.context0, "content")
        try contentInfo.expectEnd("content info")
        let signedData = try explicit.enter(.sequence, "signed data")
        try explicit.expectEnd("content")
        return signedData
    }

    private static func digest(_ reader: inout DERReader) throws(ReceiptError) -> ReceiptDigest {
        var algorithm = try reader.enter(.sequence, "digest algorithm")
        let identifier = try algorithm.next(.objectIdentifier, "digest algorithm").encoding
        if !algorithm.isAtEnd { try algorithm.expect(ReceiptContainer.null, "digest parameters") }
        try algorithm.expectEnd("digest algorithm")
        for digest in ReceiptDigest.allCases
        where reader.bytes[identifier].elementsEqual(digest.objectIdentifier) {
            return digest
        }
        throw ReceiptError(
            .unsupportedAlgorithm, subject: "digest algorithm", reason: "neither SHA-256 nor SHA-1")
    }

    private static func payload(_ signedData: inout DERReader) throws(ReceiptError) -> [UInt8] {
        var content = try signedData.enter(.sequence, "encapsulated content")
        try content.expect(ReceiptContainer.data, "encapsulated content type")
        var explicit = try content.enter(.context0, "encapsulated content")
        try content.expectEnd("encapsulated content")
        let payload = try explicit.next(.octetString, "payload").content
        try explicit.expectEnd("encapsulated content")
        return Array(signedData.bytes[payload])
    }

    private static func certificates(_ signedData: inout DERReader) throws(ReceiptError) -> [[UInt8]] {
        var set = try signedData.enter(.context0, "certificates")
        var certificates: [[UInt8]] = []
        while !set.isAtEnd {
            guard certificates.count < ReceiptContainer.maximumCertificates else {
                throw ReceiptError(
                    .notAReceipt, subject: "certificates", reason: "more than \(ReceiptContainer.maximumCertificates)")
            }
            certificates.append(Array(set.bytes[try set.next(.sequence, "certificate").encoding]))
        }
        return certificates
    }

    private static func identity(_ signer: inout DERReader) throws(ReceiptError) -> CertificateIdentity {
        var identity = try signer.enter(.sequence, "issuer and serial number")
        let issuer = try identity.next(.sequence, "issuer").encoding
        let serialNumber = try identity.next(.integer, "serial number").encoding
        try identity.expectEnd("issuer and serial number")
        return CertificateIdentity(
            issuer: Array(signer.bytes[issuer]), serialNumber: Array(signer.bytes[serialNumber]))
    }

    /// Reads the signed attributes. They are signed as a SET, though the container tags them `[0]` (RFC 5652, 5.4).
    private static func signedAttributes(_ signer: inout DERReader) throws(ReceiptError) -> [UInt8]? {
        guard signer.nextTag == DERTag.context0.rawValue else { return nil }
        var bytes = Array(signer.bytes[try signer.next(.context0, "signed attributes").encoding])
        bytes[0] = DERTag.set.rawValue
        return bytes
    }

    private static func checkSignatureAlgorithm(
        _ signer: inout DERReader, _ digest: ReceiptDigest
    ) throws(ReceiptError) {
        var algorithm = try signer.enter(.sequence, "signature algorithm")
        let identifier = try algorithm.next(.objectIdentifier, "signature algorithm").encoding
        if !algorithm.isAtEnd { try algorithm.expect(ReceiptContainer.null, "signature parameters") }
        try algorithm.expectEnd("signature algorithm")
        let found = signer.bytes[identifier]
        guard
            found.elementsEqual(ReceiptContainer.rsaEncryption) || found.elementsEqual(digest.signatureAlgorithm)
        else {
            throw ReceiptError(
                .unsupportedAlgorithm, subject: "signature algorithm", reason: "not RSA with the signer's digest")
        }
    }
}

extension DERReader {
    /// Returns a reader of the content of a SET.
    fileprivate static func entering(_ bytes: [UInt8]) throws(ReceiptError) -> DERReader {
        var reader = DERReader(bytes)
        let inside = try reader.enter(.set, "signed attributes")
        try reader.expectEnd("signed attributes")
        return inside
    }
}
