import AppStoreFormats
import PerennialStore

/// What test stores sign with: made once for all tests of a process, since making RSA keys takes a moment.
package enum TestSigning {
    private static let made = Result { try SigningIdentities.make() }
    private static let madeByAnother = Result { try SigningIdentities.make() }
    private static let madeVerifier = Result { try JWSVerifier(trustedRoots: [identities.rootCertificate]) }

    package static var identities: SigningIdentities { get throws { try made.get() } }
    /// In DER.
    package static var rootCertificate: [UInt8] { get throws { try identities.rootCertificate } }
    /// Another store's, under another root.
    package static var foreign: SigningIdentities { get throws { try madeByAnother.get() } }

    /// Trusts the root of what test stores sign with. One for all tests: it remembers the chains that it has verified, which in
    /// debug builds takes far longer than a signature.
    package static var verifier: JWSVerifier { get throws { try madeVerifier.get() } }

    package static var shared: Signing { get throws { try Signing(identities) } }
}
