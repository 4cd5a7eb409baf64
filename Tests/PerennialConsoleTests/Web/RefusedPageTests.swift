import HTTPTypes
import Perennial
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

/// Refused requests of the console: told with their reason, in their environment and app.
struct RefusedPageTests {
    @Test func `a refused form is told with its reason, in its environment`() async throws {
        try await ConsoleServer.run { server in
            let session = try await server.signIn()
            let watcher = try await server.shop.store.live.watch()
            for (path, fields) in [
                ("inspect", ["text": ""]), ("reviews/mode", ["mode": "never"]),
                ("customers/none/buy", ["product": "film.roll", "quantity": "0"]),
            ] {
                _ = try await server.post("\(ConsoleServer.place)/\(path)", fields, session: session)
            }
            var requests: [(app: App.BundleID?, request: LiveRequest)] = []
            while requests.count < 3, let batch = try await watcher.next() {
                for event in batch.events {
                    if case .request(let request) = event.content { requests.append((event.bundleID, request)) }
                }
            }
            #expect(requests.map(\.request.status) == [422, 400, 404])
            #expect(requests.allSatisfy { $0.app == TestCatalog.bundleID })
            #expect(requests.allSatisfy { $0.request.reason?.isEmpty == false && $0.request.advice != nil })
        }
    }

    @Test func `a wrong password and a missing session have a line in the log, with what to do`() async throws {
        let log = LineLog()
        try await ConsoleServer.run(logger: log.logger) { server in
            try await server.makeUser("ann@example.com", [.admin])
            _ = try await server.post("/console/sign-in", ["email": "ann@example.com", "password": "wrong"])
            _ = try await server.post("\(ConsoleServer.place)/products/new", [:])
        }
        let lines = log.lines.filter { $0.contains("refused:") }
        #expect(lines.count == 2)
        for line in lines {
            let parts = try #require(line.wholeMatch(of: /info: refused: POST \S+ 401 401: (.+); (.+)/), "\(line)")
            #expect(parts.output.2 == "sign in again: the password is wrong, or the session has ended")
        }
    }

    @Test func `a NUL in a form is refused`() async throws {
        try await ConsoleServer.run { server in
            let session = try await server.signIn()
            let reply = try await server.post(
                "\(ConsoleServer.place)/testers", ["account": "a\u{0}b"], session: session)
            #expect(reply.status == 400)
        }
    }
}
