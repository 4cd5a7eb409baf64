import AppStoreFormats
import PerennialStore

/// The signing keys of test stores, generated once in a process because RSA keys take a moment.
package enum TestSigning {
    private static let made = Result { try SigningIdentities.make() }
    private static let madeByAnother = Result { try SigningIdentities.make() }
    private static let madeVerifier = Result { try JWSVerifier(trustedRoots: [identities.rootCertificate]) }

    package static var identities: SigningIdentities { get throws { try made.get() } }
    /// The root of signed data in DER.
    package static var rootCertificate: [UInt8] { get throws { try identities.rootCertificate } }
    /// The keys of another store, below another root.
    package static var foreign: SigningIdentities { get throws { try madeByAnother.get() } }

    /// A verifier that trusts the test stores' root, shared because verifying a chain in a debug build takes far longer than a
    /// signature.
    package static var verifier: JWSVerifier { get throws { try madeVerifier.get() } }

    package static var shared: Signing { get throws { Signing(try identities) } }
}
