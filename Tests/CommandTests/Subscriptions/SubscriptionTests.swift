import TestSupport
import Testing

@testable import PerennialCommand

/// The life of a subscription from the command line, on a clock that is moved.
struct SubscriptionTests {
    @Test func `a subscription is shown`() async throws {
        try await RunningStore.run { store in
            let id = try await store.buy("monthly", environment: "staging")
            let report = try await store.run("subscription", id, environment: "staging")
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

    @Test func `each thing done to it says how it stands then`() async throws {
        try await RunningStore.run { store in
            let id = try await store.buy("monthly", environment: "staging")
            let steps = [
                (["cancel", id], "monthly: active until 2026-02-28T10:00:00Z, does not renew"),
                (["resume", id], "monthly: active until 2026-02-28T10:00:00Z, renews as monthly for USD 4.99"),
                (["renew", id], "monthly: active until 2026-03-31T10:00:00Z, renews as monthly for USD 4.99"),
            ]
            for (words, standing) in steps {
                let report = try await RunningStore.run(words + store.access + ["--environment", "staging"])
                #expect(report.words == "\(id) \(standing)", "\(words[0])")
            }
        }
    }

    @Test func `a subscription that is ended says why`() async throws {
        try await RunningStore.run { store in
            let id = try await store.buy("monthly", environment: "staging")
            _ = try await store.run("clock", "advance", "--by", "P1W", environment: "staging")
            let report = try await store.run("expire", id, environment: "staging")
            #expect(
                report.words == "\(id) monthly: expired at 2026-02-07T10:00:00Z, for another reason, does not renew")
        }
    }

    @Test func `payments are declined, and accepted again`() async throws {
        try await RunningStore.run { store in
            let id = try await store.buy("monthly", environment: "staging")
            _ = try await store.run("decline-payments", id, environment: "staging")
            let advanced = try await store.run("clock", "advance", "--by", "P1M", environment: "staging")
            #expect(advanced.words == "2026-02-28T10:00:00Z, 2 events on the way")
            let failed = try await store.run("subscription", id, environment: "staging")
            #expect(failed.words.contains("3, in billing retry since 2026-02-28T10:00:00Z"))
            let recovered = try await store.run("accept-payments", id, environment: "staging")
            #expect(recovered.words.hasPrefix("\(id) monthly: active until "))
        }
    }

    @Test func `an upgrade begins at once`() async throws {
        try await RunningStore.run { store in
            let id = try await store.buy("monthly", environment: "staging")
            let report = try await store.run("change", id, "yearly", environment: "staging")
            #expect(report.words == "\(id) yearly: active until 2027-01-31T10:00:00Z, renews as yearly for USD 49.99")
            #expect(
                try await store.error("change", id, "nothing", "--environment", "staging").hasSuffix(
                    "(productNotAvailable)"))
        }
    }

    @Test(arguments: [["consent"], ["consent", "--decline"]])
    func `there is nothing to consent to without a price increase`(words: [String]) async throws {
        try await RunningStore.run { store in
            let id = try await store.buy("monthly")
            await #expect(throws: StoreClientError(.refused, "", "")) {
                _ = try await RunningStore.run(words + [id] + store.access)
            }
        }
    }
}
