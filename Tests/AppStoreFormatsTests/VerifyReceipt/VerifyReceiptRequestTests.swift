import BaseEncoding
import Foundation
import Testing

@testable import AppStoreFormats

struct VerifyReceiptRequestTests {
    private static let receipt = Base64.encode([0x30, 0x82, 0x00, 0x01])

    private func request(_ body: String) throws -> VerifyReceiptRequest {
        try VerifyReceiptRequest(body: Array(body.utf8))
    }

    @Test func `a request is read`() throws {
        let request = try request(
            #"{"receipt-data":"\#(Self.receipt)","password":"0123","exclude-old-transactions":true,"other":[1]}"#)
        #expect(request.receipt == .app([0x30, 0x82, 0x00, 0x01]))
        #expect(request.password == "0123")
        #expect(request.excludesOldTransactions)
    }

    @Test func `slashes may be escaped`() throws {
        #expect(try request(#"{"receipt-data":"MP\/\/\/w=="}"#).receipt == .app([0x30, 0xFF, 0xFF, 0xFF]))
    }

    @Test func `an old transaction receipt is told apart`() throws {
        let text = Array("{ \"signature\" = \"\"; }".utf8)
        #expect(try request(#"{"receipt-data":"\#(Base64.encode(text))"}"#).receipt == .transaction(text))
    }

    @Test(arguments: [
        "", " ", "[]", "\"\"", "null", "{", "{}", #"{"receipt-data":""}"#, #"{"receipt-data":null}"#,
        #"{"receipt-data":1}"#, #"{"receipt-data":["MIIA"]}"#, #"{"receipt":"MIIA"}"#, #"{"receipt-data":"MIIAAQ"}"#,
        #"{"receipt-data":"MIIA-_=="}"#, #"{"receipt-data":"MP-_"}"#, #"{"receipt-data":"MIIA\nAQ=="}"#,
        #"{"receipt-data":"MIIA\r\nAQ=="}"#, #"{"receipt-data":"MP  "}"#, #"{"receipt-data":"AAAA"}"#,
        #"{"receipt-data":"aGVsbG8="}"#, #"receipt-data=MIIA"#, #"{"receipt-data":"MIIA"} x"#,
    ])
    func `what cannot be read is status 21002`(body: String) {
        #expect(throws: VerifyReceiptStatus(rawValue: 21002)) { try request(body) }
    }

    @Test func `a body over the limit is status 21002`() {
        let space = String(repeating: " ", count: VerifyReceiptRequest.maximumSize)
        #expect(throws: VerifyReceiptStatus.malformedReceipt) {
            try request(#"{"receipt-data":"\#(Self.receipt)"}"# + space)
        }
    }

    @Test(arguments: [
        ("true", true), ("false", false), ("1", true), ("0", false), ("\"true\"", true), ("\"1\"", true),
        ("\"no\"", false),
        ("null", false), ("[]", false),
    ])
    func `old transactions are left out by each accepted value`(value: String, expected: Bool) throws {
        let request = try request(#"{"receipt-data":"\#(Self.receipt)","exclude-old-transactions":\#(value)}"#)
        #expect(request.excludesOldTransactions == expected)
    }

    @Test(arguments: ["1", "null", "[]", "true"])
    func `a password that is no string is none`(value: String) throws {
        #expect(try request(#"{"receipt-data":"\#(Self.receipt)","password":\#(value)}"#).password == nil)
    }

    @Test(arguments: [
        (ReceiptError.Code.tooLarge, 21002), (.notAReceipt, 21002), (.indefiniteLength, 21002),
        (.malformedPayload, 21002), (.unsupportedAlgorithm, 21002), (.untrustedChain, 21003),
        (.wrongCertificatePurpose, 21003), (.expiredCertificate, 21003), (.badSignature, 21003),
    ])
    func `errors of receipts have their status`(code: ReceiptError.Code, status: Int) {
        #expect(VerifyReceiptStatus(ReceiptError(code, subject: "", reason: "")).rawValue == status)
    }

    @Test(arguments: [
        (VerifyReceiptStatus.valid, 0), (.notAPost, 21000), (.obsolete, 21001), (.malformedReceipt, 21002),
        (.notAuthentic, 21003), (.wrongSharedSecret, 21004), (.temporarilyUnavailable, 21005),
        (.subscriptionExpired, 21006), (.sandboxReceipt, 21007), (.productionReceipt, 21008),
        (.internalDataAccess, 21009), (.accountNotFound, 21010),
    ])
    func `statuses have Apple's numbers`(status: VerifyReceiptStatus, number: Int) {
        #expect(status.rawValue == number)
    }
}
