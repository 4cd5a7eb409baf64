import AppStoreFormats
import Foundation
import HTTPTypes
import Perennial
import TestSupport

/// A request of Apple's Server API that is answered well, and the model its body has in Apple's documents.
struct ServerAPISample: Sendable {
    var request: SampleRequest
    /// Decodes the body's model and names its properties.
    var properties: @Sendable (Data) throws -> [String]

    init(
        _ method: HTTPRequest.Method, _ path: String, _ parameters: [String: String] = [:],
        query: [String: String] = [:], headers: [HTTPField.Name: String] = [:]
    ) {
        request = SampleRequest(method: method, path: path, parameters: parameters, query: query, headers: headers)
        properties = { _ in [] }
    }

    init<Model: Decodable & Sendable>(
        _ method: HTTPRequest.Method, _ path: String, _ parameters: [String: String] = [:], _ body: JSONValue,
        as model: Model.Type
    ) {
        self.init(method, path, parameters)
        request.body = body
        properties = { data in
            let decoded = try JSONDecoder().decode(Model.self, from: data)
            return Mirror(reflecting: decoded).children.compactMap { $0.label?.trimmingPrefix("_").description }
        }
    }
}

/// Requests for all routes of Apple's Server API.
struct ServerAPISamples {
    private static let uuid = "a8f1b8bd-2f0d-4c86-9a65-b1d8ee2f9e1c"

    let all: [ServerAPISample]

