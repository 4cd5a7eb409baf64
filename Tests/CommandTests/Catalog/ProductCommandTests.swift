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
            let shown = try await store.run("product", "show", "new.one")
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
            #expect(try await store.run("catalog", "changes").words.contains("command-line:"))
        }
    }

    @Test func `a group is created, renamed and deleted`() async throws {
        try await RunningStore.run { store in
            _ = try await store.run("groups", "create", "Club", "--display-name", "en-US=The club")
            #expect(try await store.run("group", "edit", "Club", "--name", "Circle").words.contains("Circle"))
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
            let ended = try await store.run("offer", "edit", "film.roll", "code", "gift", "--end-codes")
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
