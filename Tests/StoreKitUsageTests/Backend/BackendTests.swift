import StoreKit
import StoreKitTest
import Testing

/// The app's own server, which unlocks what it has verified. The one of Tests/Interop/test_sessions.py is in Python.
struct Backend: Sendable {
    let url: URL

    static var configured: Backend? {
        ProcessInfo.processInfo.environment["PERENNIAL_TEST_BACKEND"].flatMap(URL.init(string:)).map(Backend.init)
    }

    struct Answer: Decodable, Sendable {
        var unlocked: [String]?
        var status: Int?
        var revoked: Bool?
        var error: String?
    }

    func post(_ path: String, _ body: [String: String]) async throws -> Answer {
        var request = URLRequest(url: url.appendingPathComponent(path))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(body)
        let (data, _) = try await URLSession.shared.data(for: request)
        return try JSONDecoder().decode(Answer.self, from: data)
    }
}

@Suite("Usage: a backend verifies what a session sold", .enabled(if: Backend.configured != nil))
struct BackendTests {
    @Test("signed transactions, statuses, refunds and receipts stand up to the backend")
    func sale() async throws {
        let backend = try #require(Backend.configured)
        try await withMagazineStore { session in
            let key = try await session.makeServerAPIKey()
            _ = try await backend.post(
                "configure",
                [
                    "store": session.startServer().absoluteString,
                    "bundleId": session.bundleIdentifier,
                    "rootCertificate": session.rootCertificate.base64EncodedString(),
                    "receiptRootCertificate": session.receiptRootCertificate.base64EncodedString(),
                    "keyId": key.id, "issuerId": key.issuerID, "privateKey": key.privateKey,
                    "sharedSecret": session.sharedSecret,
                ])

            // A purchase of the app, told to the backend before it is finished.
            guard case .success(let bought) = try await product(Magazine.silver).purchase() else {
                Issue.record("not bought")
                return
            }
            let silver = try bought.payloadValue
            #expect(
                try await backend.post("purchases", ["jws": bought.jwsRepresentation]).unlocked == [Magazine.silver])
            await silver.finish()

            // One whose product was changed on the way.
            let forged = forge(bought.jwsRepresentation, from: Magazine.silver, to: Magazine.amber)
            #expect(try await backend.post("purchases", ["jws": forged]).error == "not verified")

            // A subscription, followed by the App Store Server API.
            let monthly = try await session.buyProduct(identifier: Magazine.monthly)
            let original = ["transactionId": String(monthly.originalID)]
            #expect(try await backend.post("status", original).status == 1)
            try session.expireSubscription(productIdentifier: Magazine.monthly)
            #expect(try await backend.post("status", original).status == 2)

            // A refund.
            let sold = ["transactionId": String(silver.id)]
            #expect(try await backend.post("transaction", sold).revoked == false)
            try session.refundTransaction(identifier: UInt(silver.id))
            #expect(try await backend.post("transaction", sold).revoked == true)

            // The app itself, and its receipt.
            let app = try await AppTransaction.shared
            #expect(try await backend.post("app", ["jws": app.jwsRepresentation]).error == nil)
            try await ReceiptRefresher().refresh()
            let receipt = try Data(contentsOf: #require(Bundle.main.appStoreReceiptURL))
            let receiptAnswer = try await backend.post("receipt", ["receipt": receipt.base64EncodedString()])
            #expect(receiptAnswer.error == nil)
            #expect(receiptAnswer.unlocked?.contains(Magazine.monthly) == true)

            // A receipt in which a product was changed.
            var changed = receipt
            let place = try #require(receipt.firstRange(of: Data(Magazine.monthly.utf8)))
            changed.replaceSubrange(place, with: Data(Magazine.monthly.uppercased().utf8))
            #expect(
                try await backend.post("receipt", ["receipt": changed.base64EncodedString()]).error == "not verified")
        }
    }

    /// The JWS with another product in its payload and the old signature.
    private func forge(_ jws: String, from product: String, to other: String) -> String {
        var parts = jws.split(separator: ".").map(String.init)
        var text = parts[1].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        let payload = String(decoding: Data(base64Encoded: text) ?? Data(), as: UTF8.self)
        parts[1] = Data(payload.replacingOccurrences(of: product, with: other).utf8).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
        return parts.joined(separator: ".")
    }
}
