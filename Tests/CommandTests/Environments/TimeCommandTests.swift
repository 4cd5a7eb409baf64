import TestSupport
import Testing

@testable import PerennialCommand

/// Time, billing, prices, extensions, refunds and interruptions from the command line.
struct TimeCommandTests {
    private static let app = "com.example.magazine"

    @Test func `billing is shown and set`() async throws {
        try await RunningStore.run { store in
            let set = try await store.run(
                "billing", "set", "--grace-period", "16", "--app", Self.app, environment: "staging")
            #expect(set.words.contains("16 days, all-renewals"))
            let shown = try await store.run("billing", "show", "--app", Self.app, environment: "staging")
            #expect(shown.words == set.words)
            #expect(try JSONValue(shown.json)["gracePeriodDays"] == 16)
            // What is left out stays as it is.
            let words = ["billing", "set", "--maximum-renewals", "12", "--app", Self.app, "--environment", "staging"]
            let both = try await RunningStore.run(words + store.access)
            #expect(both.words.contains("16 days, all-renewals") && both.words.contains("12"))
            let reset = try await store.run("billing", "reset", "--app", Self.app, environment: "staging")
            #expect(!reset.words.contains("12") && reset.words.contains("Grace period  none"))
            #expect(try await store.run("billing", environment: "staging").words.contains("as usual"))
        }
    }

    @Test func `an environment is created with a seed and a renewal rate`() async throws {
        try await RunningStore.run { store in
            for name in ["one", "two"] {
                _ = try await store.run(
                    "environments", "create", name, "--seed", "42", "--renewal-rate", "oneRenewalEveryMinute", "--now",
                    "2026-01-31T10:00:00Z")
            }
            let one = try await store.buy("monthly", environment: "one")
            #expect(try await store.buy("monthly", environment: "two") == one)
            let shown = try await store.run("subscriptions", "show", one, environment: "one")
            #expect(shown.words.contains("active until 2026-01-31T10:01:00Z"))
        }
    }

    @Test func `a price is changed, and a product taken off sale`() async throws {
        try await RunningStore.run { store in
            let id = try await store.buy("monthly", environment: "staging")
            let price = try await store.run(
                "prices", "set", "monthly", "5.99", "--only-here", "--app", Self.app, environment: "staging")
            #expect(price.words.hasPrefix("monthly costs "))
            #expect(
                try await store.run("subscriptions", "show", id, environment: "staging").words.contains(
                    "renews as monthly for USD 5.99"))
            let misspelled = try await store.error("products", "off-sale", "montly")
            #expect(misspelled.contains("did you mean family.monthly or monthly?"), "\(misspelled)")
            let list = try await store.run("products", "list", environment: "staging")
            #expect(list.words.split(separator: "\n").contains { $0.hasPrefix("monthly ") && $0.contains("USD 5.99") })
            let off = try await store.run("products", "off-sale", "monthly", "--app", Self.app, environment: "staging")
            #expect(off.words == "monthly is off sale")
            let on = try await store.run("products", "on-sale", "monthly", "--app", Self.app, environment: "staging")
            #expect(on.words == "monthly is for sale")
        }
    }

    @Test(arguments: ["", "-1", "1.2345", "1,5", ".5", "1.", "9999999999"])
    func `an invalid amount is refused`(text: String) {
        #expect(PriceAmount(argument: text) == nil)
    }

    @Test func `an amount is read to the thousandth`() {
        #expect(["5", "5.9", "5.99", "0.005"].map { PriceAmount(argument: $0)?.milliunits } == [5000, 5900, 5990, 5])
    }

    @Test func `renewal dates are extended`() async throws {
        try await RunningStore.run { store in
            let id = try await store.buy("monthly", environment: "staging")
            let one = try await store.run("subscriptions", "extend", id, "--days", "10", environment: "staging")
            #expect(one.words.hasPrefix("\(id) monthly: active until 2026-03-10T10:00:00Z"))
            let all = try await store.run(
                "subscriptions", "extend-all", "monthly", "--app", Self.app, "--days", "1", "--idempotency-key",
                "outage",
                environment: "staging"
            )
            #expect(all.words == "outage: 1 extended, 0 could not be")
        }
    }

    @Test func `a refund is requested, declined and reversed`() async throws {
        try await RunningStore.run { store in
            let id = try await store.buy("monthly", environment: "staging")
            let asked = try await store.run("refunds", "request", id, environment: "staging")
            #expect(asked.words == "\(id) monthly: a refund is asked for")
            let declined = try await store.run("refunds", "decline", id, environment: "staging")
            #expect(declined.words == "\(id) monthly: the refund is declined")
            _ = try await store.run("refunds", "create", id, environment: "staging")
            let reversed = try await store.run("refunds", "reverse", id, environment: "staging")
            #expect(reversed.words == "\(id) monthly: the refund is reversed")
        }
    }

    @Test func `without a quarantined subscription the list says so`() async throws {
        try await RunningStore.run { store in
            let none = try await store.run("quarantine", "list", environment: "staging")
            #expect(none.words == "No subscription is quarantined")
        }
    }

    @Test func `an interrupted purchase is listed and resolved`() async throws {
        try await RunningStore.run { store in
            let account = try await store.run(
                "accounts", "create", "ann", "--interrupts-purchases", environment: "staging")
            #expect(account.words.hasSuffix("purchases are interrupted"))
            await #expect(throws: StoreClientError(.refused, "", "")) {
                try await store.buy("monthly", environment: "staging")
            }
            let list = try await store.run("interrupted", "list", "--app", Self.app, environment: "staging")
            let id = try #require(list.words.split(separator: "\n").last?.split(separator: " ").first)
            let bought = try await store.run("interrupted", "resolve", String(id), environment: "staging")
            #expect(bought.words.hasPrefix("\(id) is bought: "))
            let none = try await store.run("interrupted", "list", "--app", Self.app, environment: "staging")
            #expect(none.words == "No purchase waits for its customer")
        }
    }
}
