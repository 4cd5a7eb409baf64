import HTTPTypes
import PerennialConnect
import Synchronization
import TestSupport
import Testing

@testable import PerennialConsole

@Suite("Console: streams")
struct ConsoleStreamTests {
    private static let path = "\(ConsoleServer.place)/live/events"

    @Test("a stream ends when its session does", .timeLimit(.minutes(5)))
    func signingOut() async throws {
        let checks = Mutex<[@Sendable () async throws -> Void]>([])
        let streams = ConsoleStreams {
            let action = checks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            try await action?()
        }
        try await ConsoleServer.run(streams: streams) { server in
            let token = try await server.signIn()
            checks.withLock { checks in
                checks = [
                    {}, {},
                    {
                        let session = try await server.services.accounts.session(token: token)
                        try await server.services.accounts.signOut(try #require(session))
                    },
                ]
            }
            let reply = try await server.get(Self.path, session: token)
            #expect(reply.status == 200)
            #expect(checks.withLock { $0.isEmpty })
        }
    }

    @Test("a session has a limited number of streams, and gets the place of one that ended")
    func limit() async throws {
        let streams = ConsoleStreams {}
        try await ConsoleServer.run(streams: streams) { server in
            let token = try await server.signIn()
            let session = try #require(try await server.services.accounts.session(token: token))
            try await Self.nested(ConsoleStreams.maximumOfSession, streams, session) {
                #expect(!streams.hasPlace(for: session))
                let reply = try await server.get(Self.path, session: token)
                #expect(reply.status == 429)
                #expect(reply.headers[.retryAfter] == "15")
                let other = try await server.signIn()
                let another = try #require(try await server.services.accounts.session(token: other))
                #expect(streams.hasPlace(for: another))
                try await streams.run(of: session) { Issue.record("it has no place") }
            }
            #expect(streams.hasPlace(for: session))
        }
    }

    private static func nested(
        _ count: Int, _ streams: ConsoleStreams, _ session: ConsoleSession, _ body: () async throws -> Void
    ) async throws {
        guard count > 0 else { return try await body() }
        try await streams.run(of: session) { try await nested(count - 1, streams, session, body) }
    }
}
