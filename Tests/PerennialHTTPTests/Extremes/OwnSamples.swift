import AppStoreFormats
import Foundation
import HTTPTypes
import Hummingbird
import Perennial
import PerennialStore
import TestSupport
import Testing

@testable import PerennialHTTP

/// A store in Sandbox in which something of everything has happened, and for each operation of our own protocols a request
/// that is about it.
struct OwnSamples: Sendable {
    static let place = "/sandbox"

    private(set) var server: StoreServer
    private var ids: [String: String] = [:]
    private var deviceToken = ""
    private var deliveryToken = ""
    private var grant = ""
    private let offer: SignedOffer

    init(_ server: StoreServer) async throws {
        self.server = server
        let key = TestOfferKey()
        try await key.register(in: server.shop)
        offer = try key.sign(at: server.shop.clock.now)
        deviceToken = try await server.signIn(Self.place)
        let changes = try await server.ask(.get, "\(Self.place)/store/v1/changes", bearer: deviceToken)
        ids["changes"] = changes["revision"]?.text
        let roll = try await server.shop.buy("film.roll", as: "ann")
        let monthly = try await server.shop.buy("monthly", as: "ann")
        ids["transactions"] = "\(roll.id)"
        ids["subscriptions"] = "\(monthly.id)"
        ids["accounts"] = "ann"
        try await schedulePrice()
        for name in ["ben", "olivia", "paula", "quentin"] { try await server.shop.account(name) }
        ids["account"] = "ben"
        try await makeFamily()
        try await makeWaiting()
        try await makeNotifications()
        try await makeDelivery()
    }

    /// The same requests to another server, on a copy of the store.
    func on(_ server: StoreServer) -> OwnSamples {
        var samples = self
        samples.server = server
        return samples
    }

    /// The instant of a scheduled price.
    private static let scheduled = "2094-01-01T00:00:00Z"

    private func schedulePrice() async throws {
        let body: JSONValue = ["price": 1990, "at": .string(Self.scheduled), "storefront": "USA"]
        _ = try await made(.post, "control/v1/apps/com.example.magazine/products/film.roll/price", body)
    }

    private mutating func makeFamily() async throws {
        let body: JSONValue = ["organizer": "olivia", "members": ["ben"]]
        ids["families"] = try await made(.post, "control/v1/families", body)["id"]?.text ?? "1"
        let key = try await made(.post, "control/v1/apps/com.example.magazine/keys", ["kind": "promotionalOffer"])
        ids["keyId"] = key["keyId"]?.text
        ids["connectKeyId"] = try await made(.post, "control/v1/connect-keys", ["roles": ["SALES"]])["keyId"]?.text
        let revoked = try await server.ask(.get, "\(Self.place)/store/v1/transactions/revoked", bearer: deviceToken)
        ids["revision"] = revoked["revision"]?.text
        let mass: JSONValue = ["productId": "yearly", "days": 1]
        let asked = try await made(.post, "control/v1/apps/com.example.magazine/extensions", mass)
        ids["requestId"] = asked["requestIdentifier"]?.text
    }

    /// A purchase that a parent is asked about, and one that is interrupted.
    private mutating func makeWaiting() async throws {
        _ = try await server.buy("pass.1week", deviceToken, more: ["simulatesAskToBuy": true])
        let approvals = try await made(.get, "control/v1/approvals?bundleId=com.example.magazine")
        ids["approvals"] = approvals["approvals"]?.elements?.first?["id"]?.text
        _ = try await made(.post, "control/v1/accounts", ["account": "cleo", "interruptsPurchases": true])
        _ = try await made(
            .post, "control/v1/purchases",
            ["bundleId": "com.example.magazine", "account": "cleo", "productId": "film.roll"])
        let waiting = try await made(.get, "control/v1/interruptions?bundleId=com.example.magazine")
        ids["interruptions"] = waiting["interruptions"]?.elements?.first?["id"]?.text
    }

    private mutating func makeNotifications() async throws {
        let path = "control/v1/apps/com.example.magazine/notifications"
        _ = try await made(.put, path, ["url": "https://example.com/notifications", "version": 2])
        ids["uuid"] = try await made(.post, "\(path)/test")["notificationUUID"]?.text
    }

    private mutating func makeDelivery() async throws {
        let body: JSONValue = ["bundleId": "com.example.photos", "customer": "ann", "password": "a long secret"]
        let session = try await server.ask(.post, "/delivery/v1/customers/session", body)
        deliveryToken = session["token"]?.text ?? ""
        let grant = try await server.ask(
            .post, "/delivery/v1/grants", ["bundleId": "com.example.photos", "receipt": "receipt"])
        self.grant = grant["grant"]?.text ?? ""
    }

    private func made(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil
    ) async throws -> StoreServer.Reply {
        try await server.control(method, "\(Self.place)/\(path)", body)
    }

