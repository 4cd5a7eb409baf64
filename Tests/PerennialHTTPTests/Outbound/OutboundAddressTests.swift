import AppStoreFormats
import AsyncHTTPClient
import Dispatch
import NIOCore
import PerennialStore
import Synchronization
import Testing

@testable import PerennialHTTP

/// The addresses that URLs of sellers may lead to.
struct OutboundAddressTests {
    static let forbidden = [
        "127.0.0.1", "127.9.9.9", "0.0.0.0", "10.1.2.3", "100.64.0.1", "169.254.169.254", "172.16.0.1",
        "172.31.255.255", "192.168.0.1", "192.0.0.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "::", "::1",
        "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1",
        "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2002:c0a8:101::1", "2001::1", "2001:db8::1", "fec0::1",
    ]
    static let open = [
        "8.8.8.8", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4001::1",
        "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1",
    ]

    @Test(arguments: forbidden)
    func `loopback, link-local and private addresses are not public`(address: String) throws {
        let address = try SocketAddress(ipAddress: address, port: 80)
        #expect(!OutboundAddresses.public(and: []).allows(address))
        #expect(OutboundAddresses.any.allows(address))
        let all = ["0.0.0.0/0", "::/0"].compactMap(AddressBlock.init)
        #expect(OutboundAddresses.public(and: all).allows(address))
    }

    @Test(arguments: open)
    func `addresses of the Internet are public`(address: String) throws {
        #expect(OutboundAddresses.public(and: []).allows(try SocketAddress(ipAddress: address, port: 443)))
    }

    @Test func `a Unix domain socket is no public address`() throws {
        #expect(!OutboundAddresses.public(and: []).allows(try SocketAddress(unixDomainSocketPath: "/run/x.sock")))
        #expect(!OutboundAddresses.public(and: []).allows(nil))
    }

    @Test func `the operator allows blocks, and nothing beside them`() throws {
        let blocks = ["10.1.0.0/16", "192.168.1.7", "fd00::/8", "172.16.0.0/13"].compactMap(AddressBlock.init)
        let addresses = OutboundAddresses.public(and: blocks)
        for (address, isAllowed) in [
            ("10.1.255.255", true), ("10.2.0.0", false), ("192.168.1.7", true), ("192.168.1.8", false),
            ("fd99::1", true), ("fc99::1", false), ("::ffff:10.1.2.3", true), ("172.23.0.1", true),
            ("172.24.0.1", false),
        ] {
            #expect(addresses.allows(try SocketAddress(ipAddress: address, port: 1)) == isAllowed, "\(address)")
        }
    }

