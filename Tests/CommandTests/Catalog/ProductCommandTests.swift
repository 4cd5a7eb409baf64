import Perennial
import TestSupport
import Testing

@testable import PerennialCommand

/// Products, groups and offers from the command line.
struct ProductCommandTests {
    @Test(arguments: ProductKind.allCases)
    func `a product of each type is created, shown, edited and deleted`(kind: ProductKind) async throws {
        try await RunningStore.run { store in
            var words = ["products", "create", "new.one", "--type", kind.rawValue, "--name", "New one"]
            words += ["--display-name", "en-US=The new one", "--description", "en-US=All of it"]
            if kind == .autoRenewable { words += ["--group", "magazine", "--period", "P1M"] }
            let made = try await RunningStore.run(words + store.access)
            #expect(made.words.hasPrefix("new.one: MISSING_METADATA, it lacks "))
            let shown = try await store.run("products", "show", "new.one")
            #expect(shown.words.contains("The new one: All of it"))
            let edited = try await store.run(
                "products", "edit", "new.one", "--name", "Newer", "--display-name", "de-DE=Das neue", "--storefront",
                "DEU")
            #expect(edited.words.hasPrefix("new.one: "))
            let again = try await store.run("products", "show", "new.one").words
            #expect(again.contains("Newer") && again.contains("Das neue") && again.contains("DEU"))
            #expect(try await store.run("products", "delete", "new.one").words == "new.one is deleted")
        }
    }

    @Test(arguments: [
        (["--price", "4.99"], "USD 4.99"), (["--price", "EUR=4.99"], "EUR 4.99"),
        (["--price", "JPY=500", "--base-storefront", "JPN"], "JPY 500"),
    ])
    func `a product is created with its first price`(words: [String], price: String) async throws {
        try await RunningStore.run { store in
            let create = ["products", "create", "new.one", "--type", "consumable", "--name", "New one"]
            let made = try await RunningStore.run(create + words + store.access)
            #expect(!made.words.contains("price"), "\(made.words)")
            let row = try await store.run("products", "show", "new.one").words.split(separator: "\n").first {
                $0.hasPrefix("price")
            }
            #expect(row?.hasSuffix(price) == true, "\(row ?? "")")
        }
    }

