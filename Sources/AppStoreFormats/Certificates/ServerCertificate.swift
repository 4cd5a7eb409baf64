import Crypto
import Foundation
import Perennial
import SwiftASN1
import X509

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A TLS certificate from a store's own root, with its key. Each process creates one; none is stored.
package struct ServerCertificate: Sendable {
    /// The certificate's validity. Apple's platforms accept at most 825 days under roots that a user has installed.
    static let lifetimeDays = 800.0
    private static let secondsInADay = 86_400.0

    /// The chain to send: the certificate and the root in DER.
    package let chain: [[UInt8]]
    /// The key in PEM.
    package let privateKey: String

    /// - Parameters:
    ///   - names: Host names, and IP addresses in their usual notation.
    ///   - now: Real time, by which TLS clients check the validity.
    package init(
        names: [String], root identities: SigningIdentities, now: Instant
    ) throws(SigningIdentitiesError) {
        do {
            let key = P256.Signing.PrivateKey()
            let publicKey = Certificate.PublicKey(key.publicKey)
            let root = identities.root
            let certificate = try Certificate(
                version: .v3, serialNumber: .unpredictable(), publicKey: publicKey,
                notValidBefore: now.date.addingTimeInterval(-Self.secondsInADay),
                notValidAfter: now.date.addingTimeInterval((Self.lifetimeDays - 1) * Self.secondsInADay),
                issuer: root.certificate.subject, subject: try .perennial("Perennial Server"),
                signatureAlgorithm: P384.Signing.PrivateKey.signatureAlgorithm,
                extensions: try Certificate.Extensions {
                    Critical(BasicConstraints.notCertificateAuthority)
                    Critical(KeyUsage(digitalSignature: true))
                    try ExtendedKeyUsage([.serverAuth])
                    SubjectAlternativeNames(names.map(Self.generalName))
                    SubjectKeyIdentifier(hash: publicKey)
                    AuthorityKeyIdentifier(
                        keyIdentifier: SubjectKeyIdentifier(hash: root.certificate.publicKey).keyIdentifier)
                }, issuerPrivateKey: root.key.certificateKey)
            chain = [try certificate.derEncoding(), root.encoding]
            privateKey = key.pemRepresentation
        } catch {
            throw SigningIdentitiesError(.generationFailed, file: "", reason: "\(error)")
        }
    }

    private static func generalName(_ name: String) -> GeneralName {
        if let address = IPAddress.octets(name) { return .ipAddress(ASN1OctetString(contentBytes: address[...])) }
        return .dnsName(name)
    }
}

/// Parses IP addresses into the bytes that certificates hold.
package enum IPAddress {
    /// Returns the 4 or 16 bytes of an IP address; `nil` for other text.
    package static func octets(_ text: String) -> [UInt8]? {
        var octets = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET6, text, &octets) == 1 { return octets }
        if inet_pton(AF_INET, text, &octets) == 1 { return Array(octets.prefix(4)) }
        return nil
    }
}
