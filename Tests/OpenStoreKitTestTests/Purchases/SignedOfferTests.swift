import Crypto
import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Testing

@Suite("Promotional offers signed locally")
struct SignedOfferTests {
    /// Writes the magazine's file with a key pair.
    private func file(in place: TemporaryFolder, key: String) throws -> URL {
        var file = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: Fixtures.magazine)) as? [String: Any])
        file["subscriptionOffersKeyPair"] = ["id": "KEY1234567", "privateKey": key]
        let data = try JSONSerialization.data(withJSONObject: file)
        return try place.write(String(decoding: data, as: UTF8.self), to: "Signed.storekit")
    }

    @Test("The key of the file signs for the session's app")
    func keyOfFile() async throws {
        let key = P256.Signing.PrivateKey()
        try await withSession(key) { session in
            let product = try #require(try await Product.products(for: [Fixtures.monthly]).first)
            let result = try await product.purchase(options: [signed(by: key, in: session)])
            guard case .success(.verified(let transaction)) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(transaction.offer?.id == "return-half-price")
        }
    }

    @Test("A key that is none is an error with the file")
    func badKey() throws {
        let place = try TemporaryFolder()
        let file = try file(in: place, key: "bm90IGEga2V5")
        let error = #expect(throws: SKTestError.self) { try SKTestSession(contentsOf: file) }
        #expect(error?.code == .invalidURL)
        #expect(error?.localizedDescription.contains("Signed.storekit") == true)
    }

    /// The offer `return-half-price` of the monthly subscription, signed for a session.
    private func signed(
        by key: P256.Signing.PrivateKey, in session: SKTestSession, token: UUID? = nil
    ) throws -> Product.PurchaseOption {
        let (nonce, timestamp) = (UUID(), Int(session.clock.now.timeIntervalSince1970 * 1000))
        let text = [
            session.bundleIdentifier, "KEY1234567", Fixtures.monthly, "return-half-price",
            token?.uuidString.lowercased() ?? "", nonce.uuidString.lowercased(), "\(timestamp)",
        ].joined(separator: "\u{2063}")
        return .promotionalOffer(
            offerID: "return-half-price", keyID: "KEY1234567", nonce: nonce,
            signature: try key.signature(for: Data(text.utf8)).derRepresentation, timestamp: timestamp)
    }

    /// The same offer as a compact JWS.
    private func token(
        by key: P256.Signing.PrivateKey, id: String = "KEY1234567", issuer: String = "issuer", in session: SKTestSession
    ) throws -> [Product.PurchaseOption] {
        func base64(_ data: Data) -> String {
            data.base64EncodedString().replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
        }
        func part(_ value: [String: Any]) throws -> String {
            base64(try JSONSerialization.data(withJSONObject: value))
        }
        let time = Int(session.clock.now.timeIntervalSince1970)
        let head = try part(["alg": "ES256", "kid": id, "typ": "JWT"])
        let body = try part([
            "iss": issuer, "iat": time, "aud": "promotional-offer", "bid": session.bundleIdentifier,
            "nonce": UUID().uuidString.lowercased(), "productId": Fixtures.monthly,
            "offerIdentifier": "return-half-price",
        ])
        let signature = try key.signature(for: Data("\(head).\(body)".utf8)).rawRepresentation
        return Product.PurchaseOption.promotionalOffer(
            "return-half-price", compactJWS: "\(head).\(body).\(base64(signature))")
    }

    private func withSession(
        _ key: P256.Signing.PrivateKey, _ body: (SKTestSession) async throws -> Void
    ) async throws {
        let place = try TemporaryFolder()
        let session = try SKTestSession(contentsOf: file(in: place, key: key.derRepresentation.base64EncodedString()))
        try await session.withSession {
            try await session.buyProduct(identifier: Fixtures.monthly)
            try session.expireSubscription(productIdentifier: Fixtures.monthly)
            try await body(session)
        }
    }

    @Test("A session's purchase proves a signed offer and applies it")
    func sessionPurchase() async throws {
        let key = P256.Signing.PrivateKey()
        try await withSession(key) { session in
            let token = UUID()
            let bought = try await session.buyProduct(
                identifier: Fixtures.monthly,
                options: [signed(by: key, in: session, token: token), .appAccountToken(token)])
            #expect(bought.offer?.id == "return-half-price")
            #expect(bought.offer?.type == .promotional)
        }
    }

    @Test("A session's purchase proves an offer's JWS and applies it")
    func sessionPurchaseWithToken() async throws {
        try await withSession(P256.Signing.PrivateKey()) { session in
            let made = try await session.makePromotionalOfferKey()
            let key = try P256.Signing.PrivateKey(pemRepresentation: made.privateKey)
            let options = try token(by: key, id: made.id, issuer: made.issuerID, in: session)
            let bought = try await session.buyProduct(identifier: Fixtures.monthly, options: Set(options))
            #expect(bought.offer?.id == "return-half-price")
            #expect(bought.price == Decimal(string: "1.99"))
        }
    }

    @Test("A session's purchase refuses an offer that isn't proven, and charges nothing")
    func unprovenOffers() async throws {
        let key = P256.Signing.PrivateKey()
        try await withSession(key) { session in
            let other = P256.Signing.PrivateKey()
            let options: [Set<Product.PurchaseOption>] = [
                [try signed(by: other, in: session)], Set(try token(by: other, in: session)),
                [.introductoryOfferEligibility(compactJWS: "a.b.c")],
                [.custom(key: "adHocOfferId", value: "return-half-price")],
                [try signed(by: key, in: session), .promotionalOffer(id: "return-half-price")],
                [.codeOffer(referenceName: "a"), .promotionalOffer(id: "return-half-price")],
                [.seats(2)], [.billingPlanType(.monthly)], [.quantity(2)],
            ]
            for options in options {
                let error = await #expect(throws: SKTestError.self, "\(options)") {
                    try await session.buyProduct(identifier: Fixtures.monthly, options: options)
                }
                #expect(error?.code == .invalidAction, "\(options)")
            }
            #expect(session.allTransactions().count == 1)
        }
    }

    @Test("Options for a session's purchases are refused by the app's")
    func testOptions() async throws {
        try await withSession(P256.Signing.PrivateKey()) { session in
            let product = try #require(try await Product.products(for: [Fixtures.monthly]).first)
            let offers: [Product.PurchaseOption] = [
                .promotionalOffer(id: "return-half-price"), .codeOffer(referenceName: "a"),
            ]
            for option in offers {
                let error = await #expect(throws: Product.PurchaseError.self) {
                    try await product.purchase(options: [option])
                }
                #expect(error == .missingOfferParameters)
            }
            await #expect(throws: StoreKitError.self) {
                try await product.purchase(options: [.purchaseDate(session.clock.now)])
            }
            #expect(session.allTransactions().count == 1)
        }
    }
}
