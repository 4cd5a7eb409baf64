import TestSupport
import Testing

@testable import PerennialCommand

/// The life of a subscription from the command line, on a clock that is moved.
struct SubscriptionTests {
    @Test func `a subscription is shown`() async throws {
        try await RunningStore.run { store in
            let id = try await store.buy("monthly", environment: "staging")
            let report = try await store.run("subscriptions", "show", id, environment: "staging")
            #expect(
                report.words == """
                    Subscription  \(id)
                    Product       monthly
                    Status        1, active until 2026-02-28T10:00:00Z
                    Transaction   \(id)
                    Began         2026-01-31T10:00:00Z
                    Ends          2026-02-28T10:00:00Z
                    Paid          USD 4.99
                    Future        renews as monthly for USD 4.99
                    """)
            #expect(try JSONValue(report.json)["status"] == 1)
        }
    }

    @Test func `subscriptions and transactions are listed, of all customers or of one`() async throws {
        try await RunningStore.run { store in
            let id = try await store.buy("monthly", environment: "staging")
            for list in ["subscriptions", "transactions"] {
                let all = try await store.run(list, "list", environment: "staging")
                #expect(all.words.split(separator: "\n").count == 2)
                #expect(all.words.contains(id) && all.words.contains("ann") && all.words.contains("monthly"))
                let own = try await store.run(list, "list", "--account", "ann", environment: "staging")
                #expect(own.words == all.words)
                let item = try JSONValue(all.json)[list]?.elements?.first
                #expect(item?["originalTransactionId"] == .string(id))
                let other = try await store.error(list, "list", "--account", "an", "--environment", "staging")
                #expect(other.contains("did you mean ann?"), "\(other)")
            }
        }
    }

    @Test func `each action prints the state of the subscription`() async throws {
        try await RunningStore.run { store in
            let id = try await store.buy("monthly", environment: "staging")
            let steps = [
                (["subscriptions", "cancel", id], "monthly: active until 2026-02-28T10:00:00Z, does not renew"),
                (
                    ["subscriptions", "resume", id],
                    "monthly: active until 2026-02-28T10:00:00Z, renews as monthly for USD 4.99"
                ),
                (
                    ["subscriptions", "renew", id],
                    "monthly: active until 2026-03-31T10:00:00Z, renews as monthly for USD 4.99"
                ),
            ]
            for (words, state) in steps {
                let report = try await RunningStore.run(words + store.access + ["--environment", "staging"])
                #expect(report.words == "\(id) \(state)", "\(words[1])")
            }
        }
    }

    @Test func `an ended subscription shows the reason`() async throws {
        try await RunningStore.run { store in
            let id = try await store.buy("monthly", environment: "staging")
            _ = try await store.run("clock", "advance", "--by", "P1W", environment: "staging")
            let report = try await store.run("subscriptions", "expire", id, environment: "staging")
            #expect(
                report.words == "\(id) monthly: expired at 2026-02-07T10:00:00Z, for another reason, does not renew")
        }
    }

    @Test func `payments are declined, and accepted again`() async throws {
        try await RunningStore.run { store in
            let id = try await store.buy("monthly", environment: "staging")
            _ = try await store.run("payment-method", "decline", id, environment: "staging")
            let advanced = try await store.run("clock", "advance", "--by", "P1M", environment: "staging")
            #expect(advanced.words == "2026-02-28T10:00:00Z, 2 events on the way")
            let failed = try await store.run("subscriptions", "show", id, environment: "staging")
            #expect(failed.words.contains("3, in billing retry since 2026-02-28T10:00:00Z"))
            let recovered = try await store.run("payment-method", "accept", id, environment: "staging")
            #expect(recovered.words.hasPrefix("\(id) monthly: active until "))
        }
    }

    @Test func `an upgrade begins at once`() async throws {
        try await RunningStore.run { store in
            let id = try await store.buy("monthly", environment: "staging")
            let report = try await store.run("subscriptions", "change", id, "yearly", environment: "staging")
            #expect(report.words == "\(id) yearly: active until 2027-01-31T10:00:00Z, renews as yearly for USD 49.99")
            #expect(
                try await store.error("subscriptions", "change", id, "nothing", "--environment", "staging").hasSuffix(
                    "(productNotAvailable)"))
        }
    }

    @Test(arguments: [["price-consent", "accept"], ["price-consent", "decline"]])
    func `a consent without a price increase is refused`(words: [String]) async throws {
        try await RunningStore.run { store in
            let id = try await store.buy("monthly")
            await #expect(throws: StoreClientError(.refused, "", "")) {
                _ = try await RunningStore.run(words + [id] + store.access)
            }
        }
    }
}
