import Foundation

@testable import AppStoreFormats

/// Identities made once for all tests: RSA keys take a moment.
enum TestIdentities {
    private static let made = Result { try SigningIdentities.make() }
    private static let madeByAnother = Result { try SigningIdentities.make() }
    private static let madeWithAnEnd = Result {
        let span = CertificateValidity(
            notBefore: Date(timeIntervalSince1970: 946_684_800), notAfter: Date(timeIntervalSince1970: 2_840_140_800))
        return try SigningIdentities.make(validity: span, receiptValidity: span)
    }
    private static let madeUnderOneRoot = Result { try withOneRoot(made.get()) }
    private static let rotatedOnce = Result { try made.get().withNewLeaves() }

    static var shared: SigningIdentities { get throws { try made.get() } }
    /// Another store's, under another root.
    static var another: SigningIdentities { get throws { try madeByAnother.get() } }
    /// Valid from 2000 to 2060, as stores first made them.
    static var limited: SigningIdentities { get throws { try madeWithAnEnd.get() } }
    /// Identities of a store from the time of a single root.
    static var underOneRoot: SigningIdentities { get throws { try madeUnderOneRoot.get() } }
    /// ``shared`` after a rotation of its leaves.
    static var rotated: SigningIdentities { get throws { try rotatedOnce.get() } }

    private static func withOneRoot(_ identities: SigningIdentities) throws -> SigningIdentities {
        let receipts = try identities.root.issue(
            "Perennial Receipts CA", role: .intermediate, key: identities.receiptIntermediate.key)
        return SigningIdentities(
            root: identities.root, receiptRoot: nil, transactionIntermediate: identities.transactionIntermediate,
            receiptIntermediate: receipts, transactionLeaf: identities.transactionLeaf,
            receiptLeaf: try receipts.issue(
                "Perennial Receipt Signing", role: .leaf, key: identities.receiptLeaf.key))
    }
}
