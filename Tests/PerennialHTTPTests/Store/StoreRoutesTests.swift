import AppStoreFormats
import Foundation
import HTTPTypes
import PerennialStore
import TestSupport
import Testing

/// Every request of store/v1 as it is answered when all is well (docs/reference/store.md).
struct StoreRoutesTests {
    @Test(arguments: StoreServer.places)
    func `a device signs in, buys, finishes, restores and goes`(place: String) async throws {
        try await StoreServer.run { server in
            let token = try await server.signIn(place)
            let base = "\(place)/store/v1"

            let storefront = try await server.ask(.get, "\(base)/storefront", bearer: token)
            #expect(storefront.json == ["countryCode": "USA", "identifier": "143441", "currency": "USD"])

            let bought = try await server.buy(
                "film.roll", token, at: place, more: ["quantity": 4, "includeReceipt": true])
            #expect(bought.status == 200)
            let film = try #require(bought["transaction"])
            #expect(film["quantity"] == 4)
            let id = try #require(film["transactionId"]?.text)
            let receipt = try await server.ask(.get, "\(base)/transactions/\(id)/receipt", bearer: token)
            #expect(receipt.json == ["transactionReceipt": film["transactionReceipt"] ?? .null])

            let unfinished = try await server.ask(.get, "\(base)/transactions/unfinished", bearer: token)
            #expect(unfinished["transactions"]?.elements?.map { $0["transactionId"] } == [.string(id)])
            #expect(unfinished["hasMore"] == nil)
            for _ in 0..<2 {
                let finished = try await server.ask(.post, "\(base)/transactions/\(id)/finish", bearer: token)
                #expect((finished.status, finished.body) == (204, []))
            }
            let rest = try await server.ask(.get, "\(base)/transactions/unfinished", bearer: token)
            #expect(rest.json == ["transactions": []])

            let app = try await server.ask(.get, "\(base)/receipt", bearer: token)
            let bytes = try #require(app["appReceipt"]?.text.flatMap { Data(base64Encoded: $0) })
            let read = try TestSigning.shared.receiptVerifier.verify(Array(bytes))
            #expect(read.belongs(toDevice: TestDevice.phone.identifier))
            #expect(read.purchases.isEmpty)

            let gone = try await server.ask(.delete, "\(base)/devices/current", bearer: token)
            #expect((gone.status, gone.body) == (204, []))
            #expect(try await server.ask(.get, "\(base)/storefront", bearer: token).status == 401)
        }
    }

