import AppStoreFormats
import NIOCore
import NIOHTTP1

/// A host with or without a port, as in `Host` (RFC 9110, 7.2).
package struct HostField: Hashable, Sendable {
    /// The name in lower case, without the brackets of an IPv6 address and without the dot that ends a whole name.
    package let name: String
    package let port: Int?

    package init?(_ text: some StringProtocol) {
        let host: Substring
        let rest: Substring
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = Substring(text[text.index(after: text.startIndex)..<end])
            rest = Substring(text[text.index(after: end)...])
            guard host.contains(":"), (try? SocketAddress(ipAddress: String(host), port: 0)) != nil else { return nil }
        } else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            host = Substring(text[..<end])
            rest = Substring(text[end...])
            guard !host.isEmpty, host.utf8.allSatisfy(Self.isNameByte) else { return nil }
        }
        switch rest {
        case "", ":": port = nil
        default:
            guard rest.first == ":", rest.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(rest.dropFirst()), number <= 65_535
            else { return nil }
            port = number
        }
        let lowercased = host.lowercased()
        name = lowercased.hasSuffix(".") ? String(lowercased.dropLast()) : lowercased
        guard !name.isEmpty else { return nil }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// True for a name of this machine alone: `localhost`, a name below it (RFC 6761), or a loopback address.
    package var isLoopback: Bool {
        if name == "127.0.0.1" || name == "localhost" || name.hasSuffix(".localhost") { return true }
        guard let bytes = addressBytes else { return false }
        return Self.loopback.contains { $0.contains(bytes) }
    }

    /// The address in network byte order; `nil` for a name.
    var addressBytes: [UInt8]? { IPAddress.octets(name) }

    private static let loopback = ["127.0.0.0/8", "::1/128"].compactMap(AddressBlock.init)

    /// Returns the mistake in the `Host` of a request (RFC 9112, 3.2); `nil` without one.
    static func problem(in head: HTTPRequestHead) -> String? {
        let hosts = head.headers["Host"]
        guard hosts.count <= 1 else { return "a request has one Host header" }
        guard let text = hosts.first else {
            return head.version.isAtLeast11 ? "a request of HTTP/1.1 has a Host header" : nil
        }
        guard let host = HostField(text) else { return "the Host header names no host" }
        // A request that names its host twice has to name the same.
        guard let authority = authority(of: head.uri) else { return nil }
        return HostField(authority) == host ? nil : "the Host header and the request name different hosts"
    }

    /// The authority of a request target in absolute form.
    private static func authority(of target: String) -> Substring? {
        guard !target.hasPrefix("/"), let scheme = target.firstRange(of: "://") else { return nil }
        return target[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
    }
}

extension HTTPVersion {
    /// True for HTTP/1.1 and later, which have `Host` and `Expect`.
    var isAtLeast11: Bool { (major, minor) >= (1, 1) }
}
