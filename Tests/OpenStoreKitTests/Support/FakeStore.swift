import Foundation
import HTTPTypes
import OpenStoreKit
import Synchronization

/// An in-memory store with the store/v1 protocol, which charges once for a key and records requests.
final class FakeStore: Transport {
    struct Sale {
        var id: String
        var key: String
        var body: [String: any Sendable]
        var isFinished = false
        var isRevoked = false
        /// First transaction of the subscription that this renews; `nil` for a first purchase.
        var originalID: String?
        /// True while the sale isn't among the unfinished ones.
        var isHidden = false
    }

    struct Ask {
        var body: [String: any Sendable]
        var state = "deferred"
    }

    struct State {
        var sales: [Sale] = []
        /// Ask to Buy requests by key, with their outcomes.
        var asks: [String: Ask] = [:]
        /// Revoked sales, in the order of their revocation.
        var revoked: [String] = []
        var log: [String] = []
        var sessions = 0
        var restores = 0
        var storefront = "USA"
        var receiptVersion = 0
        /// Scripted answers by path; `nil` carries out the request and loses the answer.
        var scripts: [String: [HTTPAnswer?]] = [:]
        var isOffline = false
        var types: [String: String] = [:]
        var pageSize = 200
        var validToken: String?
        var restoresFailBefore = 0
        /// True to decline the customer's card. Outcomes of keys are kept.
        var isDeclining = false
        var refusedKeys: Set<String> = []
        /// Subscriptions that wait for the customer's consent to a higher price, with the answers.
        var priceConsents: [(product: String, original: String)] = []
        var priceAnswers: [String] = []
        /// Date of first purchases.
        var purchaseDate = "2026-01-01T00:00:00Z"
    }

    let state = Mutex(State())
    let crash: CrashPoint?

    init(crash: CrashPoint? = nil) {
        self.crash = crash
    }

    /// Returns the store as a crashing process sees it.
    func seen(through crash: CrashPoint) -> any Transport { CrashingTransport(store: self, crash: crash) }

    var charges: Int { state.withLock { $0.sales.count } }
    var log: [String] { state.withLock { $0.log } }
    /// Fields of the newest sale's offer, as text.
    var lastOffer: [String: String]? {
        state.withLock { state in
            (state.sales.last?.body["offer"] as? [String: Any])?.mapValues { "\($0)" }
        }
    }
    var finished: [String] { state.withLock { $0.sales.filter(\.isFinished).map(\.id) } }

    func script(_ path: String, _ answers: HTTPAnswer?...) {
        state.withLock { $0.scripts[path, default: []] += answers }
    }

    func set(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
    }

    /// Adds a purchase of another device.
    func sell(_ product: String, type: String = "nonConsumable", isFinished: Bool = false) {
        state.withLock { state in
            state.types[product] = type
            Self.sell(&state, key: "elsewhere-\(state.sales.count)", ["productId": product, "quantity": 1])
            state.sales[state.sales.count - 1].isFinished = isFinished
        }
    }

    /// Answers Ask to Buy requests for a product, of one application username if given.
    func answer(_ product: String, of username: String? = nil, with ending: String = "approved") {
        state.withLock { state in
            for (key, ask) in state.asks.sorted(by: { $0.key < $1.key })
            where ask.state == "deferred" && ask.body["productId"] as? String == product
                && (username == nil || ask.body["applicationUsername"] as? String == username)
            {
                state.asks[key]?.state = ending
                if ending == "approved" { Self.sell(&state, key: key, ask.body) }
            }
        }
    }

    func stream(_ call: HTTPCall) async throws -> StreamedAnswer {
        throw TransportError(.noConnection, url: call.url, reason: "no streams here")
    }