    /// The requests of an operation: one, or one for each of the forms its body has.
    func requests(_ operation: APIOperation) throws -> [SampleRequest] {
        let isDelivery = operation.path.hasPrefix("delivery/")
        var request = SampleRequest(method: operation.method, path: "/\(operation.path)")
        if !operation.isGlobal { request.path = Self.place + request.path }
        // Time is moved where nothing renews on the way.
        if operation.path.hasPrefix("control/v1/clock") { request.path = "/environments/staging/\(operation.path)" }
        for name in operation.path.matches(of: /\{(\w+)\}/).map({ String($0.1) }) {
            guard let value = parameter(name, operation) else { throw TestStore.Missing(what: "sample for {\(name)}") }
            request.parameters[name] = value
        }
        for field in operation.query.map(\.name) {
            let isRevision = operation.path == "store/v1/transactions/revoked"
            let isExplained = operation.path.contains("/explain/")
            let known = isExplained ? Self.explained[field] : isRevision ? ids["revision"] : Self.query[field]
            if operation.path == "control/v1/live" {
                request.query[field] = Self.live[field]
                continue
            }
            let isStatistic = operation.path.hasPrefix("control/v1/statistics/")
            let isChanges = operation.path == "store/v1/changes" && field == "after"
            let listed = isChanges ? ids["changes"] : Self.lists[operation.path]?[field]
            guard let value = isStatistic ? Self.statistic[field] : listed ?? known else {
                throw TestStore.Missing(what: "sample for ?\(field)")
            }
            request.query[field] = isDelivery && field == "bundleId" ? "com.example.photos" : value
        }
        request.headers = Self.headers[operation.path] ?? [:]
        request.bearer =
            switch operation.authorization {
            case .none: nil
            case .controlToken: StoreServer.controlToken
            case .deviceToken: deviceToken
            case .deliveryToken: deliveryToken
            case .operatorToken: DeliveryServer.operatorToken
            case .grant: grant
            }
        guard let fields = try operation.body?.schema().members["properties"]?.members, !fields.isEmpty else {
            return [request]
        }
        var all: [String: JSONValue] = [:]
        for name in fields.keys.sorted() {
            guard let value = value(name, operation) else {
                throw TestStore.Missing(what: "sample for \(name)")
            }
            all[name] = value
        }
        return forms(all, operation).map { members in
            var form = request
            form.body = .object(members)
            return form
        }
    }

    /// Fields that exclude each other are in forms of their own.
    private func forms(_ all: [String: JSONValue], _ operation: APIOperation) -> [[String: JSONValue]] {
        func without(_ names: String...) -> [String: JSONValue] { all.filter { !names.contains($0.key) } }
        switch operation.path {
        case "control/v1/inspect": return [without("text"), without("bytes")]
        case "control/v1/clock/advance": return [without("to"), without("by")]
        case "control/v1/apps/{bundleId}/offer-codes":
            return [
                without("count").merging(["kind": "custom"]) { $1 },
                without("code", "maximumRedemptions").merging(["kind": "oneTime"]) { $1 },
            ]
        case "store/v1/purchases":
            return [
                without("offer", "appAccountToken"), without("offer", "applicationUsername"),
                without("quantity", "applicationUsername", "appAccountToken").merging(["productId": "monthly"]) { $1 },
            ]
        case "control/v1/apps/{bundleId}/products/{productId}/price": return [without("at"), all]
        case "control/v1/connect-keys": return [without("user"), without("roles")]
        case "control/v1/catalog/import": return [without("revision"), all]
        case "control/v1/purchases":
            return [
                without("offerId"), without("free").merging(["productId": "monthly", "quantity": 1]) { $1 },
            ]
        default: return [all]
        }
    }

    private func parameter(_ name: String, _ operation: APIOperation) -> String? {
        if let known = Self.catalogParameter(name, operation.path) { return known }
        return switch name {
        case "bundleId": operation.path.hasPrefix("delivery/") ? "com.example.photos" : "com.example.magazine"
        case "id":
            operation.path.split(separator: "/").dropFirst(2).first.flatMap { ids[String($0)] }
                ?? "a8f1b8bd-2f0d-4c86-9a65-b1d8ee2f9e1c"
        case "account": operation.path.contains("accounts") ? "ann" : ids["account"]
        case "name": "staging"
        case "productId": "film.roll"
        case "contentId": "pack"
        case "code": "WORD"
        case "key": "once"
        case "statistic": "conversion-to-paying"
        case "report": "sales"
        case "month": "2025-12"
        case "keyId": ids[operation.path.contains("connect-keys") ? "connectKeyId" : "keyId"]
        default: ids[name]
        }
    }

