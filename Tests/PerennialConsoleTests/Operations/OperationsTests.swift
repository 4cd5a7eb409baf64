import HTTPTypes
import Perennial
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

@Suite("Console: environments, clock, health")
struct OperationsTests {
    @Test("an environment is created, emptied and removed; its name confirms it")
    func environments() async throws {
        try await ConsoleServer.run { server in
            let session = try await server.signIn()
            let path = "\(ConsoleServer.place)/environments"
            let lab = ["name": "lab", "kind": "Sandbox", "clock": "manual", "now": "2026-01-31T10:00:00Z"]
            #expect(try await server.post(path, lab, session: session).status == 303)
            #expect(try await server.post(path, lab, session: session).status == 422)
            #expect(try await server.post(path, lab.merging(["now": "soon"]) { $1 }, session: session).status == 422)
            #expect(
                try await server.post(path, lab.merging(["clock": "real"]) { $1 }, session: session).status == 422)
            #expect(try await server.get(path, session: session).body.contains("/environments/lab"))
            for deed in ["reset", "remove"] {
                let fields = ["name": "lab", "confirmation": "la"]
                #expect(try await server.post("\(path)/\(deed)", fields, session: session).status == 422)
                let confirmed = ["name": "lab", "confirmation": "lab"]
                #expect(try await server.post("\(path)/\(deed)", confirmed, session: session).status == 303)
            }
            #expect(try await server.shop.registry.store(named: "lab") == nil)
        }
    }

    @Test("advancing the clock from anywhere lists what it made happen")
    func clock() async throws {
        try await ConsoleServer.run { server in
            _ = try await server.shop.registry.makeEnvironment(
                "lab", kind: .sandbox, clock: .manual, now: Instant(rfc3339: "2026-01-31T10:00:00Z"))
            let lab = try await server.shop.environment("lab")
            try await lab.buy("monthly", as: "ann")
            let session = try await server.signIn()
            let path = "/console/lab/com.example.magazine/clock"
            #expect(try await server.get(path, session: session).body.contains("/customers/ann"))
            let moved = try await server.post(path, ["by": "P1M"], session: session)
            let location = try #require(moved.location)
            #expect(moved.status == 303 && location.hasPrefix("\(path)?since="))
            let happened = try await server.get(location, session: session)
            #expect(happened.body.contains("id=\"happened\""))
            for wrong in [["by": "soon"], ["to": "2020-01-01T00:00:00Z"], [:], ["by": "P1D", "to": "x"]] {
                #expect(try await server.post(path, wrong, session: session).status == 422)
            }
            let real = try await server.post("\(ConsoleServer.place)/clock", ["by": "P1D"], session: session)
            #expect(real.status == 422)
        }
    }

    @Test("health and the audit log are shown")
    func health() async throws {
        try await ConsoleServer.run { server in
            let session = try await server.signIn()
            let health = try await server.get("\(ConsoleServer.place)/health", session: session)
            #expect(health.status == 200 && health.body.contains("1.2.3"))
            _ = try await server.post("\(ConsoleServer.place)/environments", session: session)
            let audit = try await server.get("\(ConsoleServer.place)/audit", session: session)
            #expect(audit.status == 200 && audit.body.contains("/environments"))
        }
    }

    @Test("search leads to what a text names")
    func search() async throws {
        try await ConsoleServer.run { server in
            let sold = try await server.shop.buy("film.roll", as: "ann")
            let session = try await server.signIn()
            let reply = try await server.get("\(ConsoleServer.place)/search?query=\(sold.id)", session: session)
            #expect(reply.body.contains("\(ConsoleServer.place)/transactions/\(sold.id)"))
        }
    }
}
