import AppStoreFormats
import HTTPTypes
import Perennial
import PerennialHTTP
import TestSupport
import Testing

struct ErrorFormTests {
    @Test func `every code has a name and a message of its own`() {
        let codes = ServerAPIErrorCode.allCases
        #expect(Set(codes.map(\.name)).count == codes.count)
        for code in codes {
            #expect([400, 403, 404, 409, 429, 500].contains(ServerAPIError(code).status))
            #expect(!code.message.isEmpty)
        }
    }

    /// Texts that Apple documents for the errors' `errorMessage`.
    static let messages: [(number: Int64, text: String)] = [
        (4_000_000, "Bad request."), (4_000_002, "Invalid request app identifier."),
        (4_000_005, "Invalid request revision."), (4_000_006, "Invalid transaction id."),
        (4_000_008, "Invalid original transaction id."), (4_000_009, "Invalid extend by days value."),
        (4_000_010, "Invalid extend reason code."), (4_000_011, "Invalid request identifier."),
        (4_000_012, "Invalid request. The start date is earlier than the allowed start date."),
        (4_000_013, "Invalid request. The end date precedes the start date or the dates are the same."),
        (4_000_014, "Invalid request. The pagination token is invalid."),
        (4_000_015, "Invalid request. The start date is not a timestamp value represented in milliseconds."),
        (4_000_016, "Invalid request. The end date is not a timestamp value represented in milliseconds."),
        (4_000_017, "Invalid request. The pagination token is expired."),
        (4_000_018, "Invalid request. The notification type or subtype is invalid."),
        (4_000_019, "Invalid request. Supply either a transaction id or a notification type, but not both."),
        (4_000_020, "Invalid request. The test notification token is invalid."),
        (4_000_021, "Invalid request. The sort parameter is invalid."),
        (4_000_022, "Invalid request. The product type parameter is invalid."),
        (4_000_023, "Invalid request. The product id parameter is invalid."),
        (4_000_024, "Invalid request. The subscription group identifier parameter is invalid."),
        (4_000_026, "Invalid request. The in-app ownership type parameter is invalid."),
        (4_000_027, "Invalid request. If provided, the list of storefront country codes must not be empty."),
        (4_000_028, "Invalid request. A storefront country code was invalid."),
        (4_000_030, "Invalid request. The revoked parameter is invalid."),
        (4_000_031, "Invalid request. The status parameter is invalid."),
        (4_000_032, "Invalid request. The account tenure field is invalid."),
        (
            4_000_033,
            "Invalid request. The app account token field must contain a valid UUID or an empty string."
        ),
        (4_000_034, "Invalid request. The consumption status field is invalid."),
        (
            4_000_035,
            "Invalid request. The customer consented field is required and must indicate the customer consented."
        ),
        (4_000_036, "Invalid request. The delivery status field is invalid."),
        (4_000_037, "Invalid request. The lifetime dollars purchased field is invalid."),
        (4_000_038, "Invalid request. The lifetime dollars refunded field is invalid."),
        (4_000_039, "Invalid request. The platform field is invalid."),
        (4_000_040, "Invalid request. The playtime field is invalid."),
        (4_000_041, "Invalid request. The sample content provided field is invalid."),
        (4_000_042, "Invalid request. The user status field is invalid."),
        (4_000_044, "Invalid request. The refund preference field is invalid."),
        (4_000_047, "Invalid request. The transaction id doesn't represent a supported in-app purchase type."),
        (4_030_004, "Forbidden - subscription state ineligible for extension."),
        (4_030_005, "Forbidden - subscription has reached maximum extension count."),
        (
            4_030_007,
            "Subscriptions that users obtain through Family Sharing can't get a renewal date extension directly."
        ),
        (4_040_001, "Account not found."), (4_040_002, "Account not found. Please try again."),
        (4_040_003, "App not found."), (4_040_004, "App not found. Please try again."),
        (4_040_005, "Original transaction id not found."),
        (4_040_006, "Original transaction id not found. Please try again."),
        (
            4_040_007,
            "No App Store Server Notification URL found for provided app. "
                + "Check that a URL is configured in App Store Connect for this environment."
        ),
        (
            4_040_008,
            "Either the test notification token is expired or the notification and status are not yet available."
        ),
        (
            4_040_009,
            "The server didn't find a subscription-renewal-date extension request for this requestIdentifier "
                + "and productId combination."
        ),
        (4_040_010, "Transaction id not found."), (4_290_000, "Rate limit exceeded."),
        (5_000_000, "An unknown error occurred."), (5_000_001, "An unknown error occurred. Please try again."),
    ]

    @Test func `a message is Apple's text, with what would have been right behind it`() {
        for (number, text) in Self.messages {
            guard let code = ServerAPIErrorCode(rawValue: number) else {
                Issue.record("there is no code \(number)")
                continue
            }
            #expect(ServerAPIError(code).message == text)
            #expect(ServerAPIError(code, "field", "a hint").message == "\(text) (a hint)")
        }
    }

    @Test func `an error is a code and a message, and exactly application json`() async throws {
        try await StoreServer.run { server in
            let key = try await TestServerAPIKey(of: server.shop)
            let token = try key.token(at: server.shop.clock.now)
            let reply = try await server.ask(.get, "/sandbox/inApps/v1/transactions/none", bearer: token)
            #expect(reply.status == 400)
            #expect(reply.headers[.contentType] == "application/json")
            #expect(reply.json == ["errorCode": 4_000_006, "errorMessage": "Invalid transaction id."])
        }
    }

    @Test(arguments: [
        "/sandbox/inapps/v1/transactions/1", "/sandbox/inApps/V1/transactions/1", "/sandbox/inApps/v1/nothing",
        "/sandbox/inApps/v3/transactions/1", "/environments/none/inApps/v1/transactions/1",
    ])
    func `a path that is not there is not found, without a code`(path: String) async throws {
        try await StoreServer.run { server in
            let key = try await TestServerAPIKey(of: server.shop)
            let reply = try await server.ask(.get, path, bearer: try key.token(at: server.shop.clock.now))
            #expect(reply.status == 404)
            #expect(reply["errorCode"] == nil)
        }
    }

    @Test func `beyond its limit an app is told when to come back`() async throws {
        try await StoreServer.run(rateLimits: RateLimits(.hourly(2))) { server in
            let key = try await TestServerAPIKey(of: server.shop)
            let path = "/sandbox/inApps/v1/transactions/1"
            let token = try key.token(at: server.shop.clock.now)
            for _ in 1...2 { #expect(try await server.ask(.get, path, bearer: token).status == 404) }
            let refused = try await server.ask(.get, path, bearer: token)
            #expect(refused.status == 429)
            #expect(refused["errorCode"]?.number == 4_290_000)
            let end = try #require(refused.headers[.retryAfter].flatMap { Int64($0) })
            #expect(end > server.shop.clock.now.milliseconds)
            #expect(end % 3_600_000 == 0)
            // Another environment counts by itself.
            #expect(try await server.ask(.get, "/inApps/v1/transactions/1", bearer: token).status == 404)
            server.shop.clock.advance(by: end - server.shop.clock.now.milliseconds)
            let later = try key.token(at: server.shop.clock.now)
            #expect(try await server.ask(.get, path, bearer: later).status == 404)
        }
    }
}
