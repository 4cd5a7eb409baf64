import AppStoreFormats
import Foundation
import HTTPTypes
import Perennial
import PerennialStore
import TestSupport
import Testing

/// The requests of StoreKit 2 (docs/reference/store.md).
struct ChangeRoutesTests {
    private static let base = "/sandbox/store/v1"

    private static func payload(_ jws: JSONValue?) throws -> TransactionPayload {
        try TestSigning.verifier.verify(try #require(jws?.text), as: TransactionPayload.self)
    }

    @Test(arguments: StoreServer.places)
    func `a device follows what happens to its purchases`(place: String) async throws {
        try await StoreServer.run { server in
            let token = try await server.signIn(place)
            let path = "\(place)/store/v1/changes"
            let empty = try await server.ask(.get, path, bearer: token)
            var members = try #require(empty.json?.members)
            let start = try #require(members.removeValue(forKey: "revision")?.text)
            #expect(members.removeValue(forKey: "date")?.text.flatMap { Instant(rfc3339: $0) } != nil)
            #expect(
                members == ["hasMore": false, "isComplete": true, "subscriptions": [], "transactions": []])

            let film = try await server.buy("film.roll", token, at: place)
            let monthly = try await server.buy("monthly", token, at: place)
            let ids = try [film, monthly].map { try #require($0["transaction"]?["transactionId"]?.text) }
            let bought = try await server.ask(.get, "\(path)?after=\(start)", bearer: token)
            #expect(bought["isComplete"] == false)
            let transactions = try #require(bought["transactions"]?.elements)
            #expect(transactions.map { $0["isFinished"] } == [false, false])
            #expect(try transactions.map { try Self.payload($0["signedTransaction"]).transactionId } == ids)
            let subscription = try #require(bought["subscriptions"]?.elements?.first)
            #expect(subscription["originalTransactionId"] == .string(ids[1]))
            #expect(subscription["subscriptionGroupId"] == "magazine" && subscription["status"] == 1)
            #expect(try Self.payload(subscription["signedTransaction"]).transactionId == ids[1])
            let info = try #require(subscription["signedRenewalInfo"]?.text)
            #expect(
                try TestSigning.verifier.verify(info, as: RenewalInfoPayload.self).originalTransactionId == ids[1])

            let revision = try #require(bought["revision"]?.text)
            _ = try await server.ask(.post, "\(place)/store/v1/transactions/\(ids[0])/finish", bearer: token)
            let finished = try await server.ask(.get, "\(path)?after=\(revision)", bearer: token)
            #expect(finished["transactions"]?.elements?.map { $0["isFinished"] } == [true])
        }
    }

    @Test func `a device waits for a change`() async throws {
        try await StoreServer.run { server in
            let token = try await server.signIn("/sandbox")
            let start = try await server.ask(.get, "\(Self.base)/changes", bearer: token)
            let path = "\(Self.base)/changes?wait=25&after=\(try #require(start["revision"]?.text))"
            async let waiting = server.ask(.get, path, bearer: token)
            let bought = try await server.buy("film.roll", token)
            let id = try #require(bought["transaction"]?["transactionId"]?.text)
            let told = try await waiting
            let transactions = try #require(told["transactions"]?.elements)
            #expect(try transactions.map { try Self.payload($0["signedTransaction"]).transactionId } == [id])
        }
    }

    @Test(arguments: ["wait=26", "wait=-1", "wait=x", "after=x"])
    func `what no request can say is malformed`(query: String) async throws {
        try await StoreServer.run { server in
            let token = try await server.signIn("/sandbox")
            let reply = try await server.ask(.get, "\(Self.base)/changes?\(query)", bearer: token)
            #expect(reply.status == 400)
            #expect(reply.error?["code"] == "malformedRequest")
            #expect(reply.error?["field"]?.text == query.split(separator: "=").first.map(String.init))
        }
    }

    @Test func `a purchase is answered with its signed forms`() async throws {
        try await StoreServer.run { server in
            let token = try await server.signIn("/sandbox")
            let user = "0B0C0D0E-0001-0002-0003-000000000004"
            let more: [String: JSONValue] = [
                "appAccountToken": .string(user), "includeSigned": true, "idempotencyKey": "one",
            ]
            let film = try #require(try await server.buy("film.roll", token, more: more)["transaction"])
            let payload = try Self.payload(film["signedTransaction"])
            #expect(.string(payload.transactionId) == film["transactionId"])
            #expect(payload.appAccountToken?.uuidString == user)
            #expect(film["signedRenewalInfo"] == nil)
            let known = try await server.ask(.get, "\(Self.base)/purchases/one", bearer: token)
            #expect(try Self.payload(known["transaction"]?["signedTransaction"]).transactionId == payload.transactionId)

            let monthly = try #require(
                try await server.buy("monthly", token, more: ["includeSigned": true])["transaction"])
            let info = try TestSigning.verifier.verify(
                try #require(monthly["signedRenewalInfo"]?.text), as: RenewalInfoPayload.self)
            #expect(.string(info.originalTransactionId) == monthly["transactionId"])
            let plain = try await server.buy("filter.amber", token)
            #expect(plain["transaction"]?["signedTransaction"] == nil)
        }
    }

