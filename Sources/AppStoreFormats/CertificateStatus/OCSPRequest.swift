import SwiftASN1

/// An OCSP request: a question about the status of certificates (RFC 6960, 4.1).
struct OCSPRequest: Sendable {
    /// The identifier of one certificate (`CertID`).
    struct CertificateID: Sendable, Hashable {
        /// The whole element, which the answer repeats.
        let encoding: ArraySlice<UInt8>
        /// The algorithm of both hashes.
        let hash: ASN1ObjectIdentifier
        let issuerNameHash: ArraySlice<UInt8>
        let issuerKeyHash: ArraySlice<UInt8>
        /// The content of the INTEGER.
        let serialNumber: ArraySlice<UInt8>
    }

    /// The largest request that is read, in bytes.
    static let maximumSize = 16_384
    /// The most certificates in one request.
    static let maximumCertificates = 16
    /// The largest nonce extension in bytes: RFC 9654 allows nonces of 128 octets, to which tags and lengths add.
    static let maximumNonceExtensionSize = 163
    /// The most octets of a serial number (RFC 5280, 4.1.2.2).
    static let maximumSerialNumberLength = 20
    /// id-pkix-ocsp-nonce.
    static let nonceIdentifier: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 48, 1, 2]

    let certificates: [CertificateID]
    /// The whole nonce extension, which the answer repeats.
    let nonce: ArraySlice<UInt8>?

    /// Reads a request. Its signature is skipped: everyone may ask.
    /// - Throws: `ASN1Error` for bytes that are not DER or not a request, ``Malformed`` for one beyond the limits.
    init(_ bytes: [UInt8]) throws {
        guard bytes.count <= Self.maximumSize else { throw Malformed() }
        (certificates, nonce) = try DER.sequence(DER.parse(bytes), identifier: .sequence) { request in
            guard let toBeSigned = request.next() else { throw Malformed() }
            while request.next() != nil {}
            return try DER.sequence(toBeSigned, identifier: .sequence) { fields in
                // The version and the requestor's name.
                for number: UInt in [0, 1] {
                    _ = try DER.optionalExplicitlyTagged(&fields, tagNumber: number, tagClass: .contextSpecific) { $0 }
                }
                guard let list = fields.next() else { throw Malformed() }
                let certificates = try Self.certificates(in: list)
                let nonce = try DER.optionalExplicitlyTagged(
                    &fields, tagNumber: 2, tagClass: .contextSpecific, Self.nonce(in:))
                return (certificates, nonce ?? nil)
            }
        }
    }

    private static func certificates(in list: ASN1Node) throws -> [CertificateID] {
        let certificates = try DER.sequence(list, identifier: .sequence) { requests in
            var certificates: [CertificateID] = []
            while let request = requests.next() {
                guard certificates.count < maximumCertificates else { throw Malformed() }
                certificates.append(
                    try DER.sequence(request, identifier: .sequence) { fields in
                        guard let certificate = fields.next() else { throw Malformed() }
                        while fields.next() != nil {}
                        return try CertificateID(derEncoded: certificate)
                    })
            }
            return certificates
        }
        guard !certificates.isEmpty else { throw Malformed() }
        return certificates
    }

    private static func nonce(in extensions: ASN1Node) throws -> ArraySlice<UInt8>? {
        try DER.sequence(extensions, identifier: .sequence) { extensions in
            var nonce: ArraySlice<UInt8>?
            while let node = extensions.next() {
                let identifier = try DER.sequence(node, identifier: .sequence) { fields in
                    let identifier = try ASN1ObjectIdentifier(derEncoded: &fields)
                    while fields.next() != nil {}
                    return identifier
                }
                guard nonce == nil, identifier == nonceIdentifier else { continue }
                guard node.encodedBytes.count <= maximumNonceExtensionSize else { throw Malformed() }
                nonce = node.encodedBytes
            }
            return nonce
        }
    }

    /// An error of a request that breaks a limit or lacks a part.
    struct Malformed: Error {}
}

extension OCSPRequest.CertificateID: DERParseable {
    /// Reads a `CertID`.
    init(derEncoded node: ASN1Node) throws {
        self = try DER.sequence(node, identifier: .sequence) { fields in
            guard let algorithm = fields.next() else { throw OCSPRequest.Malformed() }
            let hash = try DER.sequence(algorithm, identifier: .sequence) { fields in
                let hash = try ASN1ObjectIdentifier(derEncoded: &fields)
                while fields.next() != nil {}
                return hash
            }
            let name = try ASN1OctetString(derEncoded: &fields)
            let key = try ASN1OctetString(derEncoded: &fields)
            guard let integer = fields.next(), integer.identifier == .integer,
                case .primitive(let serialNumber) = integer.content,
                (1...OCSPRequest.maximumSerialNumberLength).contains(serialNumber.count)
            else { throw OCSPRequest.Malformed() }
            return Self(
                encoding: node.encodedBytes, hash: hash, issuerNameHash: name.bytes, issuerKeyHash: key.bytes,
                serialNumber: serialNumber)
        }
    }
}
