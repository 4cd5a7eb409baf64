import BaseEncoding
import Crypto
import Foundation
import Perennial
import SwiftASN1
import Testing

@testable import AppStoreFormats

/// Compares the encodings of OCSP with bytes that were put together by hand after RFC 6960, 4.1 and 4.2.
struct OCSPEncodingTests {
    /// A request with a version, a requestor's name, three certificates, another extension and a nonce.
    private static let requestBytes = """
        308201113082010da003020100a104a40230003081cf303c303a300906052b0e03021a05000414000102030405060708090a
        0b0c0d0e0f1011121304141415161718191a1b1c1d1e1f2021222324252627020101303e303c300906052b0e03021a050004
        14000102030405060708090a0b0c0d0e0f1011121304141415161718191a1b1c1d1e1f20212223242526270203008001304f
        304d300906052b0e03021a05000414000102030405060708090a0b0c0d0e0f1011121304141415161718191a1b1c1d1e1f20
        2122232425262702147f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7fa22e302c30090603551d1304023000301f06092b06
        0105050730010204120410000102030405060708090a0b0c0d0e0f
        """
    /// The signed part of an answer: good, revoked for a compromised key, unknown, and the nonce.
    private static let expectedData = """
        308201a9a21604140707070707070707070707070707070707070707180f32303236313132313130303030305a3082015730
        62303a300906052b0e03021a05000414000102030405060708090a0b0c0d0e0f1011121304141415161718191a1b1c1d1e1f
        20212223242526270201018000180f32303236313132313130303030305aa011180f32303236313132313130313030305a30
        7a303c300906052b0e03021a05000414000102030405060708090a0b0c0d0e0f1011121304141415161718191a1b1c1d1e1f
        20212223242526270203008001a116180f32303236313132313039353935395aa0030a0101180f3230323631313231313030
        3030305aa011180f32303236313132313130313030305a3075304d300906052b0e03021a0500041400010203040506070809
        0a0b0c0d0e0f1011121304141415161718191a1b1c1d1e1f202122232425262702147f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f
        7f7f7f7f8200180f32303236313132313130303030305aa011180f32303236313132313130313030305aa1233021301f0609
        2b060105050730010204120410000102030405060708090a0b0c0d0e0f
        """

    private static func bytes(_ hexadecimal: String) throws -> [UInt8] {
        try #require(Hexadecimal.decode(hexadecimal.filter { !$0.isWhitespace }))
    }

    private static func responseData() throws -> [UInt8] {
        let request = try OCSPRequest(bytes(requestBytes))
        let revocation = CertificateRevocation(
            date: Instant(milliseconds: StatusFolder.now.milliseconds - 1), reason: .keyCompromise)
        let statuses: [CertificateStatus] = [.good, .revoked(revocation), .unknown]
        let singles = zip(request.certificates, statuses).map { certificate, status in
            OCSPResponse.Single(
                certificate: certificate, status: status, thisUpdate: StatusFolder.now,
                nextUpdate: StatusFolder.now + OCSPResponder.lifetimeMilliseconds)
        }
        var coder = DER.Serializer()
        try coder.serialize(
            OCSPResponse.ResponseData(
                responderKeyHash: Array(repeating: 7, count: 20), producedAt: StatusFolder.now, singles: singles,
                nonce: request.nonce))
        return coder.serializedBytes
    }

    @Test func `a request is read with all its optional parts`() throws {
        let request = try OCSPRequest(Self.bytes(Self.requestBytes))
        #expect(
            request.certificates.map { Array($0.serialNumber) } == [
                [1], [0, 0x80, 1], Array(repeating: 0x7F, count: 20),
            ])
        #expect(request.certificates.allSatisfy { Array($0.issuerNameHash) == Array(0..<20) })
        #expect(request.certificates.allSatisfy { Array($0.issuerKeyHash) == Array(20..<40) })
        #expect(request.nonce?.count == 33)
    }

    @Test func `the signed part of an answer has these bytes`() throws {
        #expect(Hexadecimal.encode(try Self.responseData()) == Hexadecimal.encode(try Self.bytes(Self.expectedData)))
    }

    @Test func `a whole answer has these bytes`() throws {
        let certificate: [UInt8] = [0x30, 0x81, 0xB4] + Array(repeating: [1, 1, 0xFF], count: 60).joined()
        let answer = try OCSPResponse.successful(
            data: try Self.responseData(), signature: Array(repeating: 9, count: 70), certificate: certificate)
        #expect(answer.count == 737)
        #expect(
            Hexadecimal.encode(SHA256.hash(data: answer))
                == "9a57beec9eda3f9744a1a4522fcfdc60bfed0b9e14b071131d98b249319e434c")
    }

    @Test(arguments: [
        (OCSPResponse.Failure.malformedRequest, "30030a0101"), (.internalError, "30030a0102"),
        (.unauthorized, "30030a0106"),
    ])
    func `a failure has these bytes`(failure: OCSPResponse.Failure, bytes: String) {
        #expect(Hexadecimal.encode(OCSPResponse.failure(failure)) == bytes)
    }

    @Test func `more certificates than allowed, or none, are refused`() throws {
        let whole = try Self.bytes(Self.requestBytes)
        let single = whole[22..<84]
        func request(_ count: Int) throws -> [UInt8] {
            var coder = DER.Serializer()
            coder.appendConstructedNode(identifier: .sequence) { coder in
                coder.appendConstructedNode(identifier: .sequence) { coder in
                    coder.appendConstructedNode(identifier: .sequence) { coder in
                        for _ in 0..<count { coder.serializeRawBytes(single) }
                    }
                }
            }
            return coder.serializedBytes
        }
        let most = OCSPRequest.maximumCertificates
        #expect(try OCSPRequest(request(most)).certificates.count == most)
        for count in [0, most + 1] {
            #expect(throws: OCSPRequest.Malformed.self) { try OCSPRequest(request(count)) }
        }
    }
}
