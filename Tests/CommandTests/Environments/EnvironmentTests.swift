import TestSupport
import Testing

@testable import PerennialCommand

struct EnvironmentTests {
    @Test func `environments are created and listed`() async throws {
        try await RunningStore.run { store in
            let made = try await store.run(
                "environments", "create", "rehearsal", "--kind", "Production", "--now", "2025-01-01T00:00:00Z")
            #expect(
                made.words == "rehearsal is at \(store.url)/environments/rehearsal: Production, manual clock")
            let listed = try await store.run("environments", "list")
            #expect(
                listed.words == """
                    NAME        KIND        CLOCK   URL
                    Production  Production  real    \(store.url)
                    Sandbox     Sandbox     real    \(store.url)/sandbox
                    staging     Production  manual  \(store.url)/environments/staging
                    rehearsal   Production  manual  \(store.url)/environments/rehearsal
                    """)
            #expect(
                try await store.run("clock", environment: "rehearsal").words == "2025-01-01T00:00:00Z, manual clock")
        }
    }

    @Test func `an environment is deleted`() async throws {
        try await RunningStore.run { store in
            #expect(try await store.run("environments", "delete", "staging").words == "staging is deleted")
            let gone = try await store.error("clock", "--environment", "staging")
            #expect(gone.contains("(environmentNotFound)"))
            let misspelled = try await store.error("clock", "--environment", "Sandbix")
            #expect(misspelled.contains("did you mean Sandbox?"), "\(misspelled)")
            let kept = try await store.error("environments", "delete", "Sandbox")
            #expect(kept.hasSuffix("(environmentPermanent)"))
        }
    }

    @Test func `a clock is shown and moved`() async throws {
        try await RunningStore.run { store in
            #expect(try await store.run("clock").words == "2026-01-01T00:00:00.789Z, real clock")
            let moves = [
                (["--by", "P1M"], "2026-02-28T10:00:00Z, 0 events on the way"),
                (["--by", "P1DT12H30M"], "2026-03-01T22:30:00Z, 0 events on the way"),
                (["--to", "2026-04-01T02:00:00.250+02:00"], "2026-04-01T00:00:00.250Z, 0 events on the way"),
            ]
            for (move, words) in moves {
                let report = try await RunningStore.run(
                    ["clock", "advance"] + move + store.access + ["--environment", "staging"])
                #expect(report.words == words)
            }
            let past = try await store.error(
                "clock", "advance", "--to", "2020-01-01T00:00:00Z", "--environment", "staging")
            #expect(past.hasSuffix("(timeInThePast)"))
        }
    }

    @Test func `a reset empties the named environment only`() async throws {
        try await RunningStore.run { store in
            for environment in ["Sandbox", "staging"] { _ = try await store.buy("film.roll", environment: environment) }
            let report = try await store.run("environments", "reset", "staging")
            #expect(report.words == "staging is empty")
            #expect(report.text(asJSON: true) == nil)
            #expect(try await store.shop.count("transactions") == 1)
        }
    }
}
