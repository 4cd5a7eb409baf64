import AppStoreFormats
import Foundation
import Testing

/// Tests the requests that sellers upload for retention messages, and the real-time answers of their servers.
struct RetentionRequestTests {
    private static func text(_ count: Int) -> String { "\"\(String(repeating: "é", count: count))\"" }
    private static let image = #"{"imageIdentifier":"A8F1B8BD-2F0D-4C86-9A65-B1D8EE2F9E1C","altText":"A cat"}"#
    private static func point(_ text: String, _ altText: String = "\"\"") -> String {
        #"{"text":\#(text),"imageIdentifier":"a8f1b8bd-2f0d-4c86-9a65-b1d8ee2f9e1c","altText":\#(altText)}"#
    }
    private static func points(_ count: Int) -> String {
        "[\(repeatElement(point(#""x""#), count: count).joined(separator: ","))]"
    }

    static let message = ["header": #""Stay""#, "body": #""Please""#]

    static let wrong: [WrongField] = [
        .init("header", text(66), nil), .init("header", text(67), 4_000_162), .init("header", nil, 4_000_000),
        .init("header", #""""#, 4_000_000), .init("body", text(144), nil), .init("body", text(145), 4_000_163),
        .init("body", "7", 4_000_000), .init("image", image, nil), .init("image", "[]", 4_000_000),
        .init("image", #"{"altText":"x"}"#, 4_040_014),
        .init("image", #"{"imageIdentifier":"cat","altText":"x"}"#, 4_040_014),
        .init(
            "image", #"{"imageIdentifier":"a8f1b8bd-2f0d-4c86-9a65-b1d8ee2f9e1c","altText":\#(text(151))}"#, 4_000_175),
        .init("headerPosition", #""ABOVE_BODY""#, nil), .init("headerPosition", #""ABOVE_IMAGE""#, 4_000_224),
        .init("headerPosition", #""BELOW""#, 4_000_000), .init("bulletPoints", points(5), nil),
        .init("bulletPoints", points(6), 4_000_218), .init("bulletPoints", "[]", nil),
        .init("bulletPoints", "[\(point(text(66)))]", nil), .init("bulletPoints", "[\(point(text(67)))]", 4_000_219),
        .init("bulletPoints", "[\(point(#""x""#, text(151)))]", 4_000_175), .init("bulletPoints", "{}", 4_000_000),
    ]

    @Test(arguments: wrong)
    func `each field of a message has its length and its number`(wrong: WrongField) {
        #expect(wrong.outcome(Self.message) { _ = try UploadMessageRequest(parsing: $0) } == wrong.code)
    }

    static let urls: [(url: String, isTaken: Bool)] = [
        ("https://example.com/retention", true), ("https://example.com:8443/", true), ("http://127.0.0.1:9/x", true),
        ("http://localhost/x", true), ("http://example.com/", false), ("ftp://example.com/", false),
        ("https://", false), ("example.com", false), ("", false),
        ("https://example.com/" + String(repeating: "x", count: 236), true),
        ("https://example.com/" + String(repeating: "x", count: 237), false),
    ]

    @Test(arguments: urls)
    func `a real-time URL begins with https, except on this machine`(url: (url: String, isTaken: Bool)) {
        let outcome = WrongField("realtimeURL", "\"\(url.url)\"", nil).outcome([:]) {
            _ = try RealtimeURL(parsing: $0)
        }
        #expect(outcome == (url.isTaken ? nil : 4_000_215))
    }

    static let sizes: [(width: UInt32, height: UInt32, size: RetentionImageSize, isRight: Bool)] = [
        (3840, 2160, .fullSize, true), (3840, 160, .fullSize, true), (3840, 159, .fullSize, false),
        (3840, 2161, .fullSize, false), (3839, 2160, .fullSize, false), (1024, 1024, .fullSize, false),
        (1024, 1024, .bulletPoint, true), (1024, 1023, .bulletPoint, false), (3840, 2160, .bulletPoint, false),
    ]

    @Test(arguments: sizes)
    func `an image has the size it is for`(
        size: (width: UInt32, height: UInt32, size: RetentionImageSize, isRight: Bool)
    ) throws {
        let image = try RetentionImage(png: PNG(size.width, size.height).bytes)
        #expect(((try? image.check(as: size.size)) != nil) == size.isRight)
    }

    @Test(arguments: [(UInt8(0), false), (2, false), (3, false), (4, true), (6, true)])
    func `nothing shines through an image`(colorType: UInt8, isTransparent: Bool) throws {
        #expect(try RetentionImage(png: PNG(3840, 2160, colorType: colorType).bytes).isTransparent == isTransparent)
        #expect(
            try RetentionImage(png: PNG(3840, 2160, colorType: colorType, hasTransparentColor: true).bytes)
                .isTransparent)
    }

    @Test func `a file that is not PNG, or cut anywhere, is refused`() {
        let whole = PNG(1024, 1024).bytes
        for length in whole.indices {
            #expect(throws: ServerAPIError(.invalidImage)) {
                try RetentionImage(png: Array(whole[..<length]))
            }
        }
        for broken in [whole + [0], Array("GIF89a".utf8), [0xFF, 0xD8] + whole] {
            #expect(throws: ServerAPIError(.invalidImage)) { try RetentionImage(png: broken) }
        }
    }

    private static let id = "a8f1b8bd-2f0d-4c86-9a65-b1d8ee2f9e1c"
    private static let offerV1 = #"""
        {"encodedSignature":"MEU=","productId":"yearly","nonce":"\#(id)","timestamp":1,"keyId":"K","offerIdentifier":"half"}
        """#

    static let answers: [(json: String, isAnswer: Bool)] = [
        (#"{"message":{"messageIdentifier":"\#(id)"}}"#, true),
        (#"{"alternateProduct":{"messageIdentifier":"\#(id)","productId":"yearly"}}"#, true),
        (#"{"promotionalOffer":{"messageIdentifier":"\#(id)","promotionalOfferSignatureV2":"a.b.c"}}"#, true),
        (#"{"promotionalOffer":{"messageIdentifier":"\#(id)","promotionalOfferSignatureV1":\#(offerV1)}}"#, true),
        (#"{"advancedCommerceInfo":{"messageIdentifier":"\#(id)","advancedCommerceData":"e30="}}"#, true),
        (#"{}"#, false), ("", false), ("[]", false), (#"{"message":{}}"#, false),
        (#"{"message":{"messageIdentifier":"cat"}}"#, false),
        (
            #"{"message":{"messageIdentifier":"\#(id)"},"alternateProduct":{"messageIdentifier":"\#(id)","productId":"x"}}"#,
            false
        ),
        (#"{"alternateProduct":{"messageIdentifier":"\#(id)"}}"#, false),
        (#"{"promotionalOffer":{"messageIdentifier":"\#(id)"}}"#, false),
        (
            #"{"promotionalOffer":{"messageIdentifier":"\#(id)","promotionalOfferSignatureV2":"a","promotionalOfferSignatureV1":\#(offerV1)}}"#,
            false
        ),
    ]

    @Test(arguments: answers)
    func `a real-time answer is one of four`(answer: (json: String, isAnswer: Bool)) {
        #expect((RealtimeResponse(Array(answer.json.utf8)) != nil) == answer.isAnswer)
    }

    @Test func `percentiles are those of the nearest rank`() {
        let times = PerformanceTestResult.ResponseTimes((1...200).map { Int64($0) }.shuffled())
        #expect((times.average, times.p50, times.p90) == (100, 100, 180))
        #expect((times.p95, times.p99) == (190, 198))
        let none = PerformanceTestResult.ResponseTimes([])
        #expect((none.average, none.p99) == (0, 0))
        let one = PerformanceTestResult.ResponseTimes([7])
        #expect((one.average, one.p50, one.p99) == (7, 7, 7))
    }

    @Test(arguments: [(Int32(0), PerformanceTestResult.Status.pass), (1, .pass), (2, .fail), (100, .fail)])
    func `a test passes with ninety-nine good answers of a hundred`(failed: Int32, status: PerformanceTestResult.Status)
    {
        let result = PerformanceTestResult(
            config: .standard, target: "https://example.com/", responseTimes: Array(repeating: 5, count: 100),
            failures: failed == 0 ? [:] : ["TIMED_OUT": failed])
        #expect(result.result == status)
        #expect(result.successRate == 100 - failed)
    }
}

/// A PNG file of any size, as small as it can be: its data says nothing.
struct PNG {
    let bytes: [UInt8]

    init(_ width: UInt32, _ height: UInt32, colorType: UInt8 = 2, hasTransparentColor: Bool = false) {
        func big(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
            big(UInt32(data.count)) + Array(name.utf8) + data + [0, 0, 0, 0]
        }
        bytes =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", big(width) + big(height) + [8, colorType, 0, 0, 0])
            + (hasTransparentColor ? chunk("tRNS", [0, 0]) : []) + chunk("IDAT", [1, 2, 3]) + chunk("IEND", [])
    }
}
