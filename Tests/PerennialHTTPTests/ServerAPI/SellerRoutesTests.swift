import AppStoreFormats
import Foundation
import HTTPTypes
import Perennial
import PerennialStore
import TestSupport
import Testing

/// Sellers' requests over HTTP: paths, statuses, shapes. The rules are tested in PerennialStoreTests, the fields in
/// AppStoreFormatsTests.
struct SellerRoutesTests {
    private static let id = "a8f1b8bd-2f0d-4c86-9a65-b1d8ee2f9e1c"
    private static let other = "B8F1B8BD-2F0D-4C86-9A65-B1D8EE2F9E1C"
    private static let consumption: JSONValue = [
        "customerConsented": true, "sampleContentProvided": false, "deliveryStatus": "DELIVERED",
    ]

    @Test func `refund histories have signed transactions, and pages`() async throws {
        try await SellerServer.run { server in
            var last = try await server.shop.buy("film.roll", as: "ann")
            let empty = try await server.ask(.get, "/inApps/v2/refund/lookup/\(last.id)")
            #expect(empty.json == ["signedTransactions": [], "revision": "0", "hasMore": false])
            for _ in 0..<21 {
                last = try await server.shop.refund(try await server.shop.buy("film.roll", as: "ann"))
            }
            let first = try await server.ask(.get, "/inApps/v2/refund/lookup/\(last.id)")
            #expect((first.status, first["hasMore"]) == (200, true))
            #expect(first["signedTransactions"]?.elements?.count == 20)
            let revision = try #require(first["revision"]?.text)
            let second = try await server.ask(.get, "/inApps/v2/refund/lookup/\(last.id)?revision=\(revision)")
            #expect(second["hasMore"] == false)
            let jws = try #require(second["signedTransactions"]?.elements?.first?.text)
            #expect(jws.split(separator: ".").count == 3)
            let old = try await server.ask(.get, "/inApps/v1/refund/lookup/\(last.id)")
            #expect(old.json?.members?.keys.sorted() == ["signedTransactions"])
            #expect(old["signedTransactions"]?.elements?.count == 21)
            #expect(try await number(server, .get, "/inApps/v2/refund/lookup/\(last.id)?revision=x") == 4_000_005)
            #expect(try await number(server, .get, "/inApps/v2/refund/lookup/7") == 4_040_010)
            #expect(try await number(server, .get, "/inApps/v1/refund/lookup/7") == 4_040_005)
        }
    }

