import Testing

@testable import PerennialHTTP

/// The names under which a store answers, and to whose web pages (DNS rebinding).
struct HostPolicyTests {
    private static func policy(_ host: String, _ allowed: [String] = []) -> HostPolicy {
        HostPolicy(
            listeningOn: host, names: HostNames.all + ["store.example.com"],
            allowed: allowed.compactMap(HostPolicy.Pattern.init))
    }

    static let own = [
        "localhost", "localhost:8080", "LocalHost.", "shop.localhost", "127.0.0.1:8080", "127.8.9.1", "[::1]:8080",
        "[0:0:0:0:0:0:0:1]", "api.storekit.apple.com", "sandbox.itunes.apple.com:443", "local-testing-base-url",
        "store.example.com",
    ]
    static let others = [
        "example.com", "example.com:8080", "localhost.example.com", "notlocalhost", "127.0.0.1.example.com",
        "128.0.0.1", "192.168.1.1", "0.0.0.0:8080", "[::2]", "127.1", "evil.store.example.com", "", "a b",
    ]

    @Test(arguments: ["127.0.0.1", "127.3.3.3", "localhost", "::1"])
    func `a store on loopback answers under its own names and no others`(listening: String) {
        let policy = Self.policy(listening)
        for host in Self.own { #expect(policy.allows(host: host), "\(host)") }
        for host in Self.others { #expect(!policy.allows(host: host), "\(host)") }
    }

    static let origins: [(origin: String, isAllowed: Bool)] = [
        ("http://localhost:3000", true), ("http://127.0.0.1:8080", true), ("https://app.localhost", true),
        ("HTTP://[::1]:3000", true), ("https://store.example.com", true), ("https://example.com", false),
        ("http://example.com:8080", false), ("null", false), ("file://", false), ("http://93.184.216.34", false),
        ("https://localhost.example.com", false), ("chrome-extension://abcdef", false), ("", false),
    ]

    @Test(arguments: origins)
    func `a store on loopback answers no page of another site`(origin: String, isAllowed: Bool) {
        let policy = Self.policy("127.0.0.1")
        #expect(policy.allows(origin: origin, host: "127.0.0.1:8080") == isAllowed)
        #expect(policy.allows(origin: nil, host: "127.0.0.1:8080"))
    }

    @Test func `an operator allows further names`() {
        let policy = Self.policy("127.0.0.1", ["Shop.Test", "*.example.org", "192.168.1.5"])
        for (host, isAllowed) in [
            ("shop.test:80", true), ("a.shop.test", false), ("a.b.example.org", true), ("example.org", false),
            ("192.168.1.5:8080", true), ("192.168.1.6", false), ("localhost", true),
        ] {
            #expect(policy.allows(host: host) == isAllowed, "\(host)")
        }
        #expect(policy.allows(origin: "https://shop.test", host: "localhost"))
        #expect(Self.policy("127.0.0.1", ["*"]).allows(host: "example.com"))
    }

    @Test(arguments: ["0.0.0.0", "::", "192.168.1.5", "store.internal"])
    func `a store beyond loopback answers under every name, until some are allowed`(listening: String) {
        let open = Self.policy(listening)
        #expect(open.allows(host: "example.com") && open.allows(origin: "https://example.org", host: "example.com"))
        let named = Self.policy(listening, ["shop.test"])
        // Addresses can't be led elsewhere: probes of an orchestrator ask by them.
        for (host, isAllowed) in [
            ("shop.test", true), ("example.com", false), ("10.0.0.7:8080", true), ("store.example.com", true),
        ] {
            #expect(named.allows(host: host) == isAllowed, "\(host)")
        }
        #expect(named.allows(origin: "http://10.0.0.7:8080", host: "10.0.0.7:8080"))
        #expect(!named.allows(origin: "http://93.184.216.34", host: "10.0.0.7:8080"))
    }

    @Test(arguments: ["", "a b", "shop.test:80", "*.", "http://shop.test", "*.*.test"])
    func `what is no name can't be allowed`(pattern: String) {
        #expect(HostPolicy.Pattern(pattern) == nil)
    }

    @Test func `a refusal says what allows the name`() async throws {
        try await EdgeServer.run(policy: Self.policy("127.0.0.1")) { server in
            for (headers, code) in [
                ("Host: example.com\r\n", "hostNotAllowed"),
                ("Host: localhost\r\nOrigin: https://example.com\r\n", "originNotAllowed"),
            ] {
                let answer = try await server.ask("GET /health HTTP/1.1\r\n\(headers)Connection: close\r\n\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 403"), "\(answer)")
                #expect(answer.contains("\"code\":\"\(code)\"") && answer.contains("--allow-host"), "\(answer)")
            }
            let own = try await server.ask(
                "GET /health HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nConnection: close\r\n\r\n")
            #expect(own.hasPrefix("HTTP/1.1 200"), "\(own)")
        }
    }
}