    @Test(arguments: ["", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/", "10.0.0/8", "example.com", "1.2.3.4/x"])
    func `what is no block is refused`(text: String) {
        #expect(AddressBlock(text) == nil)
    }

    /// Lends a client that reaches public addresses only, beside a receiver on loopback.
    private func restricted(
        resolve: @escaping RestrictedClient.Resolve = HostResolver.addresses(of:deadline:on:),
        _ behaviour: @escaping @Sendable (String) -> RawReceiver.Behaviour = { _ in .answer("HTTP/1.1 200 OK\r\n\r\n")
        },
        _ test: @escaping @Sendable (RestrictedClient, HTTPClient, RawReceiver) async throws -> Void
    ) async throws {
        try await RawReceiver.run(behaviour) { receiver in
            let addresses = OutboundAddresses.public(and: [])
            let http = HTTPClient(
                eventLoopGroupProvider: .singleton, configuration: RestrictedClient.configuration(addresses))
            let trusted = HTTPClient(
                eventLoopGroupProvider: .singleton, configuration: NotificationClient.clientConfiguration)
            do {
                let client = RestrictedClient(client: http, addresses: addresses, resolve: resolve)
                try await test(client, trusted, receiver)
            } catch {
                Issue.record(error)
            }
            try await http.shutdown()
            try await trusted.shutdown()
        }
    }

    @Test(arguments: ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "127.1", "[::ffff:127.0.0.1]", "0.0.0.0"])
    func `a seller's URL doesn't reach this machine, however it is written`(host: String) async throws {
        try await restricted { client, _, receiver in
            let exchange = await RealtimeClient(client: client).post(
                [], to: "http://\(host):\(receiver.port)/", within: 20_000)
            #expect(exchange.outcome == .failed("SOCKET_ISSUE"))
            #expect(receiver.requests == [] && receiver.connections == 0)
        }
    }

    @Test func `a name server that answers twice differently reaches nothing either`() async throws {
        let resolve: RestrictedClient.Resolve = { _, _, _ in [try SocketAddress(ipAddress: "8.8.8.8", port: 0)] }
        try await restricted(resolve: resolve) { client, _, receiver in
            let exchange = await RealtimeClient(client: client).post(
                [], to: "http://localhost:\(receiver.port)/", within: 20_000)
            #expect(exchange.outcome == .failed("SOCKET_ISSUE"))
            #expect(receiver.requests == [])
            // Nor does it tell whether anything listens there.
            let closed = await RealtimeClient(client: client).post([], to: "http://localhost:1/", within: 20_000)
            #expect(closed.outcome == .failed("SOCKET_ISSUE"))
        }
    }

    @Test func `an answer that never comes from the name server is timed out`() async throws {
        let never = DispatchSemaphore(value: 0)
        defer { never.signal() }
        let resolve: RestrictedClient.Resolve = { host, deadline, loop in
            try await HostResolver.addresses(of: host, deadline: deadline, on: loop) { _ in
                never.wait()
                return []
            }
        }
        try await restricted(resolve: resolve) { client, _, receiver in
            let exchange = await RealtimeClient(client: client).post([], to: "http://slow.example.com/", within: 50)
            #expect(exchange.outcome == .failed("TIMED_OUT"))
        }
    }

    /// The operator has named the receiver, and nothing else.
    @Test func `a redirect reaches this machine on the receiver's own server only`() async throws {
        let other = Mutex("")
        try await restricted({ request in
            switch request.split(separator: " ").dropFirst().first {
            case "/same":
                .answer("HTTP/1.1 307 Moved\r\nConnection: close\r\nContent-Length: 0\r\nLocation: /here\r\n\r\n")
            case "/here": .answer("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            default:
                .answer(
                    "HTTP/1.1 307 Moved\r\nConnection: close\r\nContent-Length: 0\r\nLocation: \(other.withLock { $0 })\r\n\r\n"
                )
            }
        }) { client, trusted, receiver in
            let notifications = NotificationClient(client: trusted, elsewhere: client)
            let base = "http://127.0.0.1:\(receiver.port)"
            let same = await notifications.post([], to: "\(base)/same", timeout: 20_000)
            #expect(same.result == .success)
            for location in ["http://localhost:\(receiver.port)/here", "http://169.254.169.254/", "http://[::1]/"] {
                other.withLock { $0 = location }
                let refused = await notifications.post([], to: "\(base)/away", timeout: 20_000)
                #expect(refused.result == .socketIssue, "\(location)")
            }
            other.withLock { $0 = "unix:///var/run/docker.sock" }
            #expect(await notifications.post([], to: "\(base)/away", timeout: 20_000).result == .invalidResponse)
            #expect(receiver.requests.count { $0.contains("/here") } == 1)
        }
    }

    @Test func `a seller's server redirects a request once more, and not here`() async throws {
        try await RawReceiver.run({ request in
            request.hasPrefix("POST /moved ")
                ? .answer("HTTP/1.1 308 Moved\r\nConnection: close\r\nContent-Length: 0\r\nLocation: /here\r\n\r\n")
                : .answer("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}")
        }) { receiver in
            let client = HTTPClient(
                eventLoopGroupProvider: .singleton, configuration: RestrictedClient.configuration(.any))
            let realtime = RealtimeClient(client: RestrictedClient(client: client, addresses: .any))
            let exchange = await realtime.post(
                Array("body".utf8), to: "http://127.0.0.1:\(receiver.port)/moved", within: 20_000)
            #expect(exchange.outcome == .answered(status: 200, body: Array("{}".utf8)))
            #expect(receiver.requests.last?.hasSuffix("\r\n\r\nbody") == true)
            try await client.shutdown()
        }
    }
}
