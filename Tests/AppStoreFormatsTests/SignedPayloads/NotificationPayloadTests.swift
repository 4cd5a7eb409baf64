import Foundation
import Testing

@testable import AppStoreFormats

struct NotificationPayloadTests {
    private static func payload(_ fill: (inout NotificationPayload) -> Void) -> NotificationPayload {
        var payload = NotificationPayload(
            notificationType: .didRenew, subtype: .init(rawValue: "BILLING_RECOVERY"),
            notificationUUID: "7e3fb204-8f9a-8b1d-9a43-6f0c1a2b3c4d",
            signedDate: Date(timeIntervalSince1970: 1_700_000_000.5))
        fill(&payload)
        return payload
    }

    static let payloads: [NotificationPayload] = [
        payload { payload in
            var data = NotificationPayload.Details(
                appAppleId: 1_234_567, bundleId: "com.example.magazine", environment: .production)
            data.bundleVersion = "2.1"
            data.signedTransactionInfo = "a.b.c"
            data.signedRenewalInfo = "d.e.f"
            data.status = 4
            data.consumptionRequestReason = "UNINTENDED_PURCHASE"
            payload.data = data
        },
        payload {
            $0.summary = .init(
                requestIdentifier: "r", environment: .sandbox, appAppleId: 1, bundleId: "b", productId: "p",
                storefrontCountryCodes: ["USA", "DEU"], succeededCount: 5, failedCount: 2)
        },
        payload {
            $0.externalPurchaseToken = .init(
                externalPurchaseId: "SANDBOX_1", tokenCreationDate: Date(timeIntervalSince1970: 1_700_000_000),
                appAppleId: 1, bundleId: "b")
        },
        payload {
            var data = NotificationPayload.AppData(appAppleId: nil, bundleId: "b", environment: .sandbox)
            data.signedAppTransactionInfo = "g.h.i"
            $0.appData = data
        },
    ]

    @Test(arguments: payloads)
    func `a payload survives a round trip, written by us or by an encoder`(payload: NotificationPayload) throws {
        #expect(try JSONDecoder().decode(NotificationPayload.self, from: Data(payload.encoded())) == payload)
        let ours = try JSONSerialization.jsonObject(with: Data(payload.encoded())) as? NSDictionary
        let theirs = try JSONSerialization.jsonObject(with: JSONEncoder().encode(payload)) as? NSDictionary
        #expect(ours == theirs)
    }

    @Test func `a payload has the types of the App Store`() throws {
        let kinds = try JSONKind.kinds(Self.payloads[0].encoded())
        #expect(
            kinds == [
                "notificationType": "string", "subtype": "string", "notificationUUID": "string", "version": "string",
                "signedDate": "number", "data": "object",
            ])
        let text = String(decoding: Self.payloads[0].encoded(), as: UTF8.self)
        #expect(text.contains(#""version":"2.0","signedDate":1700000000500}"#))
        #expect(text.contains(#""appAppleId":1234567"#) && text.contains(#""status":4"#))
    }

    @Test func `nothing that is missing is written as null`() throws {
        var payload = Self.payloads[0]
        payload.subtype = nil
        payload.data = .init(appAppleId: nil, bundleId: "b", environment: .sandbox)
        #expect(!String(decoding: payload.encoded(), as: UTF8.self).contains("null"))
    }

    @Test func `the body of a POST holds the signed payload and nothing else`() throws {
        let body = NotificationBody(signedPayload: "a.b.c").encoded()
        #expect(String(decoding: body, as: UTF8.self) == #"{"signedPayload":"a.b.c"}"#)
    }

    @Test func `a history's page says whether there is more`() throws {
        let item = NotificationHistoryItem(
            signedPayload: "a.b.c",
            sendAttempts: [
                .init(attemptDate: Date(timeIntervalSince1970: 1), sendAttemptResult: .timedOut),
                .init(attemptDate: Date(timeIntervalSince1970: 2), sendAttemptResult: .success),
            ])
        let page = NotificationHistoryResponse(notificationHistory: [item], hasMore: true, paginationToken: "t")
        #expect(try JSONDecoder().decode(NotificationHistoryResponse.self, from: Data(page.encoded())) == page)
        #expect(
            String(decoding: page.encoded(), as: UTF8.self)
                == #"{"hasMore":true,"notificationHistory":[{"sendAttempts":[{"attemptDate":1000,"sendAttemptResult":"TIMED_OUT"},{"attemptDate":2000,"sendAttemptResult":"SUCCESS"}],"signedPayload":"a.b.c"}],"paginationToken":"t"}"#
        )
    }
}
