import Foundation
import OpenStoreKit
import Synchronization
import Testing

struct PurchaseTests {
    let device: Device
    let store = SaleStore()

    init() throws {
        self.device = try Device()
        store.set { $0.types = ["monthly": "autoRenewable", "lens": "nonConsumable"] }
    }

    private func buy(
        _ id: String, _ options: Set<Product.PurchaseOption> = [], on connection: StoreConnection
    ) async throws -> Product.PurchaseResult {
        try await connection.withCurrent {
            let product = try #require(try await Product.products(for: [id]).first)
            return try await product.purchase(options: options)
        }
    }

    private func refusal(
        _ answer: HTTPAnswer, _ id: String = "coins", _ options: Set<Product.PurchaseOption> = []
    ) async throws -> (any Error)? {
        store.set { $0.purchaseAnswers = [.refused(answer)] }
        do {
            _ = try await buy(id, options, on: device.connection(store))
            return nil
        } catch {
            return error
        }
    }

    // MARK: Outcomes

    @Test func `a purchase returns the verified transaction`() async throws {
        let token = UUID()
        let result = try await buy("coins", [.quantity(3), .appAccountToken(token)], on: device.connection(store))
        guard case .success(.verified(let transaction)) = result else { throw Unexpected(result) }
        #expect(transaction.productID == "coins")
        #expect(transaction.purchasedQuantity == 3)
        #expect(transaction.appAccountToken == token)
        let order = try #require(store.orders.first)
        #expect(order["quantity"] as? Int == 3)
        #expect(order["appAccountToken"] as? String == token.uuidString.lowercased())
        #expect(order["includeSigned"] as? Bool == true)
        #expect(order["simulatesAskToBuy"] as? Bool == false)
    }

    @Test func `a bad signature gives an unverified transaction`() async throws {
        store.set { $0.signsWithAnotherRoot = true }
        let result = try await buy("coins", on: device.connection(store))
        guard case .success(.unverified(let transaction, let error)) = result else { throw Unexpected(result) }
        #expect(transaction.productID == "coins")
        #expect(error == .invalidSignature)
    }