    @Test func `an app account token is a UUID, and a name beside it is the same`() async throws {
        try await StoreServer.run { server in
            let token = try await server.signIn("/sandbox")
            let user = "0B0C0D0E-0001-0002-0003-000000000004"
            for more in [["appAccountToken": "x"], ["appAccountToken": .string(user), "applicationUsername": "ann"]]
                as [[String: JSONValue]]
            {
                let reply = try await server.buy("film.roll", token, more: more)
                #expect((reply.status, reply.error?["field"]) == (400, "appAccountToken"))
            }
            let same = try await server.buy(
                "film.roll", token, more: ["appAccountToken": .string(user), "applicationUsername": .string(user)])
            #expect(same["transaction"]?["applicationUsername"] == .string(user))
            #expect(same["transaction"]?["appAccountToken"] == .string(user.lowercased()))
        }
    }

    @Test func `a refund is requested once`() async throws {
        try await StoreServer.run { server in
            let token = try await server.signIn("/sandbox")
            let film = try await server.buy("film.roll", token)
            let id = try #require(film["transaction"]?["transactionId"]?.text)
            let path = "\(Self.base)/transactions/\(id)/refund-request"
            let wrong = try await server.ask(.post, path, ["reason": "WHY"], bearer: token)
            #expect((wrong.status, wrong.error?["field"]) == (400, "reason"))
            let first = try await server.ask(.post, path, ["reason": "LEGAL"], bearer: token)
            #expect((first.status, first.json) == (200, ["state": "requested"]))
            let second = try await server.ask(.post, path, bearer: token)
            #expect((second.status, second.error?["code"]) == (409, "refundAlreadyRequested"))
            _ = try await server.control(.post, "/sandbox/control/v1/transactions/\(id)/refund", [:])
            let late = try await server.ask(.post, path, bearer: token)
            #expect((late.status, late.error?["code"]) == (409, "alreadyRefunded"))
            for unknown in ["1", "x"] {
                let reply = try await server.ask(
                    .post, "\(Self.base)/transactions/\(unknown)/refund-request", bearer: token)
                #expect((reply.status, reply.error?["code"]) == (404, "transactionNotFound"))
            }
        }
    }

    @Test func `a message asks for consent to a price`() async throws {
        try await StoreServer.run { server in
            let token = try await server.signIn("/sandbox")
            let monthly = try await server.buy("monthly", token)
            let id = try #require(monthly["transaction"]?["transactionId"]?.text)
            let none = try await server.ask(.get, "\(Self.base)/messages", bearer: token)
            #expect(none.json == ["messages": []])
            let number = try #require(TransactionID(id))
            _ = try await server.shop.store.subscriptions.perform(.requestPriceConsent, on: number)
            let messages = try await server.ask(.get, "\(Self.base)/messages", bearer: token)
            #expect(
                messages.json == [
                    "messages": [
                        [
                            "reason": "priceIncreaseConsent", "productId": "monthly",
                            "originalTransactionId": .string(id),
                        ]
                    ]
                ])
            let path = "\(Self.base)/subscriptions/\(id)/price-consent"
            #expect(try await server.ask(.post, path, ["accepted": true], bearer: token).status == 204)
            let again = try await server.ask(.post, path, ["accepted": true], bearer: token)
            #expect((again.status, again.error?["code"]) == (409, "noPriceIncrease"))
            let unknown = try await server.ask(
                .post, "\(Self.base)/subscriptions/1/price-consent", ["accepted": true], bearer: token)
            #expect((unknown.status, unknown.error?["code"]) == (404, "transactionNotFound"))
        }
    }

    @Test func `a test session's environment is made like any other`() async throws {
        try await StoreServer.run { server in
            let made = try await server.control(
                .post, "/control/v1/environments", ["name": "session", "kind": "Xcode", "clock": "manual"])
            #expect((made.status, made["kind"]) == (201, "Xcode"))
            let token = try await server.signIn("/environments/session")
            let film = try await server.buy(
                "film.roll", token, at: "/environments/session", more: ["includeSigned": true])
            #expect(try Self.payload(film["transaction"]?["signedTransaction"]).environment.rawValue == "Xcode")
        }
    }
}
