import Foundation
import Perennial
import SwiftASN1

/// The status of a certificate.
enum CertificateStatus: Sendable, Equatable {
    case good
    case revoked(CertificateRevocation)
    /// The certificate was not issued here.
    case unknown
}

/// The encodings of OCSP's answers (RFC 6960, 4.2).
enum OCSPResponse {
    /// A status that is an answer's whole content.
    enum Failure: UInt8 {
        case malformedRequest = 1
        case internalError = 2
        /// The certificates are another authority's.
        case unauthorized = 6
    }

    /// The status of one certificate in an answer.
    struct Single {
        let certificate: OCSPRequest.CertificateID
        let status: CertificateStatus
        let thisUpdate: Instant
        let nextUpdate: Instant
    }

    /// The part of an answer that is signed.
    struct ResponseData {
        /// SHA-1 over the responder's public key.
        let responderKeyHash: [UInt8]
        let producedAt: Instant
        let singles: [Single]
        /// The whole nonce extension of the request.
        let nonce: ArraySlice<UInt8>?
    }

    private static let ecdsaWithSHA256: ASN1ObjectIdentifier = [1, 2, 840, 10045, 4, 3, 2]

    /// Encodes an answer that is only a failure.
    static func failure(_ failure: Failure) -> [UInt8] {
        var coder = DER.Serializer()
        coder.appendConstructedNode(identifier: .sequence) { coder in
            coder.appendPrimitiveNode(identifier: .enumerated) { $0.append(failure.rawValue) }
        }
        return coder.serializedBytes
    }

    /// Encodes a whole answer.
    /// - Parameters:
    ///   - data: The DER of ``ResponseData``.
    ///   - signature: The DER of an ECDSA signature of the data with SHA-256.
    ///   - certificate: The DER of the responder's certificate.
    static func successful(data: [UInt8], signature: [UInt8], certificate: [UInt8]) throws -> [UInt8] {
        var basic = DER.Serializer()
        try basic.appendConstructedNode(identifier: .sequence) { coder in
            coder.serializeRawBytes(data)
            try coder.appendConstructedNode(identifier: .sequence) { try $0.serialize(ecdsaWithSHA256) }
            try coder.serialize(ASN1BitString(bytes: signature[...]))
            coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { coder in
                coder.appendConstructedNode(identifier: .sequence) { $0.serializeRawBytes(certificate) }
            }
        }
        var answer = DER.Serializer()
        try answer.appendConstructedNode(identifier: .sequence) { coder in
            coder.appendPrimitiveNode(identifier: .enumerated) { $0.append(0) }
            try coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { coder in
                try coder.appendConstructedNode(identifier: .sequence) { coder in
                    try coder.serialize(ASN1ObjectIdentifier.OCSP.basicResponse)
                    try coder.serialize(ASN1OctetString(contentBytes: basic.serializedBytes[...]))
                }
            }
        }
        return answer.serializedBytes
    }
}

extension OCSPResponse.ResponseData: DERSerializable {
    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(
                ASN1OctetString(contentBytes: responderKeyHash[...]), explicitlyTaggedWithTagNumber: 2,
                tagClass: .contextSpecific)
            try coder.serialize(try GeneralizedTime(producedAt))
            try coder.serializeSequenceOf(singles)
            if let nonce {
                coder.serialize(explicitlyTaggedWithTagNumber: 1, tagClass: .contextSpecific) { coder in
                    coder.appendConstructedNode(identifier: .sequence) { $0.serializeRawBytes(nonce) }
                }
            }
        }
    }
}

extension OCSPResponse.Single: DERSerializable {
    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            coder.serializeRawBytes(certificate.encoding)
            switch status {
            case .good: ASN1Null().serialize(into: &coder, withIdentifier: .context(0))
            case .revoked(let revocation):
                try coder.appendConstructedNode(identifier: .context(1)) { coder in
                    try coder.serialize(try GeneralizedTime(revocation.date))
                    coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { coder in
                        coder.appendPrimitiveNode(identifier: .enumerated) {
                            $0.append(UInt8(truncatingIfNeeded: revocation.reason.rawValue))
                        }
                    }
                }
            case .unknown: ASN1Null().serialize(into: &coder, withIdentifier: .context(2))
            }
            try coder.serialize(try GeneralizedTime(thisUpdate))
            try coder.serialize(
                try GeneralizedTime(nextUpdate), explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific)
        }
    }
}

extension ASN1Identifier {
    fileprivate static func context(_ number: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
    }
}

extension GeneralizedTime {
    /// Creates a time in whole seconds; an instant outside of the years 0 to 9999 is moved to the nearest end.
    fileprivate init(_ instant: Instant) throws {
        let (date, millisecondOfDay) = ReceiptDate.instant(instant.date).civil
        let second = Int(millisecondOfDay / 1000)
        try self.init(
            year: date.year, month: date.month, day: date.day, hours: second / 3600, minutes: second / 60 % 60,
            seconds: second % 60, fractionalSeconds: 0)
    }
}