    @Test func `Ask to Buy gives a pending purchase, by option or by session`() async throws {
        let connection = device.connection(store)
        guard case .pending = try await buy("coins", [.simulatesAskToBuyInSandbox(true)], on: connection) else {
            return #expect(Bool(false))
        }
        connection.asksToBuy = true
        guard case .pending = try await buy("coins", on: connection) else { return #expect(Bool(false)) }
        #expect(store.charges == 0)
    }

    @Test func `an interrupted purchase is pending`() async throws {
        store.set { $0.purchaseAnswers = [.refused(.error(409, "purchaseInterrupted", 0))] }
        let result = try await buy("coins", on: device.connection(store))
        guard case .pending = result else { throw Unexpected(result) }
    }

    @Test func `a cancelled sheet sends nothing`() async throws {
        let sheet = Sheet(answer: .cancel)
        let result = try await buy("coins", [.quantity(2)], on: device.connection(store, paymentSheet: sheet))
        guard case .userCancelled = result else { throw Unexpected(result) }
        #expect(store.orders.isEmpty)
        #expect(sheet.shown.withLock { $0 } == ["2 coins"])
    }

    @Test func `a simulated error ends a purchase before it is sent`() async throws {
        let connection = device.connection(store)
        connection.simulatedErrors.set(Product.PurchaseError.purchaseNotAllowed, for: .purchase)
        await #expect(throws: Product.PurchaseError.purchaseNotAllowed) { _ = try await buy("coins", on: connection) }
        #expect(store.orders.isEmpty)
    }

    @Test func `subscribers who buy what they have get their running transaction`() async throws {
        let connection = device.connection(store)
        _ = try await buy("monthly", on: connection)
        store.set { $0.purchaseAnswers = [.refused(.error(409, "alreadySubscribed", 3))] }
        let result = try await buy("monthly", on: connection)
        guard case .success(.verified(let transaction)) = result else { throw Unexpected(result) }
        #expect(transaction.id == 2001)
        #expect(store.charges == 1)
    }

    // MARK: Errors

    @Test(arguments: [
        ("quantityOutOfRange", 400, Product.PurchaseError.invalidQuantity),
        ("productNotAvailable", 404, .productUnavailable),
        ("paymentsNotAllowed", 403, .purchaseNotAllowed), ("offerNotAvailable", 409, .ineligibleForOffer),
        ("offerNotFound", 404, .invalidOfferIdentifier), ("offerSignatureInvalid", 403, .invalidOfferSignature),
        ("missingOfferParameters", 400, .missingOfferParameters), ("offerPriceInvalid", 409, .invalidOfferPrice),
    ])
    func `the store's refusals become purchase errors`(code: String, status: Int, error: Product.PurchaseError)
        async throws
    {
        #expect(try await refusal(.error(status, code, 0)) as? Product.PurchaseError == error)
    }

    @Test func `a declined payment is a system error with the store's reason`() async throws {
        guard case .systemError(let error)? = try await refusal(.error(402, "paymentDeclined", 0)) as? StoreKitError
        else {
            return #expect(Bool(false))
        }
        #expect((error as NSError).userInfo[SKStoreErrorCodeKey] as? String == "paymentDeclined")
    }

    @Test func `impossible options are refused before anything is sent`() async throws {
        let connection = device.connection(store)
        let refused: [(String, Set<Product.PurchaseOption>, Product.PurchaseError)] = [
            ("coins", [.quantity(0)], .invalidQuantity), ("coins", [.quantity(11)], .invalidQuantity),
            ("lens", [.quantity(2)], .invalidQuantity), ("coins", [.seats(3)], .multiSeatPurchaseDisabled),
            (
                "coins", Set(Product.PurchaseOption.promotionalOffer("spring", compactJWS: token())),
                .invalidOfferIdentifier
            ),
            ("monthly", [.custom(key: "adHocOfferId", value: "spring")], .missingOfferParameters),
            (
                "monthly", Set(Product.PurchaseOption.promotionalOffer("autumn", compactJWS: token())),
                .invalidOfferIdentifier
            ),
            ("monthly", [.introductoryOfferEligibility(compactJWS: "")], .missingOfferParameters),
        ]
        for (product, options, error) in refused {
            await #expect(throws: error, "\(product) \(options)") {
                _ = try await buy(product, options, on: connection)
            }
        }
        await #expect(throws: StoreKitError.self) {
            _ = try await buy("monthly", [.billingPlanType(.monthly)], on: connection)
        }
        #expect(store.orders.isEmpty)
    }

    // MARK: Offers

    /// A JWS with the claims of an offer; the store verifies it, not the client.
    private func token(_ offer: String = "spring") -> String {
        let claims = Data(#"{"offerIdentifier":"\#(offer)"}"#.utf8).base64EncodedString()
        return "e30." + claims.replacingOccurrences(of: "=", with: "") + ".c2ln"
    }

    private func offer(_ options: Set<Product.PurchaseOption>) async throws -> [String: any Sendable] {
        _ = try await buy("monthly", options, on: device.connection(store))
        return try #require(store.orders.last?["offer"] as? [String: any Sendable])
    }

    @Test func `offers are sent with their proof`() async throws {
        let nonce = UUID()
        let signed = try await offer([
            .promotionalOffer(offerID: "spring", keyID: "K1", nonce: nonce, signature: Data([1, 2]), timestamp: 99)
        ])
        #expect(signed["identifier"] as? String == "spring")
        #expect(signed["keyIdentifier"] as? String == "K1")
        #expect(signed["nonce"] as? String == nonce.uuidString.lowercased())
        #expect(signed["signature"] as? String == "AQI=")
        #expect(signed["timestamp"] as? Int == 99)
        let compact = try await offer(Set(Product.PurchaseOption.promotionalOffer("spring", compactJWS: token())))
        #expect(compact["token"] as? String == token())
        let eligibility = try await offer([.introductoryOfferEligibility(compactJWS: "a.b.c")])
        #expect(eligibility["token"] as? String == "a.b.c")
        try await device.connection(store).withCurrent {
            let product = try #require(try await Product.products(for: ["monthly"]).first)
            let back = try #require(product.subscription?.winBackOffers.first)
            _ = try await product.purchase(options: [.winBackOffer(back)])
        }
        #expect((store.orders.last?["offer"] as? [String: any Sendable])?["winBack"] as? String == "back")
    }

    @Test func `options are equal if they say the same`() {
        let token = UUID()
        typealias Option = Product.PurchaseOption
        #expect(
            Set([Option.appAccountToken(token), .quantity(1)]) == Set([Option.quantity(1), .appAccountToken(token)]))
        #expect(Option.quantity(1) != Option.quantity(2))
        #expect(Option.custom(key: "a", value: 1.0) != Option.custom(key: "a", value: "1.0"))
        #expect(
            Set(Option.promotionalOffer("o", compactJWS: "a")) == Set(Option.promotionalOffer("o", compactJWS: "a")))
        let question = Option.onStorefrontChange { _ in true }
        #expect(question == question)
        #expect(question != Option.onStorefrontChange { _ in true })
    }

    @Test func `the bytes of an offer's signature don't tell options apart`() {
        let nonce = UUID()
        func option(_ offerID: String = "spring", timestamp: Int = 1, bytes: String) -> Product.PurchaseOption {
            let signature = Product.SubscriptionOffer.Signature(
                keyID: "key", nonce: nonce, timestamp: timestamp, signature: Data(bytes.utf8))
            return .promotionalOffer(offerID: offerID, signature: signature)
        }
        #expect(option(bytes: "one") == option(bytes: "other"))
        #expect(Set([option(bytes: "one"), option(bytes: "other")]).count == 1)
        #expect(option(bytes: "one") != option("autumn", bytes: "one"))
        #expect(option(bytes: "one") != option(timestamp: 2, bytes: "one"))
    }

    // MARK: Lost answers

    @Test func `a repeated purchase continues the one whose answer was lost`() async throws {
        let connection = device.connection(store)
        // The client repeats a request by itself before it gives up.
        store.set { $0.purchaseAnswers = [.lost, .lost, .lost, .lost] }
        let error = await #expect(throws: StoreKitError.self) { _ = try await buy("coins", on: connection) }
        guard case .networkError? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(store.charges == 1)
        guard case .success(.verified(let transaction)) = try await buy("coins", on: connection) else {
            return #expect(Bool(false))
        }
        #expect(transaction.id == 2001)
        #expect(store.charges == 1)
        guard case .success(.verified(let next)) = try await buy("coins", on: connection) else {
            return #expect(Bool(false))
        }
        #expect(next.id == 2002)
        #expect(store.charges == 2)
    }

    @Test func `a lost purchase that arrived by itself isn't returned for a new one`() async throws {
        let connection = device.connection(store)
        store.set { $0.purchaseAnswers = [.lost, .lost, .lost, .lost] }
        await #expect(throws: StoreKitError.self) { _ = try await buy("coins", on: connection) }
        store.set { $0.sales[0].isFinished = true }
        guard case .success(.verified(let transaction)) = try await buy("coins", on: connection) else {
            return #expect(Bool(false))
        }
        #expect(transaction.id == 2002)
        #expect(store.charges == 2)
    }

    @Test func `another order has another key`() async throws {
        let connection = device.connection(store)
        store.set { $0.purchaseAnswers = [.lost, .lost, .lost, .lost] }
        await #expect(throws: StoreKitError.self) { _ = try await buy("coins", on: connection) }
        _ = try await buy("coins", [.quantity(2)], on: connection)
        #expect(store.charges == 2)
    }

    // MARK: Storefronts

    @Test func `a changed storefront is asked about, and ends the purchase if the app says so`() async throws {
        let connection = device.connection(store)
        try await connection.withCurrent {
            let product = try #require(try await Product.products(for: ["coins"]).first)
            let asked = Mutex<[String]>([])
            func option(_ continues: Bool) -> Product.PurchaseOption {
                .onStorefrontChange { storefront in
                    asked.withLock { $0.append(storefront.countryCode) }
                    return continues
                }
            }
            _ = try await product.purchase(options: [option(false)])
            #expect(asked.withLock { $0 }.isEmpty)
            store.set { $0.storefront = "FRA" }
            await #expect { try await product.purchase(options: [option(false)]) } throws: { error in
                if case StoreKitError.notAvailableInStorefront = error { true } else { false }
            }
            #expect(store.charges == 1)
            _ = try await product.purchase(options: [option(true)])
            #expect(asked.withLock { $0 } == ["FRA", "FRA"])
            #expect(store.charges == 2)
        }
    }

    @Test func `a product of a task's store stays with it in detached tasks`() async throws {
        let product = try await device.connection(store).withCurrent {
            try #require(try await Product.products(for: ["coins"]).first)
        }
        let result = try await Task.detached { try await product.purchase() }.value
        guard case .success(.verified) = result else { throw Unexpected(result) }
        #expect(store.charges == 1)
    }
}

/// An outcome that a test doesn't expect.
struct Unexpected: Error {
    let value: String

    init(_ value: Any) {
        self.value = "\(value)"
    }
}

/// A payment sheet with one answer, which records payments.
final class Sheet: StoreConnection.PaymentSheet {
    let answer: StoreConnection.PaymentSheetAnswer
    let shown = Mutex<[String]>([])

    init(answer: StoreConnection.PaymentSheetAnswer) {
        self.answer = answer
    }

    func confirm(_ payment: StoreConnection.PaymentDetails) async -> StoreConnection.PaymentSheetAnswer {
        shown.withLock { $0.append("\(payment.quantity) \(payment.productIdentifier)") }
        return answer
    }
}
