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
        let place = try TemporaryFolder()
        let key = P256.Signing.PrivateKey()
        let session = try SKTestSession(
            contentsOf: file(in: place, key: key.derRepresentation.base64EncodedString()))
        try await session.withSession {
            try await session.buyProduct(identifier: Fixtures.monthly)
            try session.expireSubscription(productIdentifier: Fixtures.monthly)
            let product = try #require(try await Product.products(for: [Fixtures.monthly]).first)
            let (nonce, timestamp) = (UUID(), Int(session.clock.now.timeIntervalSince1970 * 1000))
            let text = [
                session.bundleIdentifier, "KEY1234567", Fixtures.monthly, "return-half-price", "",
                nonce.uuidString.lowercased(), "\(timestamp)",
            ].joined(separator: "\u{2063}")
            let result = try await product.purchase(options: [
                .promotionalOffer(
                    offerID: "return-half-price", keyID: "KEY1234567", nonce: nonce,
                    signature: try key.signature(for: Data(text.utf8)).derRepresentation, timestamp: timestamp)
            ])
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
}
