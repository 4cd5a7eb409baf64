import AppStoreFormats
import Foundation
import Perennial
import Testing

/// Bodies of renewal-date extensions: each wrong field has its number (App Store Server API, error codes).
struct ExtendRequestTests {
    static let one = ["extendByDays": "45", "extendReasonCode": "1", "requestIdentifier": "\"outage-7\""]

    static let wrongInOne: [WrongField] = [
        .init("extendByDays", "1", nil), .init("extendByDays", "90", nil), .init("extendByDays", "0", 4_000_009),
        .init("extendByDays", "91", 4_000_009), .init("extendByDays", "-1", 4_000_009),
        .init("extendByDays", "1.5", 4_000_009), .init("extendByDays", "\"45\"", 4_000_009),
        .init("extendByDays", "99999999999", 4_000_009), .init("extendByDays", "null", 4_000_009),
        .init("extendByDays", nil, 4_000_009),
        .init("extendReasonCode", "0", nil), .init("extendReasonCode", "3", nil),
        .init("extendReasonCode", "4", 4_000_010), .init("extendReasonCode", "-1", 4_000_010),
        .init("extendReasonCode", "true", 4_000_010), .init("extendReasonCode", nil, 4_000_010),
        .init("requestIdentifier", "\"\(String(repeating: "x", count: 128))\"", nil),
        .init("requestIdentifier", "\"\(String(repeating: "x", count: 129))\"", 4_000_011),
        .init("requestIdentifier", "\"\"", 4_000_011), .init("requestIdentifier", "7", 4_000_011),
        .init("requestIdentifier", nil, 4_000_011), .init("more", "[{}]", nil),
    ]

    @Test(arguments: wrongInOne)
    func `each field of an extension has its own number`(wrong: WrongField) {
        #expect(wrong.outcome(Self.one) { _ = try ExtendRenewalDateRequest(parsing: $0) } == wrong.code)
    }

    static let mass = one.merging([
        "requestIdentifier": "\"fdf964a4-233b-486c-aac1-97d8d52688ac\"", "productId": "\"monthly\"",
        "storefrontCountryCodes": "[\"USA\",\"MEX\"]",
    ]) { $1 }

    static let wrongInMass: [WrongField] = [
        .init("requestIdentifier", "\"FDF964A4-233B-486C-AAC1-97D8D52688AC\"", nil),
        .init("requestIdentifier", "\"outage-7\"", 4_000_011), .init("productId", nil, 4_000_023),
        .init("productId", "\"\"", 4_000_023), .init("storefrontCountryCodes", nil, nil),
        .init("storefrontCountryCodes", "null", nil), .init("storefrontCountryCodes", "[]", 4_000_027),
        .init("storefrontCountryCodes", "[\"US\"]", 4_000_028), .init("storefrontCountryCodes", "\"USA\"", 4_000_028),
        .init("extendByDays", "0", 4_000_009), .init("extendReasonCode", "9", 4_000_010),
    ]

    @Test(arguments: wrongInMass)
    func `each field of an extension for all subscribers has its own number`(wrong: WrongField) {
        #expect(wrong.outcome(Self.mass) { _ = try MassExtendRenewalDateRequest(parsing: $0) } == wrong.code)
    }

    @Test func `a request says the same to the rules`() throws {
        let body = WrongField("more", "1", nil).body(from: Self.mass)
        let request = try MassExtendRenewalDateRequest(parsing: ServerAPIRequestBody(body)).massExtension
        #expect(request.productID.rawValue == "monthly")
        #expect(Set(request.storefronts.map(\.rawValue)) == ["USA", "MEX"])
        #expect(request.request.days == 45)
        #expect(request.request.reason == .customerSatisfaction)
    }

    @Test(arguments: ["", "[]", "7", "\"text\"", "{", "null"])
    func `what is no object is a bad request`(text: String) {
        #expect(throws: ServerAPIError(.generalBadRequest)) { try ServerAPIRequestBody(Array(text.utf8)) }
    }

    @Test func `the status leaves out what it does not know yet`() throws {
        let running = try JSONEncoder().encode(
            MassExtendRenewalDateStatusResponse(requestIdentifier: "a", complete: false))
        #expect(!String(decoding: running, as: UTF8.self).contains("null"))
        let done = MassExtendRenewalDateStatusResponse(
            requestIdentifier: "a", complete: true, completeDate: Date(timeIntervalSince1970: 1.5), succeededCount: 2,
            failedCount: 0)
        let members = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(done)) as? [String: Any])
        #expect(members["completeDate"] as? Int == 1500)
        #expect(
            Set(members.keys) == ["requestIdentifier", "complete", "completeDate", "succeededCount", "failedCount"])
    }
}