    @Test(arguments: [
        (["--type", "free", "--price", "0.99"], "(invalid)"),
        (["--type", "consumable", "--price", "XXX=1"], "(invalid)"),
        (["--type", "consumable", "--price", "EUR=1", "--base-storefront", "USA"], "(invalid)"),
    ])
    func `a price that can't be creates no product`(words: [String], code: String) async throws {
        try await RunningStore.run { store in
            let error = await #expect(throws: (any Error).self) {
                try await RunningStore.run(["products", "create", "new.one", "--name", "New"] + words + store.access)
            }
            #expect(error.map { "\($0)" }?.hasSuffix(code) == true, "\(error.map { "\($0)" } ?? "")")
            await #expect(throws: (any Error).self) { try await store.run("products", "show", "new.one") }
        }
    }

    @Test func `the operator removes an approved product from sale and puts it back`() async throws {
        try await RunningStore.run { store in
            #expect(try await store.run("reviews", "remove", "film.roll").words == "film.roll: REMOVED_FROM_SALE")
            #expect(try await store.run("reviews", "restore", "film.roll").words == "film.roll: APPROVED")
            _ = try await store.run("products", "create", "new.one", "--type", "consumable", "--name", "New")
            let refused = await #expect(throws: (any Error).self) {
                try await store.run("reviews", "remove", "new.one")
            }
            #expect(refused.map { "\($0)" }?.hasSuffix("(stateInvalid)") == true)
        }
    }

    @Test func `a diff lists the products that only the store has`() async throws {
        try await RunningStore.run { store in
            let file = "\(try TemporaryFolder.make())/catalog.yaml"
            let app = TestCatalog.bundleID.rawValue
            _ = try await store.run("catalog", "export", "--app", app, "--output", file)
            let same = try await store.run("catalog", "diff", file)
            #expect(same.succeeded && same.words == "The files and the store say the same", "\(same.words)")
            _ = try await store.run("products", "create", "new.one", "--type", "consumable", "--name", "New")
            let differs = try await store.run("catalog", "diff", file)
            #expect(differs.words == "\(app):\n  only in the store: product new.one")
            #expect(!differs.succeeded)
        }
    }

    @Test(arguments: [
        (["products", "show", "film.rol"], "film.roll"), (["prices", "list", "montly"], "monthly"),
        (["groups", "edit", "magazin", "--name", "Club"], "magazine"),
        (["products", "create", "new", "--type", "auto-renewable", "--name", "N", "--group", "magazin"], "magazine"),
        (["offers", "edit", "film.roll", "code", "gft", "--end-codes"], "gift"),
    ])
    func `an unknown name of the catalog is answered with a near match`(words: [String], near: String) async throws {
        try await RunningStore.run { store in
            _ = try await store.run("offers", "create", "film.roll", "code", "gift")
            let error = await #expect(throws: (any Error).self) { try await RunningStore.run(words + store.access) }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.split(separator: "did you mean").last?.contains(" \(near)") == true, "\(text)")
        }
    }

    @Test func `a refused edit says why`() async throws {
        try await RunningStore.run { store in
            let refusedPeriod = await #expect(throws: (any Error).self) {
                try await store.run("products", "edit", "monthly", "--period", "P1Y")
            }
            let period = refusedPeriod.map { "\($0)" } ?? ""
            #expect(period.contains("period") && period.hasSuffix("(invalid)"))
            let refusedDeletion = await #expect(throws: (any Error).self) {
                try await store.run("products", "delete", "film.roll")
            }
            #expect(refusedDeletion.map { "\($0)" }?.hasSuffix("(stateInvalid)") == true)
        }
    }

    @Test func `the journal of the catalog names the user at the command line`() async throws {
        try await RunningStore.run { store in
            _ = try await store.run("products", "edit", "film.roll", "--name", "A roll")
            #expect(try await store.run("catalog", "changes", "list").words.contains("command-line:"))
        }
    }

    @Test func `a group is created, renamed and deleted`() async throws {
        try await RunningStore.run { store in
            _ = try await store.run("groups", "create", "Club", "--display-name", "en-US=The club")
            #expect(try await store.run("groups", "edit", "Club", "--name", "Circle").words.contains("Circle"))
            let row = try #require(
                try await store.run("groups").words.split(separator: "\n").first { $0.contains("magazine") })
            #expect(row.contains("yearly, monthly"))
            #expect(try await store.run("groups", "delete", "Circle").words == "Circle is deleted")
        }
    }

    @Test func `offers are created, listed, changed and deleted`() async throws {
        try await RunningStore.run { store in
            let trial = try await store.run(
                "offers", "create", "monthly", "introductory", "--mode", "free-trial", "--period", "P1W")
            #expect(trial.words.contains("introductory") && trial.words.contains("free"))
            let half = try await store.run(
                "offers", "create", "monthly", "promotional", "half", "--mode", "pay-as-you-go", "--periods", "3",
                "--price", "1.99", "--storefront", "USA")
            #expect(half.words.contains("P1M × 3") && half.words.contains("1.99"))
            _ = try await store.run("offers", "create", "film.roll", "code", "gift")
            let ended = try await store.run("offers", "edit", "film.roll", "code", "gift", "--end-codes")
            #expect(ended.words.contains("ended"))
            for (kind, offer) in [("introductory", "all"), ("promotional", "half")] {
                let gone = try await store.run("offers", "delete", "monthly", kind, offer)
                #expect(gone.words == "The \(kind) offer \(offer) of monthly is gone")
            }
            #expect(try await store.run("offers", "list", "monthly").words == "The product has no offers")
        }
    }

    @Test(arguments: [
        ["products", "create", "x", "--type", "car", "--name", "X"],
        ["products", "create", "x", "--type", "free", "--name", "X", "--display-name", "Coins"],
        ["offers", "create", "monthly", "promotional"], ["offers", "create", "monthly", "introductory", "trial"],
        ["users", "edit", "uma@example.com", "--app", "a", "--all-apps"],
        ["keys", "create", "--kind", "connect", "--role", "account-holder"],
        ["keys", "create", "--user", "uma@example.com"],
    ])
    func `words that make no command are refused`(words: [String]) {
        #expect(throws: (any Error).self) { try Words.parse(words) }
    }
}