    private func value(_ name: String, _ operation: APIOperation) -> JSONValue? {
        if let known = Self.catalogValue(name, operation.path) { return known }
        return switch (name, operation.path) {
        case ("bundleId", let path) where path.hasPrefix("delivery/"): "com.example.photos"
        case ("at", _): .string(Self.scheduled)
        case ("productId", "control/v1/subscriptions/{id}/change"): "yearly"
        case ("productId", let path) where path.hasSuffix("offer-codes") || path.hasSuffix("extensions"): "monthly"
        case ("reason", "control/v1/transactions/{id}/request-refund"),
            ("reason", "store/v1/transactions/{id}/refund-request"):
            "OTHER"
        case ("kind", let path) where path.hasSuffix("/keys"): "serverAPI"
        case ("roles", _): ["FINANCE", "SALES"]
        case ("reason", "control/v1/reviews/{id}/reject"): "The screenshot shows another product"
        case ("items", "control/v1/reviews/{id}/approve"), ("items", "control/v1/reviews/{id}/reject"): [1]
        case ("mode", "control/v1/review-mode"): "manual"
        case ("catalog", _): .string(Self.catalog)
        case ("keep", _): "store"
        case ("storeKitApps", _): ["com.example.magazine"]
        case ("revision", "control/v1/catalog/import"): 1
        case ("preview", _): false
        case ("equalize", _): false
        case ("file", _): "sample.yaml"
        case ("offerId", let path) where path.hasSuffix("offer-codes"): "radio"
        case ("device", "control/v1/downloads"): .string(TestDevice.tablet.id)
        case ("version", "control/v1/downloads"): "2.0"
        case ("url", _): "https://example.com/notifications"
        case ("reason", "control/v1/purchases"): "lost in a crash"
        case ("offer", _):
            [
                "identifier": .string(offer.offerID), "keyIdentifier": .string(offer.keyID),
                "nonce": .string(offer.nonce), "timestamp": .number(Double(offer.timestamp.milliseconds)),
                "signature": .string(Data(offer.signature).base64EncodedString()),
            ]
        default: Self.fields[name]
        }
    }

    private static let statistic = [
        "bundleId": "com.example.magazine", "from": "2025-12-01", "to": "2026-01-31", "by": "week",
        "group": "storefront",
        "currency": "USD", "window": "30",
    ]
    private static let explained = [
        "bundleId": "com.example.magazine", "date": "2025-12-31", "frequency": "daily", "product": "film.roll",
        "country": "US", "device": "iPhone", "type": "IA1", "column": "proceeds", "event": "Subscribe",
        "month": "2026-04", "region": "US", "statistic": "proceeds", "after": "1-0", "limit": "10",
        "from": "2025-12-31", "to": "2025-12-31", "currency": "USD", "kind": "consumable",
    ]

    private static let live = [
        "from": "0", "kinds": "purchase,refusal", "app": "com.example.magazine", "account": "ann", "complete": "true",
        "follow": "false",
    ]

    private static let catalog = """
        bundleId: com.example.sample
        name: Sample
        products:
          - id: com.example.sample.coins
            type: consumable
            name: Coins
            price: 0.99

        """

    private static let query = [
        "secrets": "false",
        "bundleId": "com.example.magazine", "account": "ann", "environment": "Production", "after": "1", "limit": "10",
        "productId": "film.roll", "type": "consumable", "state": "paid", "status": "1", "subtype": "INITIAL_BUY",
        "fromDate": "2026-01-01T00:00:00Z", "untilDate": "2026-02-01T00:00:00Z", "kind": "purchased",
        "position": "1", "originalTransactionId": "1", "prefix": "a", "text": "ann",
        "reason": "0", "fileName": "pack.zip", "search": "a",
        "storefront": "USA", "month": "2025-12", "format": "hledger", "from": "2026-01-01", "to": "2026-01-31",
        "wait": "25",
        "region": "US", "date": "2025-12-31", "frequency": "daily", "version": "1_0", "revision": "1",
    ]

    /// The parameters of lists that have another form elsewhere.
    private static let lists: [String: [String: String]] = [
        "control/v1/apps": ["after": "61"], "control/v1/apps/{bundleId}/products": ["after": "61"],
        "control/v1/environments": ["kind": "Sandbox"], "control/v1/testers": ["after": "61"],
        "control/v1/accounts": ["after": "61"], "control/v1/apps/{bundleId}/transactions": ["after": "1-1"],
        "control/v1/apps/{bundleId}/refunds": ["after": "1-1"],
        "control/v1/apps/{bundleId}/notifications/history": [
            "after": "1-1", "type": "SUBSCRIBED", "state": "waiting",
        ],
    ]

