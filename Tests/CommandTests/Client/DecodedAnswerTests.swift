import Foundation
import TestSupport
import Testing

@testable import PerennialCommand

/// The contents of signed data in answers.
struct DecodedAnswerTests {
    /// A JWS whose payload is `{"productId":"film.roll"}`.
    private static let jws = "eyJhbGciOiJFUzI1NiJ9.eyJwcm9kdWN0SWQiOiJmaWxtLnJvbGwifQ.c2lnbmF0dXJl"

    @Test func `contents stand beside the bytes, wherever signed data stands`() throws {
        let json = #"{"id":"1","signedTransaction":"\#(Self.jws)","list":[{"signedRenewalInfo":"\#(Self.jws)"}]}"#
        let decoded = try JSONValue(DecodedAnswer.adding(to: Array(json.utf8)))
        #expect(decoded["signedTransaction"]?.text == Self.jws)
        #expect(decoded["decoded"]?["signedTransaction"]?["productId"] == "film.roll")
        #expect(decoded["list"]?.elements?.first?["decoded"]?["signedRenewalInfo"]?["productId"] == "film.roll")
        #expect(try #require(DecodedAnswer.text(of: Array(json.utf8))).contains("film.roll"))
    }

    @Test func `elements of an array of signed data have their contents, in order`() throws {
        let json = #"{"signedTransactions":["\#(Self.jws)","\#(Self.jws)"],"signedNames":["a name"],"more":false}"#
        let decoded = try JSONValue(DecodedAnswer.adding(to: Array(json.utf8)))
        #expect(decoded["signedTransactions"]?.elements?.count == 2)
        let contents = try #require(decoded["decoded"]?["signedTransactions"]?.elements)
        #expect(contents.count == 2 && contents.allSatisfy { $0["productId"] == "film.roll" })
        #expect(decoded["decoded"]?["signedNames"] == nil)
    }

    @Test(arguments: ["appReceipt", "transactionReceipt", "latest_receipt"])
    func `receipts have their contents`(name: String) async throws {
        let shop = try await TestStore.make()
        let sold = try await shop.buy("filter.amber", as: "ann")
        let receipt =
            try await name == "transactionReceipt"
            ? shop.transactionReceipt(of: sold, as: "ann") : shop.receipt(of: "ann")
        let json = #"{"\#(name)":"\#(Data(receipt).base64EncodedString())"}"#
        let decoded = try JSONValue(DecodedAnswer.adding(to: Array(json.utf8)))
        #expect(decoded[name] != nil && decoded["decoded"]?[name] != nil)
        #expect(try #require(DecodedAnswer.text(of: Array(json.utf8))).contains("filter.amber"))
    }

    @Test func `contents of the store's own are left out on request`() throws {
        let plain = #"{"decoded":"a name","list":[{"signedRenewalInfo":"\#(Self.jws)"}]}"#
        let full = DecodedAnswer.adding(to: Array(plain.utf8))
        #expect(try JSONValue(full)["list"]?.elements?.first?["decoded"] != nil)
        #expect(DecodedAnswer.adding(to: full) == full)
        #expect(String(decoding: DecodedAnswer.removing(from: full), as: UTF8.self) == plain)
    }

    @Test(arguments: [#"{"id":"1"}"#, "[]", "", "no JSON"])
    func `an answer without signed data stays as it is`(json: String) throws {
        #expect(DecodedAnswer.text(of: Array(json.utf8)) == nil)
        #expect(DecodedAnswer.adding(to: Array(json.utf8)) == Array(json.utf8))
    }
}
