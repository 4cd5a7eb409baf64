import BaseEncoding
import FastJSON
import Foundation
import Testing

@testable import AppStoreFormats

/// One rule for JSON objects in which a name comes twice: the first counts, as `JSONDecoder` reads it. Tokens are refused
/// (RFC 7515 and 7519, section 4), and so are files that people write, where a decoder's choice would hide a mistake.
struct RepeatedNameTests {
    /// Pairs of members with one name. The second is always another value, often of another type.
    static let pairs = [
        #""signedDate": 1, "signedDate": 2"#, #""signedDate": 1, "signedDate": null"#,
        #""signedDate": 1, "signedDate": "x""#, #""signedDate": 1, "\u0073ignedDate": 2"#,
        #""signedDate": 1, "currency": "USD", "signedDate": [2]"#,
    ]

    private struct Dated: Decodable, Equatable {
        var signedDate: Double?
    }

    private func first(_ json: String) throws -> Double? {
        var scanner = JSONScanner(Array(json.utf8))
        var found: [Double?] = []
        try scanner.scanObject { key, value in if key == "signedDate" { found.append(value.number) } }
        try #require(found.count == 1)
        return found[0]
    }

    @Test(arguments: pairs) func `the scanner takes the first of a repeated name, as the decoder does`(members: String)
        throws
    {
        let json = "{\(members)}"
        #expect(try JSONDecoder().decode(Dated.self, from: Data(json.utf8)) == Dated(signedDate: 1))
        #expect(try first(json) == 1)
    }

    @Test(arguments: [#"{"signedDate": null, "signedDate": 1}"#])
    func `a null that comes first counts as the first value`(json: String) throws {
        #expect(try JSONDecoder().decode(Dated.self, from: Data(json.utf8)) == Dated(signedDate: nil))
        #expect(try first(json) == nil)
    }

    @Test(arguments: [
        #""price": 1, "price": 2"#, #""price": null, "price": 1"#, #""price": 1, "price": null"#,
        #""price": 1, "\u0070rice": "x""#,
    ])
    func `the fast path reads repeated names as the decoder does`(members: String) throws {
        var sample = SamplePayloads.transaction
        sample.commitmentInfo = nil
        #expect(TransactionPayload(fastPath: sample.encoded()) != nil)
        sample.price = nil
        let rest = String(decoding: sample.encoded(), as: UTF8.self).dropFirst()
        let payload = Array("{\(members),\(rest)".utf8)
        // A repeated name is left to the decoder.
        #expect(TransactionPayload(fastPath: payload) == nil)
        let decoded = try JSONDecoder().decode(TransactionPayload.self, from: Data(payload))
        #expect(decoded.price == (members.contains("null, ") ? nil : 1))
    }

    @Test func `verifyReceipt takes the first of a repeated name`() throws {
        let receipt = Data([0x30, 0x00]).base64EncodedString()
        let other = Data([0x30, 0x01]).base64EncodedString()
        let request = try UndecodedVerifyReceiptRequest(
            body: Array(
                #"""
                {"receipt-data": "\#(receipt)", "password": "right", "exclude-old-transactions": true,
                "exclude-old-transactions": false, "receipt-data": "\#(other)", "password": "wrong"}
                """#.utf8))
        #expect(request.receiptData == receipt)
        #expect(request.password == "right")
        #expect(request.excludesOldTransactions)
        // A first one that is no string is none, whatever follows.
        let none = try UndecodedVerifyReceiptRequest(
            body: Array(#"{"receipt-data": "\#(receipt)", "password": null, "password": "late"}"#.utf8))
        #expect(none.password == nil)
    }

    @Test func `a Server API request takes the first of a repeated name`() throws {
        let body = try ServerAPIRequestBody(
            Array(
                #"""
                {"appAccountToken": "A8F1B8BD-2F0D-4C86-9A65-B1D8EE2F9E1C", "appAccountToken": "x"}
                """#.utf8))
        #expect(try UpdateAppAccountTokenRequest(parsing: body).appAccountToken.uuidString.first == "A")
    }

    @Test(arguments: [
        #"{"alg":"ES256","alg":"ES256","x5c":["","",""]}"#, #"{"alg":"ES256","x5c":["","",""],"x5c":["","",""]}"#,
        #"{"alg":"ES256","x5c":["","",""],"a":1,"a":1}"#,
    ])
    func `a header of signed data with a repeated name is refused`(header: String) throws {
        let identities = try TestIdentities.shared
        let jws = try JWSSigner(identities: identities).sign(payload: SamplePayloads.transaction.encoded())
        let parts = jws.split(separator: ".")
        let encoded = Base64.encode(Array(header.utf8), as: .url)
        let verifier = try JWSVerifier(trustedRoots: [identities.rootCertificate])
        let error = #expect(throws: JWSError.self) { try verifier.verify("\(encoded).\(parts[1]).\(parts[2])") }
        #expect(error?.reason == "a name comes twice")
    }

    @Test func `a token with a repeated name is refused`() throws {
        func token(_ header: String, _ claims: String) -> String {
            [header, claims, "signature"].map { Base64.encode(Array($0.utf8), as: .url) }.joined(separator: ".")
        }
        let header = #"{"alg":"ES256","kid":"KEY","typ":"JWT"}"#
        let claims = #"{"aud":"appstoreconnect-v1","iss":"i","bid":"b","exp":1}"#
        #expect(try SignedJWT(token(header, claims)).hasUniqueClaims)
        for header in [
            #"{"alg":"ES256","kid":"KEY","kid":"KEY"}"#, #"{"alg":1,"alg":"ES256","kid":"KEY"}"#,
            #"{"alg":"ES256","kid":"KEY","x":null,"x":null}"#,
        ] {
            #expect(throws: SignedJWT.Malformed.self, "\(header)") { try SignedJWT(token(header, claims)) }
        }
        let twice = #"{"aud":"appstoreconnect-v1","iss":"i","bid":"b","exp":1,"exp":2}"#
        #expect(try !SignedJWT(token(header, twice)).hasUniqueClaims)
        #expect(ServerAPIClaims(payload: Array(claims.utf8)) != nil)
        #expect(ServerAPIClaims(payload: Array(twice.utf8)) == nil)
    }

    @Test func `a StoreKit file with a repeated name is refused with its position`() {
        #expect(throws: StoreKitFileError.self) {
            try StoreKitJSONParser.value(of: Array(#"{"identifier": "A", "identifier": "B"}"#.utf8))
        }
    }
}
