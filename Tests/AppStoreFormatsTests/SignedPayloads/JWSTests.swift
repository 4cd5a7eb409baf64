import BaseEncoding
import Foundation
import Testing

@testable import AppStoreFormats

struct JWSTests {
    private let identities: SigningIdentities
    private let signer: JWSSigner
    private let verifier: JWSVerifier
    private let payload = SamplePayloads.transaction.encoded()

    init() throws {
        identities = try TestIdentities.shared
        signer = JWSSigner(identities: identities)
        verifier = try JWSVerifier(trustedRoots: [identities.rootCertificate])
    }

    private func error(of jws: String, by verifier: JWSVerifier? = nil, at date: Date? = nil) -> JWSError.Code? {
        do throws(JWSError) {
            _ = try (verifier ?? self.verifier).verify(jws, at: date)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `what was signed is read again`() throws {
        let jws = try signer.sign(payload: payload)
        #expect(try verifier.verify(jws) == payload)
        #expect(try verifier.verify(jws, as: TransactionPayload.self) == SamplePayloads.transaction)
        #expect(throws: JWSError(.malformedPayload, subject: "", reason: "")) {
            try verifier.verify(jws, as: RenewalInfoPayload.self)
        }
    }

    @Test func `a text under a header that was verified before needs its own signature`() throws {
        let jws = try signer.sign(payload: payload)
        #expect(error(of: jws) == nil)
        let parts = jws.split(separator: ".").map(String.init)
        let other = Base64.encode(SamplePayloads.renewalInfo.encoded(), as: .url)
        #expect(error(of: "\(parts[0]).\(other).\(parts[2])") == .badSignature)
        // The same length, and another byte in the middle of the certificates.
        var header = Array(parts[0].utf8)
        header[header.count / 2] = header[header.count / 2] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        #expect(error(of: "\(String(decoding: header, as: UTF8.self)).\(parts[1]).\(parts[2])") != nil)
        #expect(error(of: jws) == nil)
    }

    @Test func `the header is exactly the algorithm and three certificates`() throws {
        let jws = try signer.sign(payload: payload)
        let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        let header = try #require(Base64.decode(String(parts[0]), as: .url))
        let certificates = identities.transactionChain.certificates.map { "\"\(Data($0).base64EncodedString())\"" }
        let expected = "{\"alg\":\"ES256\",\"x5c\":[\(certificates.joined(separator: ","))]}"
        #expect(String(decoding: header, as: UTF8.self) == expected)
        #expect(Base64.decode(String(parts[2]), as: .url)?.count == 64)
    }

    @Test func `openssl verifies the signature`() throws {
        let jws = try signer.sign(payload: payload)
        let dot = try #require(jws.lastIndex(of: "."))
        let signature = try #require(Base64.decode(String(jws[jws.index(after: dot)...]), as: .url))
        let openssl = try OpenSSL()
        try openssl.write(chain: identities.transactionChain)
        try openssl.write(Array(jws[..<dot].utf8), to: "signed")
        try openssl.write(Self.derSignature(signature), to: "signature")
        let key = try openssl.run("x509", "-in", "leaf.pem", "-noout", "-pubkey", "-out", "key.pem")
        try #require(key.status == 0, "\(key.output)")
        let result = try openssl.run("dgst", "-sha256", "-verify", "key.pem", "-signature", "signature", "signed")
        #expect(result.status == 0, "\(result.output)")
    }

    /// `SEQUENCE { r, s }`: what openssl reads, from r ‖ s.
    private static func derSignature(_ raw: [UInt8]) -> [UInt8] {
        let numbers = [raw[..<32], raw[32...]].map { half -> [UInt8] in
            var number = Array(half.drop { $0 == 0 })
            if number.first.map({ $0 >= 0x80 }) ?? true { number.insert(0, at: 0) }
            return [0x02, UInt8(number.count)] + number
        }
        return [0x30, UInt8(numbers[0].count + numbers[1].count)] + numbers[0] + numbers[1]
    }

    @Test func `a changed character anywhere is refused`() throws {
        let jws = try signer.sign(payload: payload)
        let characters = Array(jws.utf8)
        #expect(error(of: jws) == nil)
        for index in stride(from: 0, to: characters.count, by: 37) {
            var changed = characters
            changed[index] = characters[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(error(of: String(decoding: changed, as: UTF8.self)) != nil, "character \(index)")
        }
    }

    @Test func `a payload under another root is refused`() throws {
        let other = JWSSigner(identities: try TestIdentities.another)
        #expect(error(of: try other.sign(payload: payload)) == .untrustedChain)
    }

    @Test func `a payload stays valid when the leaves are rotated`() throws {
        let before = try signer.sign(payload: payload)
        let after = try JWSSigner(identities: try TestIdentities.rotated).sign(payload: payload)
        #expect(error(of: before) == nil)
        #expect(error(of: after) == nil)
    }

    @Test func `the chain is checked at the date of the payload`() throws {
        let payloads: [(json: String, passed: Date?, expected: JWSError.Code?)] = [
            (#"{"signedDate":-1}"#, nil, .expiredCertificate),
            (#"{"signedDate":0}"#, nil, nil),
            (#"{"signedDate":-1,"receiptCreationDate":1792000000000}"#, nil, .expiredCertificate),
            (#"{"receiptCreationDate":1792000000000}"#, nil, nil),
            (#"{"receiptCreationDate":253402300801000}"#, nil, .expiredCertificate),
            (#"{"receiptCreationDate":1792000000000}"#, Date(timeIntervalSince1970: -1), nil),
            (#"{}"#, SamplePayloads.date, nil),
            (#"{}"#, Date(timeIntervalSince1970: -1), .expiredCertificate),
            (#"{}"#, Date(timeIntervalSince1970: .nan), .expiredCertificate),
            (#"{"signedDate":1e300}"#, nil, .expiredCertificate),
            (#"{"signedDate":-1e300}"#, nil, .expiredCertificate),
            (#"{}"#, nil, .malformedPayload),
            (#"{"signedDate":"today"}"#, nil, .malformedPayload),
            (#"[]"#, nil, .malformedPayload),
        ]
        for (json, passed, expected) in payloads {
            let jws = try signer.sign(payload: Array(json.utf8))
            #expect(error(of: jws, at: passed) == expected, "\(json)")
        }
    }

    @Test(arguments: [
        "", ".", "..", "a.b", "a.b.c.d", "e30.e30.", "e30.e30.AAAA", "e30=.e30.AAAA", "!.!.!",
        // {"alg":"none","x5c":[]}
        "eyJhbGciOiJub25lIiwieDVjIjpbXX0.e30.AAAA",
    ])
    func `other texts are malformed`(text: String) {
        #expect(error(of: text) == .malformed)
    }

    @Test func `headers with other contents are malformed`() throws {
        let certificates = identities.transactionChain.certificates.map { "\"\(Base64.encode($0))\"" }
        let chain = certificates.joined(separator: ",")
        let headers = [
            #"{"alg":"ES384","x5c":[\#(chain)]}"#, #"{"alg":"ES256","x5c":[\#(certificates[0])]}"#,
            #"{"alg":"ES256","x5c":[\#(chain),\#(certificates[0])]}"#, #"{"alg":"ES256"}"#, #"{"x5c":[\#(chain)]}"#,
            #"{"alg":"ES256","crit":["b64"],"x5c":[\#(chain)]}"#, #"{"alg":"ES256","x5c":["-_","-_","-_"]}"#,
        ]
        for header in headers {
            let jws = "\(Base64.encode(Array(header.utf8), as: .url)).e30.AAAA"
            #expect(error(of: jws) == .malformed, "\(header)")
        }
    }

    @Test func `a receipt's chain cannot sign a payload`() throws {
        let certificates = identities.receiptChain.certificates.map { "\"\(Base64.encode($0))\"" }
        let header = #"{"alg":"ES256","x5c":[\#(certificates.joined(separator: ","))]}"#
        let signature = Base64.encode([UInt8](repeating: 1, count: 64), as: .url)
        let jws = "\(Base64.encode(Array(header.utf8), as: .url)).e30.\(signature)"
        #expect(error(of: jws) == .untrustedChain)
    }

    @Test func `nothing longer than the limit is read`() {
        #expect(error(of: String(repeating: "A", count: JWSVerifier.maximumSize + 1)) == .tooLarge)
    }
}
