import NIOCore

/// The addresses that may be reached by URLs which the operator hasn't named.
package enum OutboundAddresses: Hashable, Sendable {
    case any
    /// What the Internet routes, and the blocks that the operator names.
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
