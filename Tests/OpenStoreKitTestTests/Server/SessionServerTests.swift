import AppStoreFormats
import Crypto
import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The server of a session")
struct SessionServerTests {
    private func answer(
        to request: URLRequest, by client: URLSession = .shared
    ) async throws -> (status: Int, body: Data) {
        try await withCheckedThrowingContinuation { continuation in
            client.dataTask(with: request) { data, response, error in
                if let error { return continuation.resume(throwing: error) }
                continuation.resume(
                    returning: ((response as? HTTPURLResponse)?.statusCode ?? 0, data ?? Data()))
            }.resume()
        }
    }

    private func token(_ key: SKTestSession.ServerAPIKey, bundleID: String) throws -> String {
        func text(_ object: [String: Any]) throws -> String {
            try JSONSerialization.data(withJSONObject: object, options: .sortedKeys).base64URL
        }
        let now = Int(Date().timeIntervalSince1970)
        let signed = [
            try text(["alg": "ES256", "kid": key.id, "typ": "JWT"]),
            try text([
                "iss": key.issuerID, "iat": now, "exp": now + 300, "aud": "appstoreconnect-v1", "bid": bundleID,
            ]),
        ].joined(separator: ".")
        let signature = try P256.Signing.PrivateKey(pemRepresentation: key.privateKey)
            .signature(for: Data(signed.utf8))
        return "\(signed).\(signature.rawRepresentation.base64URL)"
    }

    @Test("A backend finds by the Server API what the session sold, and verifies it")
    func serverAPI() async throws {
        try await Fixtures.withSession { session in
            let bought = try await session.buyProduct(identifier: Fixtures.silver)
            let base = try await session.startServer()
            #expect(try await session.startServer() == base)
            let key = try await session.makeServerAPIKey()
            var request = URLRequest(url: URL(string: "\(base)/inApps/v1/transactions/\(bought.id)")!)
            request.setValue(
                "Bearer \(try token(key, bundleID: session.bundleIdentifier))", forHTTPHeaderField: "Authorization")
            let found = try await answer(to: request)
            #expect(found.status == 200)
            let body = try JSONSerialization.jsonObject(with: found.body) as? [String: Any]
            let jws = try #require(body?["signedTransactionInfo"] as? String)
            let verifier = try JWSVerifier(trustedRoots: [Array(try session.rootCertificate)])
            let payload = try verifier.verify(jws, as: TransactionPayload.self)
            #expect(payload.transactionId == "\(bought.id)")
            #expect(payload.environment.rawValue == "Xcode")
        }
    }

    @Test("The Server API refuses calls without a key")
    func unauthorized() async throws {
        try await Fixtures.withSession { session in
            let base = try await session.startServer()
            let request = URLRequest(url: URL(string: "\(base)/inApps/v1/transactions/1")!)
            #expect(try await answer(to: request).status == 401)
        }
    }

    @Test("verifyReceipt accepts the app receipt with the session's secret")
    func verifyReceipt() async throws {
        try await Fixtures.withSession { session in
            try await session.buyProduct(identifier: Fixtures.silver)
            let receipt = try await session.connection.refreshReceipt()
            let base = try await session.startServer()
            var request = URLRequest(url: URL(string: "\(base)/verifyReceipt")!)
            request.httpMethod = "POST"
            request.httpBody = try JSONSerialization.data(withJSONObject: [
                "receipt-data": receipt.base64EncodedString(), "password": session.sharedSecret,
            ])
            let body = try JSONSerialization.jsonObject(with: try await answer(to: request).body) as? [String: Any]
            #expect(body?["status"] as? Int == 0)
            let bought = (body?["receipt"] as? [String: Any])?["in_app"] as? [[String: Any]]
            #expect(bought?.compactMap { $0["product_id"] as? String } == [Fixtures.silver])
        }
    }

    @Test("The receipt is in the file that apps read")
    func receiptFile() async throws {
        try await Fixtures.withSession { session in
            let receipt = try await session.connection.refreshReceipt()
            #expect(try Data(contentsOf: session.connection.appStoreReceiptURL) == receipt)
        }
    }

    @Test("What the control API changes is visible to the client")
    func control() async throws {
        try await Fixtures.withSession { session in
            let bought = try await session.buyProduct(identifier: Fixtures.silver)
            let base = try await session.startServer()
            var request = URLRequest(url: URL(string: "\(base)/control/v1/reset")!)
            request.httpMethod = "POST"
            request.setValue("Bearer \(session.controlToken)", forHTTPHeaderField: "Authorization")
            #expect(try await answer(to: request).status == 204)
            #expect(session.allTransactions().isEmpty)
            #expect(await Transaction.latest(for: bought.productID) == nil)
        }
    }

    @Test("The server ends with its session")
    func end() async throws {
        let place = try TemporaryFolder()
        let file = try place.write(configuration(product: "thing"), to: "Shop.storekit")
        let other = try Fixtures.session()
        var session: SKTestSession? = try SKTestSession(contentsOf: file)
        let base = try #require(try await session?.startServer())
        #expect(try await answer(to: URLRequest(url: base.appendingPathComponent("store/v1/storefront"))).status == 401)
        session = nil
        // Closing takes the server's own time.
        var request = URLRequest(url: base.appendingPathComponent("store/v1/storefront"))
        request.timeoutInterval = 5
        var isOpen = true
        for _ in 0..<200 where isOpen {
            isOpen = (try? await answer(to: request)) != nil
            await Task.yield()
        }
        #expect(!isOpen)
        #expect(other.allTransactions().isEmpty)
    }

    @Test("A session ends while connections arrive, and the process goes on")
    func endWithConnections() async throws {
        for _ in 0..<10 {
            var session: SKTestSession? = try Fixtures.session()
            let base = try #require(try await session?.startServer())
            let url = base.appendingPathComponent("store/v1/storefront")
            // Each request has a connection of its own.
            let client = URLSession(configuration: .ephemeral)
            client.configuration.httpMaximumConnectionsPerHost = 32
            let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
                for _ in 0..<32 {
                    group.addTask { try? await answer(to: URLRequest(url: url), by: client).status }
                }
                _ = try await group.next()
                session = nil
                return try await group.reduce(into: [Int?]()) { $0.append($1) }
            }
            // Refused by the store, which may be gone by then, or not answered.
            #expect(statuses.allSatisfy { ($0 ?? 401) >= 400 }, "\(statuses)")
        }
    }
}

extension Data {
    fileprivate var base64URL: String {
        base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