    func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
        let path = call.url.path.replacingOccurrences(of: "/store/v1/", with: "")
        return try state.withLock { state in
            guard !state.isOffline else { throw TransportError(.noConnection, url: call.url, reason: "offline") }
            state.log.append("\(call.method.rawValue) \(path)")
            if state.scripts[path]?.isEmpty == false {
                guard let answer = state.scripts[path]?.removeFirst() else {
                    _ = Self.answer(&state, call, path)
                    throw TransportError(.noConnection, url: call.url, reason: "the answer is lost")
                }
                return answer
            }
            return Self.answer(&state, call, path)
        }
    }

    private static func answer(_ state: inout State, _ call: HTTPCall, _ path: String) -> HTTPAnswer {
        let body = call.body.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: any Sendable] ?? [:]
        if path == "devices" {
            state.sessions += 1
            state.validToken = "token-\(state.sessions)"
            return json([
                "token": state.validToken ?? "", "account": body["account"] ?? "", "canMakePayments": true,
                "storefront": storefront(state),
            ])
        }
        guard call.headers[.authorization] == "Bearer \(state.validToken ?? "")" else {
            return .error(401, "unauthorized", 1)
        }
        switch path {
        case "storefront": return json(storefront(state))
        case "products": return products(state, body)
        case "purchases": return purchase(&state, body)
        case "redemptions": return purchase(&state, body.merging(["productId": "monthly", "quantity": 1]) { $1 })
        case "transactions/unfinished":
            let open = state.sales.filter { !$0.isFinished && !$0.isHidden }
            return json([
                "transactions": open.prefix(state.pageSize).map { transaction($0, state) },
                "hasMore": open.count > state.pageSize,
            ])
        case "messages":
            return json([
                "messages": state.priceConsents.map {
                    ["reason": "priceIncreaseConsent", "productId": $0.product, "originalTransactionId": $0.original]
                }
            ])
        case "transactions/revoked": return revoked(&state, call)
        case "restore": return restore(&state)
        case "receipt":
            state.receiptVersion += 1
            return json(["appReceipt": Data("receipt \(state.receiptVersion)".utf8).base64EncodedString()])
        default: return single(&state, path, body)
        }
    }

    /// Returns revocations after a revision, which is their number.
    private static func revoked(_ state: inout State, _ call: HTTPCall) -> HTTPAnswer {
        state.revoked += state.sales.filter { $0.isRevoked && !state.revoked.contains($0.id) }.map(\.id)
        let after = call.url.query?.replacingOccurrences(of: "after=", with: "")
        guard let known = Int(after ?? "0") else { return .error(400, "malformedRequest", 1) }
        let page = state.revoked.dropFirst(known).prefix(state.pageSize)
        return json([
            "transactions": page.compactMap { id in
                state.sales.first { $0.id == id }.map { transaction($0, state) }
            },
            "revision": "\(known + page.count)", "hasMore": known + page.count < state.revoked.count,
        ])
    }

    private static func outcome(_ state: State, ofPurchase key: String) -> HTTPAnswer {
        if let sale = state.sales.first(where: { $0.key == key }) {
            return json(["transaction": transaction(sale, state)])
        }
        if state.refusedKeys.contains(key) { return .error(402, "paymentDeclined", 0) }
        return state.asks[key].map { json(["state": $0.state]) } ?? .error(404, "purchaseNotFound", 0)
    }

    private static func single(
        _ state: inout State, _ path: String, _ body: [String: any Sendable]
    ) -> HTTPAnswer {
        let parts = path.split(separator: "/").map(String.init)
        if parts.count == 3, parts[2] == "price-consent" {
            state.priceAnswers.append("\(parts[1]) \(body["accepted"] as? Bool == true ? "accepted" : "declined")")
            state.priceConsents.removeAll { $0.original == parts[1] }
            return HTTPAnswer(status: 204)
        }
        if parts.count == 2, parts[0] == "purchases" { return outcome(state, ofPurchase: parts[1]) }
        guard parts.count == 3, parts[0] == "transactions" else { return .error(400, "malformedRequest", 1) }
        if parts[2] == "receipt" {
            return json(["transactionReceipt": Data("receipt of \(parts[1])".utf8).base64EncodedString()])
        }
        if parts[1].hasPrefix("r") { return HTTPAnswer(status: 204) }
        guard let index = state.sales.firstIndex(where: { $0.id == parts[1] }) else {
            return .error(404, "transactionNotFound", 0)
        }
        state.sales[index].isFinished = true
        return HTTPAnswer(status: 204)
    }

    private static func purchase(_ state: inout State, _ body: [String: any Sendable]) -> HTTPAnswer {
        let key = body["idempotencyKey"] as? String ?? ""
        if let sale = state.sales.first(where: { $0.key == key }) {
            return json(["transaction": transaction(sale, state)])
        }
        if state.isDeclining { state.refusedKeys.insert(key) }
        if state.refusedKeys.contains(key) { return .error(402, "paymentDeclined", 0) }
        if body["simulatesAskToBuy"] as? Bool == true {
            state.asks[key] = state.asks[key] ?? Ask(body: body)
            return HTTPAnswer(status: 202, body: Data(#"{"state": "deferred"}"#.utf8))
        }
        sell(&state, key: key, body)
        return json(["transaction": transaction(state.sales[state.sales.count - 1], state)])
    }

    private static func sell(_ state: inout State, key: String, _ body: [String: any Sendable]) {
        state.sales.append(Sale(id: "\(1000 + state.sales.count)", key: key, body: body))
    }

    private static func restore(_ state: inout State) -> HTTPAnswer {
        let restorable = state.sales.filter {
            let type = state.types[$0.body["productId"] as? String ?? ""] ?? "consumable"
            return $0.isFinished && type != "consumable" && type != "nonRenewing"
        }
        let restored = restorable.map { sale in
            state.restores += 1
            var copy = transaction(sale, state)
            copy["original"] = transaction(sale, state)
            copy["transactionId"] = "r\(state.restores)"
            copy["state"] = "restored"
            return copy
        }
        return json(["transactions": restored])
    }

    private static func products(_ state: State, _ body: [String: any Sendable]) -> HTTPAnswer {
        let ids = body["productIds"] as? [String] ?? []
        let known = ids.filter { !$0.contains("unknown") }
        return json([
            "products": known.map {
                [
                    "productId": $0, "type": state.types[$0] ?? "consumable", "displayName": "Name of \($0)",
                    "description": "All about \($0)", "locale": "de", "price": 990, "currency": "EUR",
                    "displayPrice": "0,99 €", "isFamilyShareable": false,
                    "subscription": [
                        "groupId": "g", "level": 1, "period": "P1M",
                        "introductoryOffer": [
                            "paymentMode": "freeTrial", "period": "P1W", "periodCount": 1, "price": 0,
                            "displayPrice": "0,00 €",
                        ] as [String: any Sendable],
                    ] as [String: any Sendable],
                ] as [String: any Sendable]
            }, "invalidProductIds": ids.filter { $0.contains("unknown") },
        ])
    }

    private static func transaction(_ sale: Sale, _ state: State) -> [String: any Sendable] {
        let product = sale.body["productId"] as? String ?? ""
        var transaction: [String: any Sendable] = [
            "transactionId": sale.id, "originalTransactionId": sale.originalID ?? sale.id, "productId": product,
            "type": state.types[product] ?? "consumable", "quantity": sale.body["quantity"] ?? 1,
            "purchaseDate": sale.originalID == nil ? state.purchaseDate : "2026-02-01T00:00:00Z",
            "originalPurchaseDate": "2026-01-01T00:00:00Z", "price": 990, "currency": "EUR", "state": "purchased",
            "isFinished": sale.isFinished,
            "transactionReceipt": Data("receipt of \(sale.id)".utf8).base64EncodedString(),
        ]
        if let username = sale.body["applicationUsername"] { transaction["applicationUsername"] = username }
        if sale.isRevoked { transaction["revocationDate"] = "2026-01-02T00:00:00Z" }
        return transaction
    }

    private static func storefront(_ state: State) -> [String: any Sendable] {
        ["countryCode": state.storefront, "identifier": "143441", "currency": "EUR"]
    }

    private static func json(_ value: [String: any Sendable]) -> HTTPAnswer {
        HTTPAnswer(status: 200, body: (try? JSONSerialization.data(withJSONObject: value)) ?? Data())
    }
}

extension HTTPAnswer {
    static func error(_ status: Int, _ code: String, _ number: Int) -> HTTPAnswer {
        HTTPAnswer(
            status: status,
            body: Data(#"{"error": {"code": "\#(code)", "message": "about \#(code)", "skError": \#(number)}}"#.utf8))
    }
}

/// A process that crashes at its n-th step. Later steps have no effect.
final class CrashPoint: Sendable {
    struct Crash: Error {}

    private let remaining: Mutex<Int>

    init(atStep step: Int) {
        self.remaining = Mutex(step)
    }

    func step() throws {
        try remaining.withLock {
            $0 -= 1
            if $0 <= 0 { throw Crash() }
        }
    }

    var hasCrashed: Bool { remaining.withLock { $0 <= 0 } }
}

/// Crashes before a request is sent, or after the store has carried it out.
struct CrashingTransport: Transport {
    let store: FakeStore
    let crash: CrashPoint

    func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
        try crash.step()
        let answer = try await store.send(call, maximumBytes: maximumBytes)
        try crash.step()
        return answer
    }

    func stream(_ call: HTTPCall) async throws -> StreamedAnswer { try await store.stream(call) }
}

/// Crashes before a file is written, or after.
struct CrashingFiles: FileStore {
    let files: any FileStore
    let crash: CrashPoint

    func read(_ name: String) throws -> Data? { try files.read(name) }

    func write(_ data: Data, to name: String) throws {
        try crash.step()
        try files.write(data, to: name)
        try crash.step()
    }

    func remove(_ name: String) throws { try files.remove(name) }
}
