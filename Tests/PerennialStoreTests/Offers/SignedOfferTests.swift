import Crypto
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Signatures of offers and offer tokens (docs/reference/apple-behaviour.md, "Signature of promotional offers", "Offer
/// tokens"). `PromotionalOfferTests` has the purchases.
struct SignedOfferTests {
    private static let monthly = Product.ID(rawValue: "monthly")
    private static let refused = PurchaseRefusal(.offerSignatureInvalid, monthly, "")

    /// Creates a store whose customer ann had the monthly subscription and left.
    private static func shop(_ key: TestOfferKey? = nil) async throws -> TestStore {
        let shop = try await TestStore.make(app: TestCatalog.magazineWithOffers)
        try await key?.register(in: shop)
        let first = try await shop.buy("monthly", as: "ann")
        _ = try await shop.store.subscriptions.perform(.expire, on: first.originalID)
        return shop
    }

    /// A signature by openssl: `printf '%s' TEXT | openssl dgst -sha256 -sign KEY | base64`, where TEXT is
    /// `com.example.magazine`, `OPENSSLKEY`, `monthly`, `half`, the token, the nonce and `1767225600789`, joined by the
    /// bytes E2 81 A3.
    private enum OpenSSL {
        static let publicKey =
            "BI+vIBlwVaR1rLGXvFLsDlZigE2F5kEa5LeXH1d3FDngzuXmgRR+l2wbTq8alixX0ebIPetZSP/FrBE1c4P2T4Y="
        static let nonce = "1a2b3c4d-0000-4000-8000-abcdefabcdef"
        static let token = "7e3fb204-2e1f-4d0a-9d2c-0123456789ab"
        static let signature =
            "MEUCIQCCstxH+JZxf5WOYrNcMZpoaBc5x4f7unJXTqP2dZ7ZYwIgXfFyeDhLYLZMd7IHTYQvbNaf8efyQ9VleunyltZ3XjU="
        static let signatureWithoutToken =
            "MEUCIG0NNSE4LbkjpHkQuSCA5VZCEyCIwLQ5AXrFUZWKOWETAiEAm9BBRsOjZlLd2sKOhzAipmmf5TKhJdya9Cj2OssuDNg="
    }

    /// Goal: nonce and token are signed in lower case also if the device sends upper case, and an empty token keeps its
    /// separators.
    @Test(arguments: [true, false])
    func `openssl's signature of the text joined with U+2063 is accepted`(
        hasToken: Bool
    ) async throws {
        let shop = try await Self.shop()
        let key = APIKey(
            id: "OPENSSLKEY", app: TestCatalog.magazine().appleID, kind: .promotionalOffer,
            issuerID: TestOfferKey.issuer, publicKey: Array(try #require(Data(base64Encoded: OpenSSL.publicKey))),
            created: TestStore.opening)
        try await shop.database.write { try APIKeysTable.insert(key, on: $0) }
        let signature = hasToken ? OpenSSL.signature : OpenSSL.signatureWithoutToken
        let offer = SignedOffer(
            offerID: "half", keyID: key.id, nonce: OpenSSL.nonce.uppercased(),
            signature: Array(try #require(Data(base64Encoded: signature))), timestamp: TestStore.opening)
        func buy(token: String?) async throws -> Transaction {
            try await shop.store.purchases.buy(
                PurchaseRequest(productID: Self.monthly, applicationUsername: token, claim: .signed(offer)),
                by: try await shop.customer("ann"))
        }
        let token = OpenSSL.token.uppercased()
        await #expect(throws: Self.refused) { try await buy(token: hasToken ? nil : token) }
        #expect(try await buy(token: hasToken ? token : nil).offer?.id == "half")
    }

    @Test func `only ECDSA P-256 with SHA-256 in DER is accepted`() async throws {
        let key = TestOfferKey()
        let shop = try await Self.shop(key)
        let good = try key.sign()
        var raw = good
        raw.signature = Array(
            try P256.Signing.ECDSASignature(derRepresentation: good.signature).rawRepresentation)
        await #expect(throws: Self.refused) { try await shop.buy("monthly", claiming: .signed(raw), as: "ann") }
        #expect(try await shop.buy("monthly", claiming: .signed(good), as: "ann").offer?.id == "half")
    }

    @Test(arguments: [(Int64(0), true), (.hours(24) - 1, true), (.hours(24), false)])
    func `a signature is valid for 24 hours`(age: Int64, isGood: Bool) async throws {
        let key = TestOfferKey()
        let shop = try await Self.shop(key)
        let offer = try key.sign(at: TestStore.opening + -age)
        do {
            #expect(try await shop.buy("monthly", claiming: .signed(offer), as: "ann").offer?.id == "half")
            #expect(isGood)
        } catch let refusal as PurchaseRefusal {
            #expect(refusal == Self.refused)
            #expect(!isGood)
        }
    }

    static let wrong: [(what: String, header: [String: JSONValue], claims: [String: JSONValue])] = [
        ("alg", ["alg": "HS256"], [:]), ("no signature", ["alg": "none"], [:]), ("typ", ["typ": "JOSE"], [:]),
        ("kid", ["kid": "OFFERKEY33"], [:]), ("iss", [:], ["iss": "00000000-0000-4000-8000-000000000000"]),
        ("bid", [:], ["bid": "com.example.camera"]), ("aud", [:], ["aud": "appstoreconnect-v1"]),
        ("iat", [:], ["iat": 1_700_000_000]), ("nonce", [:], ["nonce": "12345"]),
    ]

    @Test(arguments: wrong.indices)
    func `an offer token needs ES256, JWT, kid and its five claims`(index: Int) async throws {
        let key = TestOfferKey()
        let shop = try await Self.shop(key)
        let (what, header, changed) = Self.wrong[index]
        let before = try await shop.journal().count
        let token = try key.token(
            "promotional-offer", changed.merging(["offerIdentifier": "half"]) { $1 }, header: header)
        await #expect(throws: Self.refused, "\(what)") {
            try await shop.buy("monthly", claiming: .token(token), as: "ann")
        }
        #expect(try await shop.journal().count == before)
    }

    @Test func `a nonce is a UUID in upper or lower case and valid once`() async throws {
        let key = TestOfferKey()
        let shop = try await Self.shop(key)
        func token(_ nonce: String) throws -> OfferClaim {
            .token(
                try key.token("promotional-offer", ["offerIdentifier": "half", "nonce": .string(nonce)]))
        }
        let sold = try await shop.buy("monthly", claiming: token(TestOfferKey.nonce.uppercased()), as: "ann")
        #expect(sold.offer?.id == "half")
        _ = try await shop.store.subscriptions.perform(.expire, on: sold.originalID)
        await #expect(throws: Self.refused) {
            try await shop.buy("monthly", claiming: token(TestOfferKey.nonce.lowercased()), as: "ann")
        }
        let other = "1a2b3c4d-0000-4000-8000-abcdefabcdee"
        #expect(try await shop.buy("monthly", claiming: token(other), as: "ann").offer?.id == "half")
    }
}
