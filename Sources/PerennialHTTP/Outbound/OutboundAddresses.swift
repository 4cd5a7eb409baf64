import AppStoreFormats
import NIOCore

/// The addresses that may be reached by URLs which the operator hasn't named.
package enum OutboundAddresses: Hashable, Sendable {
    case any
    /// Addresses that the Internet routes, and the blocks that the operator names.
    case `public`(and: [AddressBlock])

    func allows(_ address: SocketAddress?) -> Bool {
        guard case .public(let named) = self else { return true }
        guard let bytes = address?.addressBytes else { return false }
        let embedded = Self.embeddedAddress(in: bytes)
        if named.contains(where: { $0.contains(bytes) || embedded.map($0.contains) ?? false }) { return true }
        return Self.isPublic(embedded ?? bytes)
    }

    /// The IPv4 address that an IPv6 address leads to: mapped, compatible, translated (NAT64) or tunnelled (6to4).
    private static func embeddedAddress(in bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count == 16 else { return nil }
        if embedding.contains(where: { $0.contains(bytes) }) { return Array(bytes.suffix(4)) }
        return sixToFour.contains(where: { $0.contains(bytes) }) ? Array(bytes[2..<6]) : nil
    }

    private static func isPublic(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 4 || globalUnicast.contains(where: { $0.contains(bytes) }) else { return false }
        return !special.contains { $0.contains(bytes) }
    }

    private static let embedding = ["::ffff:0:0/96", "::/96", "64:ff9b::/96"].compactMap(AddressBlock.init)
    private static let sixToFour = ["2002::/16"].compactMap(AddressBlock.init)
    private static let globalUnicast = ["2000::/3"].compactMap(AddressBlock.init)

    /// IANA's special-purpose registries (RFC 6890) as far as they aren't reachable globally, and multicast.
    static let special = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "3fff::/20",
    ].compactMap(AddressBlock.init)
}

/// An exchange that was refused because of the address that its URL leads to.
struct ForbiddenAddress: Error, CustomStringConvertible {
    let host: String

    var description: String { "\(host) leads to an address that this store doesn't send to" }
}

/// A block of IP addresses, such as 10.0.0.0/8.
package struct AddressBlock: Hashable, Sendable {
    /// The address in network byte order: 4 or 16.
    private let bytes: [UInt8]
    /// The number of leading bits that an address shares with ``bytes``.
    private let prefix: Int

    /// Reads `ADDRESS/BITS`, or an address alone; `nil` for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bytes = IPAddress.octets(String(parts[0])) else { return nil }
        let prefix = parts.count == 2 ? Int(parts[1]) : bytes.count * 8
        guard let prefix, (0...bytes.count * 8).contains(prefix) else { return nil }
        (self.bytes, self.prefix) = (bytes, prefix)
    }

    /// - Parameter address: In network byte order.
    func contains(_ address: [UInt8]) -> Bool {
        guard address.count == bytes.count else { return false }
        let (whole, rest) = prefix.quotientAndRemainder(dividingBy: 8)
        guard address.prefix(whole) == bytes.prefix(whole) else { return false }
        let mask = UInt8(truncatingIfNeeded: 0xFF00 >> rest)
        return rest == 0 || address[whole] & mask == bytes[whole] & mask
    }
}

extension SocketAddress {
    /// The address in network byte order; `nil` for a Unix domain socket.
    var addressBytes: [UInt8]? { ipAddress.flatMap(IPAddress.octets) }
}
