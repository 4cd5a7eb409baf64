import AppStoreFormats
import Foundation
import HTTPTypes
import OpenStoreKit
import Synchronization

/// A store in memory that sells under signature, for tests of StoreKit 2. Charges once for a key.
final class SaleStore: Transport {
    /// Identities are made once, since keys take a while.
    private static let signer: Result<(JWSSigner, [UInt8]), any Error> = Result {
        let identities = try SigningIdentities.makeDeferringReceipts()
        return (JWSSigner(identities: identities), identities.rootCertificate)
    }

    struct Sale {
        var id: Int
        var key: String
        var productID: String
        var isFinished = false
    }

    enum ScriptedAnswer {
        case refused(HTTPAnswer)
        /// The purchase is made, and its answer is lost.
        case lost
    }

    struct State {
        var sales: [Sale] = []
        /// Orders as they came, without their keys.
        var orders: [[String: any Sendable]] = []
        var log: [String] = []
        var storefront = "DEU"
        var currency = "EUR"
        /// The next answers to purchases, in place of the store's own.
        var purchaseAnswers: [ScriptedAnswer] = []
        var isOffline = false
        var messages: [[String: String]] = []
        var types: [String: String] = [:]
        /// Answers of `store/v1/app-transaction` so far.
        var appTransactions = 0
        var bundleID = "com.example.magazine"
        /// Version of the app, as of the last sign-in.
        var applicationVersion = ""
        /// True for signatures of another root.
        var signsWithAnotherRoot = false
    }

    let state = Mutex(State())

    var orders: [[String: any Sendable]] { state.withLock { $0.orders } }
    var charges: Int { state.withLock { $0.sales.count } }
    var log: [String] { state.withLock { $0.log } }

    func set(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
    }

    func stream(_ call: HTTPCall) async throws -> StreamedAnswer {
        throw TransportError(.noConnection, url: call.url, reason: "no streams here")
    }

