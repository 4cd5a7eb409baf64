import AppStoreFormats
import Foundation
import PerennialStore
import TestSupport
import Testing

@testable import PerennialCommand

struct CustomerTests {
    @Test func `an account is made, changed and shown`() async throws {
        try await RunningStore.run { store in
            let steps = [
                (["--storefront", "DEU"], "ann@example.com: storefront DEU, payment method valid"),
                (["--payment-method", "declined"], "ann@example.com: storefront DEU, payment method declined"),
                (
                    ["--no-can-make-payments"],
                    "ann@example.com: storefront DEU, payment method declined, may not buy"
                ), (["--show"], "ann@example.com: storefront DEU, payment method declined, may not buy"),
            ]
            for (options, words) in steps {
                let report = try await RunningStore.run(["account", "ann@example.com"] + options + store.access)
                #expect(report.words == words)
            }
        }
    }

    @Test(arguments: ["a b/c?d", "ärn@example.com", "a+b@example.com", "100%"])
    func `an account is shown whatever it is called`(name: String) async throws {
        try await RunningStore.run { store in
            _ = try await store.run("account", name)
            let shown = try await store.run("account", name, "--show")
            #expect(try JSONValue(shown.json)["account"] == .string(name))
        }
    }

    @Test func `a password is one that signs in`() async throws {
        try await RunningStore.run { store in
            _ = try await store.run("account", "ann", "--password", "secret", environment: "Production")
            let production = try await store.shop.environment("Production").store
            _ = try await production.signIn(
                account: "ann", password: "secret", deviceID: TestDevice.phone.id, bundleID: TestCatalog.bundleID,
                applicationVersion: "1")
        }
    }

    @Test func `a purchase says what was paid, and can be repeated`() async throws {
        try await RunningStore.run { store in
            let line = [
                "buy", "film.roll", "--account", "ann", "--app", "com.example.magazine", "--quantity", "3",
                "--idempotency-key", "k",
            ]
            let first = try await RunningStore.run(line + store.access)
            let id = try #require(try JSONValue(first.json)["transactionId"]?.text)
            #expect(first.words == "ann bought film.roll ×3, USD 2.97: \(id)")
            #expect(try await RunningStore.run(line + store.access).words == first.words)
            #expect(try await store.shop.count("transactions") == 1)
        }
    }

    @Test func `a refusal of a purchase is one line`() async throws {
        try await RunningStore.run { store in
            _ = try await store.run("account", "ann", "--payment-method", "declined")
            let line = try await store.error("buy", "film.roll", "--account", "ann", "--app", "com.example.magazine")
            #expect(line.hasSuffix("(paymentDeclined)"))
        }
    }

    @Test(arguments: [([], "film.roll, USD 0.99"), (["--percentage", "50"], "film.roll, 50 % of USD 0.99")])
    func `a refund says what and when`(options: [String], what: String) async throws {
        try await RunningStore.run { store in
            let id = try await store.buy("film.roll")
            let report = try await RunningStore.run(["refund", id, "--reason", "app-issue"] + options + store.access)
            #expect(report.words == "\(id) is refunded: \(what), at 2026-01-01T00:00:00Z")
            let payload = try Signed.transaction(try #require(try JSONValue(report.json)["signedTransaction"]?.text))
            #expect(payload.revocationReason == .issueWithApp)
            #expect(try await store.error("refund", id).hasSuffix("(alreadyRefunded)"))
        }
    }

    @Test func `a receipt is printed in base64 and written in DER`() async throws {
        try await RunningStore.run { store in
            _ = try await store.buy("filter.amber")
            let printed = try await store.run("receipt", "--account", "ann", "--app", "com.example.magazine")
            #expect(try JSONValue(printed.json)["appReceipt"] == .string(printed.words))
            let file = "\(try TemporaryFolder.make())/receipt"
            let written = try await store.run(
                "receipt", "--account", "ann", "--app", "com.example.magazine", "--output", file)
            let bytes = Array(try Data(contentsOf: URL(filePath: file)))
            #expect(written.words == "The receipt is in \(file): \(bytes.count) bytes")
            let receipt = try TestSigning.shared.receiptVerifier.verify(bytes)
            #expect(receipt.purchases.map(\.productID) == ["filter.amber"])
        }
    }

    @Test func `a receipt that can't be written is told`() async throws {
        try await RunningStore.run { store in
            let file = "\(try TemporaryFolder.make())/no/receipt"
            _ = try await store.run("account", "ann")
            await #expect {
                _ = try await store.run(
                    "receipt", "--account", "ann", "--app", "com.example.magazine", "--output", file)
            } throws: { "\($0)" == "\(file) can't be written" }
        }
    }
}