    private static let headers: [String: [HTTPField.Name: String]] = {
        let validators: [HTTPField.Name: String] = [
            .range: "bytes=2-4", .ifRange: "\"x\"", .ifMatch: "*", .ifNoneMatch: "\"x\"",
            .ifModifiedSince: "Fri, 01 Jan 2021 00:00:00 GMT", .ifUnmodifiedSince: "Wed, 01 Jan 2094 00:00:00 GMT",
        ]
        return [
            "delivery/v1/content/{contentId}": validators,
            "delivery/v1/apps/{bundleId}/products": [.ifNoneMatch: "\"x\""],
            "store/v1/purchases": [.idempotencyKey: "header"],
        ]
    }()

    /// Sample values of fields, for every operation.
    private static let fields: [String: JSONValue] = [
        "bundleId": "com.example.magazine", "account": "ann", "productId": "film.roll", "quantity": 2,
        "offerId": "half", "appAccountToken": "a8f1b8bd-2f0d-4c86-9a65-b1d8ee2f9e1c", "idempotencyKey": "once",
        "free": true,
        "name": "further", "kind": "Sandbox", "clock": "manual", "now": "2026-01-31T10:00:00Z", "seed": 7,
        "billing": ["maximumRenewals": 3, "gracePeriodDays": 3, "timeRate": "oneRenewalEveryMinute"],
        "by": "P1D", "to": "2026-02-28T10:00:00Z", "purpose": "transactions", "serialNumber": "0a1b2c3d", "reason": 1,
        "storefront": "USA",
        "paymentMethod": "valid", "canMakePayments": true, "password": "a long secret", "interruptsPurchases": false,
        "asksToBuy": false, "renewalRate": "oneRenewalEveryMinute", "percentage": 50, "enabled": false,
        "method": "valid",
        "accepted": true, "organizer": "paula", "members": ["quentin"], "code": "WORD", "count": 2,
        "expires": "2026-03-01T00:00:00Z", "maximumRedemptions": 10, "locale": "en-US", "state": "APPROVED",
        "version": 2, "retries": "none", "timeoutMilliseconds": 1000, "duplicates": 1, "delayMilliseconds": 5,
        "reorder": false, "dropFirst": 1, "stale": false, "timeRate": "oneRenewalEveryMinute", "maximumRenewals": 3,
        "gracePeriodDays": 3, "gracePeriodScope": "ALL_RENEWALS", "renewalsFail": false, "price": 1990,
        "period": "named",
        "baseStorefront": "USA", "removed": true,
        "consent": false, "preserve": true, "clearedForSale": true, "days": 10, "requestIdentifier": "r-1",
        "storefronts": ["USA"], "completed": true, "all": false, "deviceId": .string(TestDevice.tablet.id),
        "applicationVersion": "2.1", "deviceFamily": "iPad", "device": "iPhone", "appVersion": "2.0",
        "productIds": ["film.roll"], "language": "en", "applicationUsername": "user",
        "simulatesAskToBuy": false, "includeReceipt": true, "includeSigned": true, "customer": "ann",
        "receipt": "receipt",
        "signedPayload": "a.b.c", "text": "2000000000000001", "bytes": "AAAA",
        "bankCurrency": "EUR", "bankName": "Bank", "accountEnding": "1234", "threshold": 10_000,
        "thresholdCurrency": "EUR", "withholding": [["region": "JP", "basisPoints": 2042]],
        "inputTax": [["region": "CA", "basisPoints": 500]], "region": "US", "currency": "USD", "amount": 1500,
        "note": "A fee", "rates": [["month": "2025-12", "from": "JPY", "to": "USD", "rate": "0.0067"]],
    ]

    /// The next actions of customers, in which an accepted extreme number would do its harm.
    func probe(_ at: String = OwnSamples.place) async throws -> [(words: String, status: Int)] {
        var answers: [(words: String, status: Int)] = []
        func ask(_ words: String, _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil) async throws {
            answers.append((words, try await server.control(method, "\(at)/control/v1/\(path)", body).status))
        }
        for (product, quantity) in [("film.roll", 10), ("filter.amber", 1), ("monthly", 1), ("pass.1week", 1)] {
            let body: JSONValue = [
                "bundleId": "com.example.magazine", "account": "zoe", "productId": .string(product),
                "quantity": .number(Double(quantity)),
            ]
            try await ask("buy \(product)", .post, "purchases", body)
        }
        try await ask("receipt", .get, "receipt?bundleId=com.example.magazine&account=zoe")
        try await ask("receipt of ann", .get, "receipt?bundleId=com.example.magazine&account=ann")
        try await ask("refund", .post, "transactions/\(ids["transactions"] ?? "")/refund", ["percentage": 33])
        server.shop.clock.advance(by: .hours(2))
        try await server.shop.store.renewals.processDue()
        try await ask("subscription", .get, "subscriptions/\(ids["subscriptions"] ?? "")")
        return answers
    }
}
