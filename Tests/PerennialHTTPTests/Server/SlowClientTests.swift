import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import PerennialHTTP

/// Clients that take their time: each holds a connection for a limited time only.
@Suite(.timeLimit(.minutes(5)))
struct SlowClientTests {
    private static let post = "POST /sandbox/store/v1/devices HTTP/1.1\r\nHost: localhost\r\n"

    static let slow: [(name: String, said: String, dribbled: String?, answer: String)] = [
        ("half a head", "GET /health HTTP/1.1\r\nHo", nil, "HTTP/1.1 408"),
        ("a dribbled head", "GET /health HTTP/1.1\r\nX: ", "x", "HTTP/1.1 408"),
        ("half a body", post + "Content-Length: 1000\r\n\r\n{", nil, "HTTP/1.1 408"),
        ("a dribbled body", post + "Content-Length: 100000\r\n\r\n{", " ", "HTTP/1.1 408"),
        ("a dribbled chunk", post + "Transfer-Encoding: chunked\r\n\r\nffff\r\n", " ", "HTTP/1.1 408"),
        (
            "a body behind an answer", "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n",
            nil, "HTTP/1.1 404"
        ),
        (
            "a dribbled body without a reader",
            "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 100000\r\n\r\n", " ",
            "HTTP/1.1 408"
        ),
    ]

    @Test(arguments: slow)
    func `a request that doesn't arrive in time ends its connection`(
        name: String, said: String, dribbled: String?, answer: String
    ) async throws {
        try await EdgeServer.run(EdgeServer.impatient) { server in
            let connection = try await server.connect()
            connection.send(said)
            if let dribbled { connection.dribble(dribbled) }
            let heard = try await connection.untilEnd()
            #expect(heard.hasPrefix(answer), "\(heard)")
            #expect(server.log.recorded == [])
        }
    }

    @Test func `a connection on which nothing is asked ends`() async throws {
        var limits = EdgeServer.patient
        // Long enough for a request from a busy machine.
        limits.idle = .seconds(1)
        try await EdgeServer.run(limits) { server in
            #expect(try await server.connect().untilEnd() == "")
            let asked = try await server.connect()
            asked.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await asked.untilEnd().hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func `an answer that the client does not read ends its connection`() async throws {
        try await EdgeServer.run(EdgeServer.impatient) { server in
            let connection = try await server.connect(reads: false)
            connection.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
            while server.connections.count == 0 { await Task.yield() }
            while server.connections.count > 0 { await Task.yield() }
            connection.startReading()
            let heard = try await connection.untilEnd()
            #expect(heard.utf8.count < 64 << 20)
        }
    }

    @Test func `an upload that is quick enough has its time`() {
        var limits = ConnectionLimits()
        (limits.body, limits.bodyRate, limits.longestBody) = (.seconds(20), 1_000, .seconds(60))
        let start = NIODeadline.uptimeNanoseconds(0)
        let progress = RequestProgress()
        progress.bytesArrived(at: start)
        #expect(!progress.isOverdue(at: start + .seconds(19), limits))
        #expect(progress.isOverdue(at: start + .seconds(20), limits))
        progress.headArrived(at: start)
        progress.bodyArrived(10_000)
        #expect(!progress.isOverdue(at: start + .seconds(29), limits))
        #expect(progress.isOverdue(at: start + .seconds(30), limits))
        progress.bodyArrived(10_000_000)
        #expect(!progress.isOverdue(at: start + .seconds(59), limits))
        #expect(progress.isOverdue(at: start + .seconds(60), limits))
        // The server didn't read for ten seconds.
        progress.postpone(by: .seconds(10))
        #expect(!progress.isOverdue(at: start + .seconds(69), limits))
        progress.ended()
        #expect(!progress.isOverdue(at: start + .minutes(60), limits))
    }

    @Test func `what is cut is said`() async throws {
        try await EdgeServer.run { server in
            let idle = try await server.connect()
            idle.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await idle.until("ok")
            let head = try await server.connect()
            head.send("POST /hal")
            let body = try await server.connect()
            body.send(Self.post.replacing("devices", with: "devices?secret=1"))
            body.send("Expect: 100-continue\r\nContent-Length: 100\r\n\r\n")
            try await body.until("100 Continue")
            body.send("{\"a\"")
            while server.connections.count < 3 { await Task.yield() }
            let cut = Mutex<[String]>([])
            await server.connections.cut { lines in cut.withLock { $0 = lines } }
            let lines = cut.withLock { $0 }
            #expect(lines.count == 3)
            #expect(lines.first?.hasPrefix("POST /sandbox/store/v1/devices: its body is incomplete, ") == true)
            for connection in [idle, head, body] { _ = try await connection.untilEnd() }
            #expect(server.connections.count == 0)
        }
    }

    @Test func `beyond the limit, connections wait`() async throws {
        let router = Router()
        router.get("health") { _, _ in "ok" }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, server: ConnectionLimits.http1,
            configuration: .init(
                address: .hostname("127.0.0.1", port: 0),
                availableConnectionsDelegate: MaximumAvailableConnections(1, logger: TestStore.quiet)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: TestStore.quiet)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await application.run() }
            var iterator = ports.makeAsyncIterator()
            let port = await iterator.next() ?? 0
            let request = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let first = try await RawConnection(port: port)
            first.send(request)
            try await first.until("ok")
            let second = try await RawConnection(port: port)
            second.send(request)
            first.send(request)
            // The first goes on while the second waits.
            try await first.until("ok", times: 2)
            #expect(second.text == "")
            first.close()
            try await second.until("ok")
            second.close()
            tasks.cancelAll()
        }
    }
}
