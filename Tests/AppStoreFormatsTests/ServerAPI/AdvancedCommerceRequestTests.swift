import AppStoreFormats
import Testing

/// Bodies of Advanced Commerce: each wrong field has its number.
struct AdvancedCommerceRequestTests {
    private static let info = #"{"requestReferenceId":"a8f1b8bd-2f0d-4c86-9a65-b1d8ee2f9e1c"}"#
    static let cancel = ["requestInfo": info]

    static let wrongInAll: [WrongField] = [
        .init("requestInfo", nil, 4_000_079), .init("requestInfo", "7", 4_000_079),
        .init("requestInfo", "{}", 4_000_080), .init("requestInfo", #"{"requestReferenceId":"x"}"#, 4_000_081),
        .init("requestInfo", #"{"requestReferenceId":7}"#, 4_000_081),
        .init(
            "requestInfo", #"{"requestReferenceId":"a8f1b8bd-2f0d-4c86-9a65-b1d8ee2f9e1c","appAccountToken":"x"}"#,
            4_000_033),
        .init(
            "requestInfo", #"{"requestReferenceId":"a8f1b8bd-2f0d-4c86-9a65-b1d8ee2f9e1c","appAccountToken":""}"#, nil),
        .init(
            "requestInfo", #"{"requestReferenceId":"a8f1b8bd-2f0d-4c86-9a65-b1d8ee2f9e1c","consistencyToken":7}"#,
            4_000_000),
        .init("storefront", #""USA""#, nil), .init("storefront", #""US""#, 4_000_028),
        .init("storefront", "1", 4_000_028),
    ]

    @Test(arguments: wrongInAll)
    func `every request names itself`(wrong: WrongField) {
        #expect(wrong.outcome(Self.cancel) { _ = try AdvancedCommerceCancelRequest(parsing: $0) } == wrong.code)
    }

    static let revoke = cancel.merging([
        "refundType": #""FULL""#, "refundReason": #""LEGAL""#, "refundRiskingPreference": "false",
    ]) { $1 }

    static let wrongInRevoke: [WrongField] = [
        .init("refundType", #""PRORATED""#, nil), .init("refundType", nil, 4_000_157),
        .init("refundType", #""CUSTOM""#, 4_000_123), .init("refundType", #""HALF""#, 4_000_123),
        .init("refundReason", nil, 4_000_156), .init("refundReason", #""WHY""#, 4_000_124),
        .init("refundRiskingPreference", nil, 4_000_159), .init("requestInfo", nil, 4_000_079),
    ]

    @Test(arguments: wrongInRevoke)
    func `a revocation says how much and why`(wrong: WrongField) {
        #expect(wrong.outcome(Self.revoke) { _ = try AdvancedCommerceRevokeRequest(parsing: $0) } == wrong.code)
    }

    private static func item(_ more: String = "", type: String = "FULL", sku: String = "film.roll") -> String {
        #"{"SKU":"\#(sku)","revoke":true,"refundReason":"OTHER","refundType":"\#(type)"\#(more)}"#
    }

    static let refund = cancel.merging(["items": "[\(item())]", "refundRiskingPreference": "true"]) { $1 }

    static let wrongInRefund: [WrongField] = [
        .init("items", nil, 4_000_101), .init("items", "[]", 4_000_160), .init("items", "[{}]", 4_000_105),
        .init("items", "[\(item()),\(item())]", 4_000_194), .init("items", "[\(item(type: "HALF"))]", 4_000_123),
        .init("items", "[\(item(type: "CUSTOM"))]", 4_000_153),
        .init("items", #"[\#(item(#","refundAmount":990"#, type: "CUSTOM"))]"#, nil),
        .init("items", #"[\#(item(#","refundAmount":0"#, type: "CUSTOM"))]"#, 4_000_154),
        .init("items", #"[\#(item(#","refundAmount":990"#))]"#, 4_000_155),
        .init("refundRiskingPreference", "1", 4_000_159), .init("currency", #""USD""#, nil),
        .init("currency", "1", 4_000_000),
    ]

    /// The bodies as Apple's libraries write them.
    @Test func `the caller's consistency token and currency are read`() throws {
        let text = """
            {"requestInfo":{"requestReferenceId":"a8f1b8bd-2f0d-4c86-9a65-b1d8ee2f9e1c","consistencyToken":"token-7"},\
            "items":[\(Self.item())],"refundRiskingPreference":true,"currency":"EUR"}
            """
        let request = try AdvancedCommerceRefundRequest(parsing: ServerAPIRequestBody(Array(text.utf8)))
        #expect(request.requestInfo.consistencyToken == "token-7")
        #expect(request.currency == "EUR")
    }

    @Test(arguments: wrongInRefund)
    func `a refund says of each item how much and why`(wrong: WrongField) {
        #expect(wrong.outcome(Self.refund) { _ = try AdvancedCommerceRefundRequest(parsing: $0) } == wrong.code)
    }
}
