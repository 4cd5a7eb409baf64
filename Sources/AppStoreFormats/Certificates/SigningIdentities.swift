import Crypto
import CryptoExtras
import Foundation
import X509

/// The keys and certificates a store signs with: one root, and below it a chain for signed transactions and one for
/// receipts.
///
/// | | key | signed with | marker |
/// |---|---|---|---|
/// | Perennial Root CA | P-384 | SHA-384, itself | |
/// | Perennial Transactions CA | P-384 | SHA-384 | 1.2.840.113635.100.6.2.1 |
/// | Perennial Transaction Signing | P-256 | SHA-384 | 1.2.840.113635.100.6.11.1 |
/// | Perennial Receipts CA | RSA-2048 | SHA-384 | 1.2.840.113635.100.6.2.1 |
/// | Perennial Receipt Signing | RSA-2048 | SHA-256 | 1.2.840.113635.100.6.11.1 |
///
/// The markers and the shape are what verifiers of App Store data ask for; the names are Perennial's own. All
/// certificates have key identifiers, critical basic constraints and key usages, and are valid from 2000 to 2060.
public struct SigningIdentities: Sendable {
    let root: SigningIdentity<P384.Signing.PrivateKey>
    let transactionIntermediate: SigningIdentity<P384.Signing.PrivateKey>
    let receiptIntermediate: SigningIdentity<_RSA.Signing.PrivateKey>
    private(set) var transactionLeaf: SigningIdentity<P256.Signing.PrivateKey>
    private(set) var receiptLeaf: SigningIdentity<_RSA.Signing.PrivateKey>

    init(
        root: SigningIdentity<P384.Signing.PrivateKey>,
        transactionIntermediate: SigningIdentity<P384.Signing.PrivateKey>,
        receiptIntermediate: SigningIdentity<_RSA.Signing.PrivateKey>,
        transactionLeaf: SigningIdentity<P256.Signing.PrivateKey>,
        receiptLeaf: SigningIdentity<_RSA.Signing.PrivateKey>
    ) {
        self.root = root
        self.transactionIntermediate = transactionIntermediate
        self.receiptIntermediate = receiptIntermediate
        self.transactionLeaf = transactionLeaf
        self.receiptLeaf = receiptLeaf
    }

    /// The root certificate in DER: what verifiers pin and users install.
    public var rootCertificate: [UInt8] { root.encoding }

    /// The certificates that go with signed transactions and notifications.
    public var transactionChain: CertificateChain {
        CertificateChain(
            leaf: transactionLeaf.encoding, intermediate: transactionIntermediate.encoding, root: root.encoding)
    }

    /// The certificates that go with app receipts and old transaction receipts.
    public var receiptChain: CertificateChain {
        CertificateChain(leaf: receiptLeaf.encoding, intermediate: receiptIntermediate.encoding, root: root.encoding)
    }

    // MARK: - Making

    /// Makes new identities in memory. Two RSA keys are made: it takes some tenths of a second.
    /// - Throws: ``SigningIdentitiesError`` with the code `generationFailed`.
    public static func make() throws(SigningIdentitiesError) -> SigningIdentities {
        try generating {
            let root = try SigningIdentity.makeRoot("Perennial Root CA", key: P384.Signing.PrivateKey())
            let transactions = try root.issue(
                "Perennial Transactions CA", role: .intermediate, key: P384.Signing.PrivateKey())
            let receipts = try root.issue(
                "Perennial Receipts CA", role: .intermediate, key: _RSA.Signing.PrivateKey(keySize: .bits2048))
            return SigningIdentities(
                root: root, transactionIntermediate: transactions, receiptIntermediate: receipts,
                transactionLeaf: try transactionLeaf(from: transactions), receiptLeaf: try receiptLeaf(from: receipts))
        }
    }

    /// Replaces both leaves by new ones from the same intermediates.
    ///
    /// What was signed before stays valid: it carries its chain, and the root is the same.
    /// - Throws: ``SigningIdentitiesError`` with the code `generationFailed`.
    public mutating func rotateLeaves() throws(SigningIdentitiesError) {
        let (transactions, receipts) = (transactionIntermediate, receiptIntermediate)
        (transactionLeaf, receiptLeaf) = try Self.generating {
            (try Self.transactionLeaf(from: transactions), try Self.receiptLeaf(from: receipts))
        }
    }

    /// The same identities with other leaves.
    func withNewLeaves() throws(SigningIdentitiesError) -> SigningIdentities {
        var identities = self
        try identities.rotateLeaves()
        return identities
    }

    private static func transactionLeaf(
        from intermediate: SigningIdentity<P384.Signing.PrivateKey>
    ) throws -> SigningIdentity<P256.Signing.PrivateKey> {
        try intermediate.issue("Perennial Transaction Signing", role: .leaf, key: P256.Signing.PrivateKey())
    }

    private static func receiptLeaf(
        from intermediate: SigningIdentity<_RSA.Signing.PrivateKey>
    ) throws -> SigningIdentity<_RSA.Signing.PrivateKey> {
        try intermediate.issue(
            "Perennial Receipt Signing", role: .leaf, key: _RSA.Signing.PrivateKey(keySize: .bits2048))
    }

    private static func generating<Value>(_ make: () throws -> Value) throws(SigningIdentitiesError) -> Value {
        do {
            return try make()
        } catch {
            throw SigningIdentitiesError(.generationFailed, file: "", reason: "\(error)")
        }
    }
}
