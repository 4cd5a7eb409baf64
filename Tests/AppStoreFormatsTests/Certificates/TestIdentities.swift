import Foundation

@testable import AppStoreFormats

/// Identities made once for all tests: RSA keys take a moment.
enum TestIdentities {
    private static let made = Result { try SigningIdentities.make() }
    private static let madeByAnother = Result { try SigningIdentities.make() }
    private static let madeWithAnEnd = Result {
        try SigningIdentities.make(
            validity: CertificateValidity(
                notBefore: Date(timeIntervalSince1970: 946_684_800),
                notAfter: Date(timeIntervalSince1970: 2_840_140_800)))
    }
    private static let rotatedOnce = Result { try made.get().withNewLeaves() }

    static var shared: SigningIdentities { get throws { try made.get() } }
    /// Another store's, under another root.
    static var another: SigningIdentities { get throws { try madeByAnother.get() } }
    /// Valid from 2000 to 2060, as stores first made them.
    static var limited: SigningIdentities { get throws { try madeWithAnEnd.get() } }
    /// ``shared`` after a rotation of its leaves.
    static var rotated: SigningIdentities { get throws { try rotatedOnce.get() } }
}