    /// - Parameter server: A store in which nothing has happened.
    init(_ server: SellerServer) async throws {
        let roll = "\(try await server.shop.buy("film.roll", as: "ann").id)"
        let refunded = try await server.shop.buy("film.roll", as: "ann")
        _ = try await server.shop.refund(refunded)
        let monthly = "\(try await server.shop.buy("monthly", as: "ann").id)"
        server.endpoint.answer(#"{"message":{"messageIdentifier":"\#(Self.uuid)"}}"#)
        _ = try await server.ask(
            .put, "/inApps/v1/messaging/realtime/url", ["realtimeURL": "https://example.com/realtime"])
        let message: JSONValue = ["header": "Stay", "body": "Please"]
        _ = try await server.ask(.put, "/inApps/v1/messaging/message/\(Self.uuid)", message)
        all =
            Self.transactions(roll, monthly, refunded: "\(refunded.id)") + Self.notifications(monthly, server)
            + Self.seller(roll, monthly) + Self.messaging(monthly) + Self.commerce(roll, monthly)
    }

    private static func transactions(_ roll: String, _ monthly: String, refunded: String) -> [ServerAPISample] {
        let history = [
            "startDate": "1", "endDate": "4102444800000", "productId": "film.roll", "productType": "CONSUMABLE",
            "sort": "ASCENDING", "revoked": "false", "inAppOwnershipType": "PURCHASED",
            "subscriptionGroupIdentifier": "magazine",
        ]
        let token: JSONValue = ["appAccountToken": .string(uuid)]
        return [
            .init(.get, "inApps/v1/transactions/{transactionId}", ["transactionId": roll]),
            .init(.get, "inApps/v1/transactions/appTransactions/{transactionId}", ["transactionId": roll]),
            .init(
                .put, "inApps/v1/transactions/{transactionId}/appAccountToken", ["transactionId": roll], token,
                as: UpdateAppAccountTokenRequest.self),
            .init(.post, "inApps/v1/transactions/{transactionId}/finish", ["transactionId": roll]),
            .init(.get, "inApps/v2/history/{transactionId}", ["transactionId": roll], query: history),
            .init(
                .get, "inApps/v1/history/{transactionId}", ["transactionId": roll],
                query: history.merging(["excludeRevoked": "true"]) { $1 }),
            .init(
                .get, "inApps/v1/subscriptions/{transactionId}", ["transactionId": monthly], query: ["status": "1"]),
            .init(.get, "inApps/v1/lookup/{orderId}", ["orderId": "MQ00000000"]),
            .init(.get, "inApps/v2/refund/lookup/{transactionId}", ["transactionId": refunded]),
            .init(
                .get, "inApps/v1/refund/lookup/{originalTransactionId}", ["originalTransactionId": refunded]),
        ]
    }

    private static func notifications(_ monthly: String, _ server: SellerServer) -> [ServerAPISample] {
        let now = Double(server.shop.clock.now.milliseconds)
        let history: JSONValue = [
            "startDate": .number(now - 86_400_000), "endDate": .number(now), "transactionId": .string(monthly),
            "onlyFailures": true,
        ]
        let byType: JSONValue = [
            "startDate": .number(now - 86_400_000), "endDate": .number(now), "notificationType": "SUBSCRIBED",
            "notificationSubtype": "INITIAL_BUY", "originalTransactionId": .null,
        ]
        let path = "inApps/v1/notifications/history"
        return [
            .init(.post, "inApps/v1/notifications/test"),
            .init(
                .get, "inApps/v1/notifications/test/{testNotificationToken}",
                ["testNotificationToken": "\(uuid)_1767225600789"]),
            .init(.post, path, [:], history, as: NotificationHistoryRequest.self),
            .init(.post, path, [:], byType, as: NotificationHistoryRequest.self),
        ]
    }

    private static func seller(_ roll: String, _ monthly: String) -> [ServerAPISample] {
        let first: JSONValue = [
            "customerConsented": true, "sampleContentProvided": false, "appAccountToken": "", "accountTenure": 1,
            "consumptionStatus": 1, "deliveryStatus": 0, "lifetimeDollarsPurchased": 1, "lifetimeDollarsRefunded": 1,
            "platform": 1, "playTime": 1, "userStatus": 1, "refundPreference": 1,
        ]
        let second: JSONValue = [
            "customerConsented": true, "sampleContentProvided": false, "deliveryStatus": "DELIVERED",
            "refundPreference": "GRANT_PRORATED", "consumptionPercentage": 25_000,
        ]
        let one: JSONValue = ["extendByDays": 10, "extendReasonCode": 1, "requestIdentifier": "one"]
        let mass: JSONValue = [
            "extendByDays": 10, "extendReasonCode": 1, "requestIdentifier": .string(uuid), "productId": "monthly",
            "storefrontCountryCodes": ["USA"],
        ]
        return [
            .init(
                .put, "inApps/v1/transactions/consumption/{transactionId}", ["transactionId": roll], first,
                as: ConsumptionRequestV1.self),
            .init(
                .put, "inApps/v2/transactions/consumption/{transactionId}", ["transactionId": roll], second,
                as: ConsumptionRequest.self),
            .init(
                .put, "inApps/v1/subscriptions/extend/{originalTransactionId}", ["originalTransactionId": monthly],
                one, as: ExtendRenewalDateRequest.self),
            .init(
                .post, "inApps/v1/subscriptions/extend/mass", [:], mass, as: MassExtendRenewalDateRequest.self),
            .init(
                .get, "inApps/v1/subscriptions/extend/mass/{productId}/{requestIdentifier}",
                ["productId": "monthly", "requestIdentifier": uuid]),
        ]
    }

    private static func messaging(_ monthly: String) -> [ServerAPISample] {
        let base = "inApps/v1/messaging"
        let place = ["productId": "monthly", "locale": "en-US"]
        let message: JSONValue = [
            "header": "Stay", "body": "Please", "headerPosition": "ABOVE_BODY",
            "image": ["imageIdentifier": .string(uuid), "altText": "A cat"],
        ]
        let list: JSONValue = [
            "header": "Stay", "body": "Please",
            "bulletPoints": [["text": "Cats", "imageIdentifier": .string(uuid), "altText": "A cat"]],
        ]
        return [
            .init(
                .put, "\(base)/image/{imageIdentifier}", ["imageIdentifier": uuid], query: ["imageSize": "FULL_SIZE"]),
            .init(.delete, "\(base)/image/{imageIdentifier}", ["imageIdentifier": uuid]),
            .init(.get, "\(base)/image/list"),
            .init(
                .put, "\(base)/message/{messageIdentifier}", ["messageIdentifier": uuid], message,
                as: UploadMessageRequest.self),
            .init(
                .put, "\(base)/message/{messageIdentifier}", ["messageIdentifier": uuid], list,
                as: UploadMessageRequest.self),
            .init(.delete, "\(base)/message/{messageIdentifier}", ["messageIdentifier": uuid]),
            .init(.get, "\(base)/message/list"),
            .init(
                .put, "\(base)/default/{productId}/{locale}", place, ["messageIdentifier": .string(uuid)],
                as: DefaultConfiguration.self),
            .init(.get, "\(base)/default/{productId}/{locale}", place),
            .init(.delete, "\(base)/default/{productId}/{locale}", place),
            .init(
                .put, "\(base)/realtime/url", [:], ["realtimeURL": "https://example.com/realtime"],
                as: RealtimeURL.self),
            .init(.get, "\(base)/realtime/url"),
            .init(.delete, "\(base)/realtime/url"),
            .init(
                .post, "\(base)/performanceTest", [:], ["originalTransactionId": .string(monthly)],
                as: PerformanceTestRequest.self),
            .init(.get, "\(base)/performanceTest/result/{requestId}", ["requestId": uuid]),
        ]
    }

    private static func commerce(_ roll: String, _ monthly: String) -> [ServerAPISample] {
        let base = "advancedCommerce/v1"
        let info: JSONValue = ["requestReferenceId": .string(uuid), "appAccountToken": .string(uuid)]
        let cancel: JSONValue = ["requestInfo": info, "storefront": "USA"]
        let revoke: JSONValue = [
            "requestInfo": info, "storefront": "USA", "refundType": "PRORATED", "refundReason": "LEGAL",
            "refundRiskingPreference": true,
        ]
        let refund: JSONValue = [
            "requestInfo": info, "storefront": "USA", "currency": "USD", "refundRiskingPreference": true,
            "items": [
                [
                    "SKU": "film.roll", "revoke": true, "refundReason": "OTHER", "refundType": "CUSTOM",
                    "refundAmount": 100,
                ]
            ],
        ]
        let id = ["transactionId": monthly]
        return [
            .init(
                .post, "\(base)/subscription/cancel/{transactionId}", id, cancel,
                as: AdvancedCommerceCancelRequest.self),
            .init(
                .post, "\(base)/subscription/revoke/{transactionId}", id, revoke,
                as: AdvancedCommerceRevokeRequest.self),
            .init(
                .post, "\(base)/transaction/requestRefund/{transactionId}", ["transactionId": roll], refund,
                as: AdvancedCommerceRefundRequest.self),
        ]
            + ["changeMetadata", "changePrice", "migrate"].map { change in
                .init(
                    .post, "\(base)/subscription/\(change)/{transactionId}", id, cancel,
                    as: AdvancedCommerceCancelRequest.self)
            }
    }
}