    func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
        let path = call.url.path.replacingOccurrences(of: "/store/v1/", with: "")
        let (signer, root) = try Self.signer.get()
        return try state.withLock { state in
            guard !state.isOffline else { throw TransportError(.noConnection, url: call.url, reason: "offline") }
            state.log.append("\(call.method.rawValue) \(path)")
            let body = call.body.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: any Sendable]
            switch path {
            case "/certificates/root.cer": return HTTPAnswer(status: 200, body: Data(root))
            case "devices":
                state.applicationVersion = body?["applicationVersion"] as? String ?? ""
                return Self.json([
                    "token": "token", "account": "ann", "canMakePayments": true, "storefront": state.facts,
                ])
            case "storefront": return Self.json(state.facts)
            case "products": return Self.json(state.products(body?["productIds"] as? [String] ?? []))
            case "purchases": return try Self.purchase(&state, body ?? [:], signer, call.url)
            case "messages": return Self.json(["messages": state.messages])
            case "app-transaction": return try Self.appTransaction(&state, signer)
            default: return .error(404, "notFound", 0)
            }
        }
    }

    private static func purchase(
        _ state: inout State, _ body: [String: any Sendable], _ signer: JWSSigner, _ url: URL
    ) throws -> HTTPAnswer {
        let key = body["idempotencyKey"] as? String ?? ""
        state.orders.append(body.filter { $0.key != "idempotencyKey" })
        let scripted = state.purchaseAnswers.isEmpty ? nil : state.purchaseAnswers.removeFirst()
        if case .refused(let answer)? = scripted { return answer }
        if body["simulatesAskToBuy"] as? Bool == true {
            return HTTPAnswer(status: 202, body: Data(#"{"state": "deferred"}"#.utf8))
        }
        if !state.sales.contains(where: { $0.key == key }) {
            state.sales.append(
                Sale(id: 2001 + state.sales.count, key: key, productID: body["productId"] as? String ?? ""))
        }
        if case .lost? = scripted { throw TransportError(.noConnection, url: url, reason: "the answer is lost") }
        guard let sale = state.sales.first(where: { $0.key == key }) else { return .error(500, "unavailable", 0) }
        return json(["transaction": try state.transaction(sale, body, signer)])
    }

    private static func appTransaction(_ state: inout State, _ signer: JWSSigner) throws -> HTTPAnswer {
        state.appTransactions += 1
        var payload = AppTransactionPayload(
            receiptType: .sandbox, bundleId: state.bundleID, applicationVersion: state.applicationVersion,
            receiptCreationDate: SaleStore.date, originalPurchaseDate: SaleStore.date.addingTimeInterval(-86_400),
            originalApplicationVersion: "1.3")
        payload.appAppleId = 1234
        payload.appTransactionId = "70\(state.appTransactions)"
        payload.originalPlatform = .iOS
        return json(["signedAppTransaction": try signer.sign(payload: payload.encoded())])
    }

    static let date = Date(timeIntervalSince1970: 1_767_225_600)

    static func json(_ value: [String: any Sendable]) -> HTTPAnswer {
        HTTPAnswer(status: 200, body: (try? JSONSerialization.data(withJSONObject: value)) ?? Data())
    }
}

extension SaleStore.State {
    fileprivate var facts: [String: any Sendable] {
        ["countryCode": storefront, "identifier": "143443", "currency": currency]
    }

    fileprivate func transaction(
        _ sale: SaleStore.Sale, _ body: [String: any Sendable], _ signer: JWSSigner
    ) throws -> [String: any Sendable] {
        var payload = TransactionPayload(
            transactionId: "\(sale.id)", originalTransactionId: "\(sale.id)", bundleId: bundleID,
            productId: sale.productID, type: .consumable, purchaseDate: SaleStore.date,
            originalPurchaseDate: SaleStore.date, signedDate: SaleStore.date, environment: .sandbox)
        payload.quantity = Int32(body["quantity"] as? Int ?? 1)
        payload.appAccountToken = (body["appAccountToken"] as? String).flatMap(UUID.init(uuidString:))
        var jws = try signer.sign(payload: payload.encoded())
        if signsWithAnotherRoot { jws = String(jws.dropLast(8)) + "AAAAAAAA" }
        return [
            "transactionId": "\(sale.id)", "originalTransactionId": "\(sale.id)", "productId": sale.productID,
            "type": "consumable", "quantity": Int(payload.quantity), "purchaseDate": "2026-01-01T00:00:00Z",
            "originalPurchaseDate": "2026-01-01T00:00:00Z", "price": 990, "currency": currency, "state": "purchased",
            "isFinished": sale.isFinished, "signedTransaction": jws,
        ]
    }

    fileprivate func products(_ ids: [String]) -> [String: any Sendable] {
        func offer(_ id: String?, _ mode: String, _ period: String, _ price: Int) -> [String: any Sendable] {
            var offer: [String: any Sendable] = [
                "paymentMode": mode, "period": period, "periodCount": 2, "price": price, "displayPrice": "\(price)!",
            ]
            offer["offerId"] = id
            return offer
        }
        let known = ids.filter { !$0.contains("unknown") }.map { id in
            let type = types[id] ?? "consumable"
            var product: [String: any Sendable] = [
                "productId": id, "type": type, "displayName": "Name of \(id)", "description": "All about \(id)",
                "locale": "de", "price": 4990, "currency": currency, "displayPrice": "4,99 €",
                "isFamilyShareable": type == "nonConsumable",
            ]
            if type == "autoRenewable" {
                product["subscription"] =
                    [
                        "groupId": "g1", "groupDisplayName": "Magazin", "level": 2, "period": "P3M",
                        "introductoryOffer": offer(nil, "freeTrial", "P7D", 0),
                        "isEligibleForIntroductoryOffer": true,
                        "promotionalOffers": [offer("spring", "payAsYouGo", "P1M", 990)],
                        "winBackOffers": [offer("back", "payUpFront", "P1Y", 1990)],
                    ] as [String: any Sendable]
            }
            return product
        }
        return ["products": known, "invalidProductIds": ids.filter { $0.contains("unknown") }]
    }
}
