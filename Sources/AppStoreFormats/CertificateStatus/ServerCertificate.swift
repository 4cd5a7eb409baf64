import Crypto
import Foundation
import Perennial
import SwiftASN1
import X509

/// A certificate for TLS from a store's own root, with its key: made anew for each process, kept nowhere.
package struct ServerCertificate: Sendable {
    /// Apple's platforms accept at most 825 days from roots that a user has installed.
    static let lifetimeDays = 800.0
    private static let secondsInADay = 86_400.0

    /// The certificate in DER, and the root's: the chain to send.
    package let chain: [[UInt8]]
    /// The key in PEM.
    package let privateKey: String

    /// - Parameters:
    ///   - names: Host names, and addresses in their usual notation.
    ///   - now: The world's clock: TLS clients look at theirs.
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