    @Test(arguments: ["v1", "v2"])
    func `consumption is accepted without a word, and shown to control`(version: String) async throws {
        try await SellerServer.run { server in
            let roll = try await server.shop.buy("film.roll", as: "ann")
            let path = "/inApps/\(version)/transactions/consumption/\(roll.id)"
            var body = Self.consumption
            if version == "v1" {
                body = [
                    "customerConsented": true, "sampleContentProvided": false, "appAccountToken": "",
                    "accountTenure": 1, "consumptionStatus": 1, "deliveryStatus": 0, "lifetimeDollarsPurchased": 1,
                    "lifetimeDollarsRefunded": 1, "platform": 1, "playTime": 1, "userStatus": 1,
                ]
            }
            let reply = try await server.ask(.put, path, body)
            #expect((reply.status, reply.body) == (202, []))
            #expect(try await server.shop.store.refunds.consumption(of: roll.id) != nil)
            #expect(try await number(server, .put, path, [:]) == 4_000_035)
            #expect(try await number(server, .put, path, nil) == 4_000_000)
            #expect(
                try await number(server, .put, "/inApps/\(version)/transactions/consumption/7", body) == 4_040_010)
        }
    }

    @Test func `an error is a number and words, of exactly the type that libraries look for`() async throws {
        try await SellerServer.run { server in
            for (path, number) in [
                ("v2/refund/lookup/x", 4_000_006), ("v2/refund/lookup/-1", 4_000_006),
                ("v1/refund/lookup/1.5", 4_000_008),
            ] as [(String, Int64)] {
                let reply = try await server.ask(.get, "/inApps/\(path)")
                #expect((reply.status, reply["errorCode"]?.number) == (400, number))
                #expect(reply.json?.members?.keys.sorted() == ["errorCode", "errorMessage"])
                #expect(reply.headers[.contentType] == "application/json")
            }
        }
    }

    @Test func `a message is uploaded, listed, made a default and deleted`() async throws {
        try await SellerServer.run { server in
            let base = "/inApps/v1/messaging"
            let image = PNGFile.opaque(1024, 1024)
            let sent = try await server.send(.put, "\(base)/image/\(Self.id)?imageSize=BULLET_POINT", image)
            #expect((sent.status, sent.body) == (200, []))
            #expect(try await number(server, .put, "\(base)/image/\(Self.other)?imageSize=HUGE", [:]) == 4_000_216)
            #expect(try await number(server, .put, "\(base)/image/\(Self.other)", [:]) == 4_000_161)
            #expect(try await number(server, .put, "\(base)/image/cat", [:]) == 4_000_000)
            let images = try await server.ask(.get, "\(base)/image/list")
            #expect(
                images.json == [
                    "imageIdentifiers": [
                        ["imageIdentifier": .string(Self.id), "imageSize": "BULLET_POINT", "imageState": "APPROVED"]
                    ]
                ])
            let message: JSONValue = [
                "header": "Stay", "body": "Please",
                "bulletPoints": [
                    ["text": "Cats", "imageIdentifier": .string(Self.id.uppercased()), "altText": "A cat"]
                ],
            ]
            #expect(try await server.ask(.put, "\(base)/message/\(Self.other)", message).status == 200)
            #expect(try await number(server, .put, "\(base)/message/\(Self.other.lowercased())", message) == 4_090_001)
            #expect(try await number(server, .delete, "\(base)/image/\(Self.id)") == 4_030_019)
            let messages = try await server.ask(.get, "\(base)/message/list")
            #expect(
                messages.json == [
                    "messageIdentifiers": [
                        ["messageIdentifier": .string(Self.other.lowercased()), "messageState": "APPROVED"]
                    ]
                ])
            let place = "\(base)/default/monthly/en-US"
            #expect(try await number(server, .get, place) == 4_040_020)
            #expect(
                try await server.ask(.put, place, ["messageIdentifier": .string(Self.other)]).status == 200)
            #expect(try await server.ask(.get, place).json == ["messageIdentifier": .string(Self.other.lowercased())])
            #expect(try await server.ask(.delete, place).status == 200)
            #expect(try await number(server, .delete, place) == 4_040_020)
            #expect(try await server.ask(.delete, "\(base)/message/\(Self.other)").status == 200)
            #expect(try await server.ask(.delete, "\(base)/image/\(Self.id)").status == 200)
            #expect(try await number(server, .delete, "\(base)/image/\(Self.id)") == 4_040_014)
        }
    }

    @Test func `a real-time URL is set, tested and deleted`() async throws {
        try await SellerServer.run { server in
            let base = "/inApps/v1/messaging"
            let bought = try await server.shop.buy("monthly", as: "ann")
            let url: JSONValue = ["realtimeURL": "https://example.com/r"]
            #expect(try await number(server, .get, "\(base)/realtime/url") == 4_040_021)
            #expect(try await number(server, .put, "\(base)/realtime/url", ["realtimeURL": "r"]) == 4_000_215)
            #expect(try await server.ask(.put, "\(base)/realtime/url", url).status == 200)
            #expect(try await server.ask(.get, "\(base)/realtime/url").json == url)
            server.endpoint.answer(#"{"message":{"messageIdentifier":"\#(Self.id)"}}"#)
            let test = try await server.ask(
                .post, "\(base)/performanceTest", ["originalTransactionId": .string("\(bought.id)")])
            #expect(test["config"]?.members?.count == 5)
            let id = try #require(test["requestId"]?.text)
            let result = try await server.ask(.get, "\(base)/performanceTest/result/\(id)")
            #expect((result["result"], result["successRate"], result["numPending"]) == ("PASS", 100, 0))
            #expect(result["responseTimes"] == ["average": 7, "p50": 7, "p90": 7, "p95": 7, "p99": 7])
            #expect(result["target"] == url["realtimeURL"])
            #expect(result["failures"] == [:])
            #expect(try await number(server, .post, "\(base)/performanceTest", [:]) == 4_000_211)
            #expect(
                try await number(server, .post, "\(base)/performanceTest", ["originalTransactionId": "x"]) == 4_000_006)
            #expect(try await server.ask(.delete, "\(base)/realtime/url").status == 200)
        }
    }

    @Test func `Advanced Commerce answers with what is so now, signed`() async throws {
        try await SellerServer.run { server in
            let bought = try await server.shop.buy("monthly", as: "ann")
            let roll = try await server.shop.buy("film.roll", as: "ann")
            func info(_ last: String) -> JSONValue {
                ["requestReferenceId": .string(String(Self.id.dropLast()) + last)]
            }
            let base = "/advancedCommerce/v1"
            let cancelled = try await server.ask(
                .post, "\(base)/subscription/cancel/\(bought.id)", ["requestInfo": info("1")])
            #expect(cancelled.json?.members?.keys.sorted() == ["signedRenewalInfo", "signedTransactionInfo"])
            for refused in ["changeMetadata", "changePrice", "migrate"] {
                let path = "\(base)/subscription/\(refused)/\(bought.id)"
                #expect(try await number(server, .post, path, ["requestInfo": info("2")]) == 4_030_010)
                #expect(try await number(server, .post, path, [:]) == 4_000_079)
            }
            let revoked = try await server.ask(
                .post, "\(base)/subscription/revoke/\(bought.id)",
                [
                    "requestInfo": info("3"), "refundType": "FULL", "refundReason": "LEGAL",
                    "refundRiskingPreference": true,
                ])
            #expect(revoked.status == 200)
            let refunded = try await server.ask(
                .post, "\(base)/transaction/requestRefund/\(roll.id)",
                [
                    "requestInfo": info("4"), "refundRiskingPreference": true,
                    "items": [["SKU": "film.roll", "revoke": true, "refundReason": "OTHER", "refundType": "FULL"]],
                ])
            #expect(refunded.json?.members?.keys.sorted() == ["signedTransactionInfo"])
            #expect(
                try await number(server, .post, "\(base)/subscription/cancel/7", ["requestInfo": info("5")])
                    == 4_040_010)
        }
    }

    /// Apple's number; `nil` for what was not refused.
    private func number(
        _ server: SellerServer, _ method: HTTPRequest.Method, _ path: String, _ json: JSONValue? = nil
    ) async throws -> Int64? {
        let reply = try await server.ask(method, path, json)
        let number = reply["errorCode"]?.number
        if let number { #expect(reply.status == Int(number / 10_000), "\(path)") }
        return number
    }
}

/// A PNG file as small as it can be.
enum PNGFile {
    static func opaque(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        func big(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
            big(UInt32(data.count)) + Array(name.utf8) + data + [0, 0, 0, 0]
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", big(width) + big(height) + [8, 2, 0, 0, 0]) + chunk("IDAT", [1]) + chunk("IEND", [])
    }
}