    @Test func `signing in answers with the account and its storefront`() async throws {
        try await StoreServer.run { server in
            let account: JSONValue = ["account": "ann", "storefront": "JPN", "canMakePayments": false]
            _ = try await server.control(.post, "/sandbox/control/v1/accounts", account)
            let reply = try await server.ask(.post, "/sandbox/store/v1/devices", StoreServer.device("ann"))
            var members = try #require(reply.json?.members)
            #expect(members.removeValue(forKey: "token")?.text?.count == 64)
            #expect(
                members == [
                    "account": "ann", "canMakePayments": false,
                    "storefront": ["countryCode": "JPN", "identifier": "143462", "currency": "JPY"],
                ])
            #expect(reply.headers[.contentType] == "application/json")
        }
    }

    @Test func `products come in the order asked for, in the customer's language and currency`() async throws {
        try await StoreServer.run { server in
            let account: JSONValue = ["account": "ann", "storefront": "DEU"]
            _ = try await server.control(.post, "/sandbox/control/v1/accounts", account)
            let token = try await server.signIn("/sandbox")
            let ids: JSONValue = ["monthly", "film.rol", "film.roll", "retired"]
            let reply = try await server.ask(
                .post, "/sandbox/store/v1/products", ["productIds": ids, "language": "de-DE"], bearer: token)
            #expect(reply["invalidProductIds"] == ["film.rol", "retired"])
            let products = try #require(reply["products"]?.elements)
            #expect(products.map { $0["productId"] } == ["monthly", "film.roll"])
            var film = try #require(products[1].members)
            // The language's own form of a price, whatever space it puts before the sign.
            let price = film.removeValue(forKey: "displayPrice")?.text
            #expect(price?.filter { !$0.isWhitespace } == "0,99€")
            #expect(
                film == [
                    "productId": "film.roll", "type": "consumable", "displayName": "Filmrolle",
                    "description": "What Filmrolle is", "locale": "de_DE", "price": 990, "currency": "EUR",
                    "isFamilyShareable": false,
                ])
            #expect(
                products[0]["subscription"] == [
                    "groupId": "magazine", "groupDisplayName": "magazine", "level": 2, "period": "P1M",
                    "promotionalOffers": [],
                    "isEligibleForIntroductoryOffer": true, "winBackOffers": [],
                ])
        }
    }

    @Test func `a transaction says all that a device needs to know`() async throws {
        try await StoreServer.run { server in
            let token = try await server.signIn("/sandbox")
            let user = "0B0C0D0E-0001-0002-0003-000000000004"
            let bought = try await server.buy("monthly", token, more: ["applicationUsername": .string(user)])
            var transaction = try #require(bought["transaction"]?.members)
            let id = transaction.removeValue(forKey: "transactionId")
            #expect(transaction.removeValue(forKey: "originalTransactionId") == id)
            #expect(id?.text?.hasPrefix("2") == true)
            #expect(
                transaction == [
                    "productId": "monthly", "type": "autoRenewable", "quantity": 1,
                    "purchaseDate": "2026-01-01T00:00:00Z", "originalPurchaseDate": "2026-01-01T00:00:00Z",
                    // A month of sandbox is five minutes.
                    "expiresDate": "2026-01-01T00:05:00Z", "applicationUsername": .string(user),
                    "appAccountToken": .string(user.lowercased()), "price": 4990, "currency": "USD",
                    "state": "purchased", "isFinished": false,
                ])
        }
    }

    @Test func `a restored transaction has a number of its own and its original inside`() async throws {
        try await StoreServer.run { server in
            let token = try await server.signIn("/sandbox")
            let bought = try await server.buy("filter.amber", token, more: ["applicationUsername": "u"])
            let id = try #require(bought["transaction"]?["transactionId"]?.text)
            _ = try await server.ask(.post, "/sandbox/store/v1/transactions/\(id)/finish", bearer: token)
            let reply = try await server.ask(
                .post, "/sandbox/store/v1/restore", ["applicationUsername": "u"], bearer: token)
            let restored = try #require(reply["transactions"]?.elements?.first)
            #expect(restored["state"] == "restored")
            #expect(restored["isFinished"] == false)
            #expect(restored["transactionId"] != .string(id))
            #expect(restored["original"]?["transactionId"] == .string(id))
            #expect(restored["original"]?["state"] == "purchased")
            #expect(restored["original"]?["isFinished"] == true)
            let number = restored["transactionId"]?.text ?? ""
            let finish = try await server.ask(.post, "/sandbox/store/v1/transactions/\(number)/finish", bearer: token)
            #expect(finish.status == 204)
            let nothing = try await server.ask(
                .post, "/sandbox/store/v1/restore", ["applicationUsername": "v"], bearer: token)
            #expect(nothing.json == ["transactions": []])
        }
    }

    @Test func `a purchase is found by its key, and what was taken back by when it was`() async throws {
        try await StoreServer.run { server in
            let token = try await server.signIn("/sandbox")
            let base = "/sandbox/store/v1"
            let bought = try await server.buy("film.roll", token, more: ["idempotencyKey": "one"])
            let id = try #require(bought["transaction"]?["transactionId"]?.text)
            let found = try await server.ask(.get, "\(base)/purchases/one", bearer: token)
            #expect(found["transaction"]?["transactionId"] == .string(id))
            let asks: [String: JSONValue] = ["idempotencyKey": "two", "simulatesAskToBuy": true]
            let asked = try await server.buy("film.roll", token, more: asks)
            #expect((asked.status, asked.json) == (202, ["state": "deferred"]))
            let waiting = try await server.ask(.get, "\(base)/purchases/two", bearer: token)
            #expect((waiting.status, waiting.json) == (200, ["state": "deferred"]))
            let unknown = try await server.ask(.get, "\(base)/purchases/three", bearer: token)
            #expect(unknown.status == 404)
            #expect(unknown["error"]?["code"] == "purchaseNotFound")

            let revoked = "\(base)/transactions/revoked"
            let none = try await server.ask(.get, revoked, bearer: token)
            #expect(none.json == ["revision": "0", "transactions": []])
            _ = try await server.control(.post, "/sandbox/control/v1/transactions/\(id)/refund", [:])
            let first = try await server.ask(.get, "\(revoked)?after=0", bearer: token)
            #expect(first["transactions"]?.elements?.map { $0["transactionId"] } == [.string(id)])
            let revision = try #require(first["revision"]?.text)
            let second = try await server.ask(.get, "\(revoked)?after=\(revision)", bearer: token)
            #expect(second.json == ["revision": .string(revision), "transactions": []])
            let wrong = try await server.ask(.get, "\(revoked)?after=x", bearer: token)
            #expect((wrong.status, wrong["error"]?["field"]) == (400, "after"))
        }
    }

    @Test func `the key of a purchase may stand in a header`() async throws {
        try await StoreServer.run { server in
            let token = try await server.signIn("/sandbox")
            let name = try #require(HTTPField.Name("Idempotency-Key"))
            let bodies: [JSONValue] = [["productId": "film.roll", "idempotencyKey": "k"], ["productId": "film.roll"]]
            var ids: Set<JSONValue?> = []
            for (body, header) in [(bodies[0], nil), (bodies[1], "k"), (bodies[0], "other")] as [(JSONValue, String?)] {
                var headers = HTTPFields()
                headers[name] = header
                let reply = try await server.ask(
                    .post, "/sandbox/store/v1/purchases", body, bearer: token, headers: headers)
                ids.insert(reply["transaction"]?["transactionId"])
            }
            #expect(ids.count == 1)
            #expect(try await server.shop.count("transactions") == 1)
        }
    }

    @Test func `health and the root certificate are there for everybody`() async throws {
        try await StoreServer.run { server in
            let health = try await server.ask(.get, "/health")
            #expect(health.json == ["status": "ok"])
            let root = try await server.ask(.get, "/certificates/root.cer")
            #expect(root.headers[.contentType] == "application/pkix-cert")
            #expect(try root.body == TestSigning.identities.rootCertificate)
        }
    }
}
