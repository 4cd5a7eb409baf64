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

    @Test(arguments: [#"{"id":"1"}"#, "[]", "", "no JSON"])
    func `an answer without signed data stays as it is`(json: String) throws {
        #expect(DecodedAnswer.text(of: Array(json.utf8)) == nil)
        #expect(DecodedAnswer.adding(to: Array(json.utf8)) == Array(json.utf8))
    }
}
