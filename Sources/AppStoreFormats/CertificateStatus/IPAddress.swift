#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Addresses as certificates name them.
package enum IPAddress {
    /// The 4 or 16 octets of an address; `nil` for what is none.
    package static func octets(_ text: String) -> [UInt8]? {
        var octets = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET6, text, &octets) == 1 { return octets }
        if inet_pton(AF_INET, text, &octets) == 1 { return Array(octets.prefix(4)) }
        return nil
    }
}
