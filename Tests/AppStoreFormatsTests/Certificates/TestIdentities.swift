@testable import AppStoreFormats

/// Identities made once for all tests: RSA keys take a moment.
enum TestIdentities {
    private static let made = Result { try SigningIdentities.make() }
    private static let madeByAnother = Result { try SigningIdentities.make() }
    private static let rotatedOnce = Result { try made.get().withNewLeaves() }

    static var shared: SigningIdentities { get throws { try made.get() } }
    /// Another store's, under another root.
    static var another: SigningIdentities { get throws { try madeByAnother.get() } }
    /// ``shared`` after a rotation of its leaves.
    static var rotated: SigningIdentities { get throws { try rotatedOnce.get() } }
}
