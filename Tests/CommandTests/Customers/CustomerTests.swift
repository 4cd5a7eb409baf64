import AppStoreFormats
import Foundation
import PerennialStore
import TestSupport
import Testing

@testable import PerennialCommand

struct CustomerTests {
    @Test func `an account is created, changed, shown and listed`() async throws {
        try await RunningStore.run { store in
            let name = "ann@example.com"
            let steps = [
                (["create", name, "--storefront", "DEU"], "storefront DEU, payment method valid"),
                (["edit", name, "--payment-method", "declined"], "storefront DEU, payment method declined"),
                (["edit", name, "--no-can-make-payments"], "storefront DEU, payment method declined, may not buy"),
                (["show", name], "storefront DEU, payment method declined, may not buy"),
            ]
            for (words, state) in steps {
                let report = try await RunningStore.run(["accounts"] + words + store.access)
                #expect(report.words == "\(name): \(state)")
            }
            #expect(try await store.error("accounts", "create", name).hasSuffix("(accountExists)"))
            let misspelled = try await store.error("accounts", "edit", "ann@exmaple.com")
            #expect(misspelled.contains("did you mean \(name)?"), "\(misspelled)")
            let list = try await store.run("accounts", "list").words.split(separator: "\n")
            #expect(list.count == 2 && list[1].hasPrefix(name) && list[1].hasSuffix("may not buy"))
        }
    }

    @Test(arguments: ["a b/c?d", "ärn@example.com", "a+b@example.com", "100%"])
    func `an account with special characters in its name is shown`(name: String) async throws {
        try await RunningStore.run { store in
            _ = try await store.run("accounts", "create", name)
            let shown = try await store.run("accounts", "show", name)
            #expect(try JSONValue(shown.json)["account"] == .string(name))
        }
    }

    @Test func `an account signs in with its password`() async throws {
        try await RunningStore.run { store in
            _ = try await store.run("accounts", "create", "ann", "--password", "secret", environment: "Production")
            let production = try await store.shop.environment("Production").store
            _ = try await production.accounts.signIn(
                account: "ann", password: "secret", deviceID: TestDevice.phone.id, bundleID: TestCatalog.bundleID,
                applicationVersion: "1")
        }
    }

    @Test func `a purchase prints its price, and repeats with the same key`() async throws {
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
            _ = try await store.run("accounts", "create", "ann", "--payment-method", "declined")
            let line = try await store.error("buy", "film.roll", "--account", "ann", "--app", "com.example.magazine")
            #expect(line.hasSuffix("(paymentDeclined)"))
        }
    }

    @Test(arguments: [([], "film.roll, USD 0.99"), (["--percentage", "50"], "film.roll, 50 % of USD 0.99")])
    func `a refund prints product, share and date`(options: [String], what: String) async throws {
        try await RunningStore.run { store in
            let id = try await store.buy("film.roll")
            let report = try await RunningStore.run(
                ["refunds", "create", id, "--reason", "app-issue"] + options + store.access)
            #expect(report.words == "\(id) is refunded: \(what), at 2026-01-01T00:00:00Z")
            let payload = try Signed.transaction(try #require(try JSONValue(report.json)["signedTransaction"]?.text))
            #expect(payload.revocationReason == .issueWithApp)
            #expect(try await store.error("refunds", "create", id).hasSuffix("(alreadyRefunded)"))
        }
    }

    @Test func `refunds are listed by reason, date and page`() async throws {
        try await RunningStore.run { store in
            var ids: [String] = []
            for reason in ["other", "app-issue", "app-issue"] {
                let id = try await store.buy("film.roll")
                _ = try await store.run("refunds", "create", id, "--reason", reason, "--percentage", "50")
                ids.append(id)
            }
            _ = try await store.buy("film.roll")
            func listed(_ options: String...) async throws -> JSONValue {
                try JSONValue(try await RunningStore.run(["refunds", "list"] + options + store.access).json)
            }
            func numbers(_ answer: JSONValue) -> [String] {
                answer["refunds"]?.elements?.compactMap { $0["transactionId"]?.text } ?? []
            }
            #expect(numbers(try await listed()) == ids.reversed())
            #expect(numbers(try await listed("--reason", "app-issue")) == ids.dropFirst().reversed())
            #expect(numbers(try await listed("--from", "2026-01-02T00:00:00Z")).isEmpty)
            #expect(numbers(try await listed("--to", "2026-01-02T00:00:00Z", "--account", "ann")) == ids.reversed())
            let first = try await listed("--limit", "2")
            let rest = try await listed("--limit", "2", "--after", try #require(first["next"]?.text))
            #expect(numbers(first) + numbers(rest) == ids.reversed())
            let words = try await store.run("refunds", "list", "--limit", "1").words
            #expect(words.contains("USD 0.99") && words.contains("50 %") && words.contains("app-issue"))
        }
    }

    @Test func `a receipt is printed in base64 and written in DER`() async throws {
        try await RunningStore.run { store in
            _ = try await store.buy("filter.amber")
            let printed = try await store.run("receipts", "show", "--account", "ann", "--app", "com.example.magazine")
            #expect(try JSONValue(printed.json)["appReceipt"] == .string(printed.words))
            // A program gets the receipt alone, a person also its contents.
            let command = try #require(try Words.parse(["receipts", "show", "--account", "ann"]) as? any StoreCommand)
            #expect(command.text(of: printed) == printed.words)
            let seen = Terminal.$columnsOfTask.withValue(80) { command.text(of: printed) }
            #expect(try #require(seen).hasPrefix(printed.words) && seen?.contains("filter.amber") == true)
            let file = "\(try TemporaryFolder.make())/receipt"
            let written = try await store.run(
                "receipts", "show", "--account", "ann", "--app", "com.example.magazine", "--output", file)
            let bytes = Array(try Data(contentsOf: URL(filePath: file)))
            #expect(written.words == "The receipt is in \(file): \(bytes.count) bytes")
            let receipt = try TestSigning.shared.receiptVerifier.verify(bytes)
            #expect(receipt.purchases.map(\.productID) == ["filter.amber"])
        }
    }

    @Test func `an output file that can't be written is reported`() async throws {
        try await RunningStore.run { store in
            let file = "\(try TemporaryFolder.make())/no/receipt"
            _ = try await store.run("accounts", "create", "ann")
            await #expect {
                _ = try await store.run(
                    "receipts", "show", "--account", "ann", "--app", "com.example.magazine", "--output", file)
            } throws: { "\($0)" == "\(file) can't be written" }
        }
    }
}
