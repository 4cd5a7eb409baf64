import Foundation
import NIOCore

/// A block of IP addresses, such as 10.0.0.0/8.
package struct AddressBlock: Hashable, Sendable {
    /// In network byte order: 4 or 16.
    private let bytes: [UInt8]
    /// How many leading bits of an address have to be those of ``bytes``.
    private let prefix: Int

    /// Reads `ADDRESS/BITS`, or an address alone; `nil` for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bytes = (try? SocketAddress(ipAddress: String(parts[0]), port: 0))?.addressBytes else { return nil }
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
    /// In network byte order; `nil` for a Unix domain socket.
    var addressBytes: [UInt8]? {
        switch self {
        case .v4(let address): withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address): withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
        case .unixDomainSocket: nil
        }
    }
}
