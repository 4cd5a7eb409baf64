import ArgumentParser
import PerennialHTTP
import Testing

@testable import PerennialCommand

/// The network options of a server.
struct NetworkOptionTests {
    private static let block = AddressBlock("10.0.0.0/8")

    @Test(arguments: ["127.0.0.1", "localhost", "::1", "127.0.0.2"])
    func `on loopback, sellers' URLs lead anywhere`(host: String) throws {
        #expect(try outbound(host, []) == .any)
    }

    @Test(arguments: ["0.0.0.0", "::", "192.168.1.5", "store.example.com"])
    func `beyond loopback, sellers' URLs lead to public addresses`(host: String) throws {
        let block = try #require(Self.block)
        #expect(try outbound(host, []) == .public(and: []))
        #expect(try outbound(host, ["--allow-outbound", "10.0.0.0/8"]) == .public(and: [block]))
        #expect(try outbound(host, ["--allow-outbound", "any"]) == .any)
    }

    @Test func `on loopback, --allow-outbound replaces the default`() throws {
        #expect(try outbound("127.0.0.1", ["--allow-outbound", "public"]) == .public(and: []))
        #expect(try outbound("127.0.0.1", ["--allow-outbound", "10.0.0.0/8"]) == .public(and: [#require(Self.block)]))
    }

    private func outbound(_ host: String, _ more: [String]) throws -> OutboundAddresses {
        let serve = try Serve.parse(["--host", host] + more)
        return serve.outboundOptions.addresses(host: serve.host)
    }

    @Test(arguments: [
        ["--allow-host", "a b"], ["--allow-host", "http://shop.test"], ["--maximum-connections", "0"],
        ["--shutdown-timeout", "-1"], ["--shutdown-timeout", "3601"],
    ])
    func `invalid options are refused`(arguments: [String]) throws {
        #expect(throws: (any Error).self) { try Serve.parse(arguments) }
        #expect(throws: (any Error).self) { try Deliver.parse(["--content", "c", "--catalog", "c"] + arguments) }
    }

    @Test func `invalid addresses are refused`() throws {
        #expect(throws: (any Error).self) { try Serve.parse(["--allow-outbound", "example.com"]) }
    }

    /// A listener that runs out of open files ends.
    @Test(arguments: [
        (4096, 1, 1024, 768), (4096, 2, 1024, 384), (100, 2, 1024, 100), (4096, 1, -1, 4096), (9, 1, 10, 1),
    ])
    func `connections leave files for the rest`(wanted: Int, listeners: Int, files: Int, expected: Int) {
        #expect(NetworkOptions.connections(wanted, listeners: listeners, files: files) == expected)
    }
}
