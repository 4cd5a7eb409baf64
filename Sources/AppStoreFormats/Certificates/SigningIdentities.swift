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
/// certificates have key identifiers, critical basic constraints and key usages, and are valid from 1970 to 9999, or as
/// long as the root under which they were made.
public struct SigningIdentities: Sendable {
    let root: SigningIdentity<P384.Signing.PrivateKey>
    private(set) var transactionIntermediate: SigningIdentity<P384.Signing.PrivateKey>
    private(set) var receiptIntermediate: SigningIdentity<_RSA.Signing.PrivateKey>
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

    /// When everything that is signed verifies, at the date it carries. The last second is left out: verifiers differ
    /// in whether a certificate is valid then.
    public var validity: ClosedRange<Date> {
        let certificates = [
            root.certificate, transactionIntermediate.certificate, receiptIntermediate.certificate,
            transactionLeaf.certificate, receiptLeaf.certificate,
        ]
        let begin = certificates.map(\.notValidBefore).max() ?? .distantPast
        let end = certificates.map(\.notValidAfter).min() ?? .distantFuture
        return begin...max(begin, end.addingTimeInterval(-1))
    }

    // MARK: - Making

    /// Makes new identities in memory. Two RSA keys are made: it takes some tenths of a second.
    /// - Throws: ``SigningIdentitiesError`` with the code `generationFailed`.
    public static func make() throws(SigningIdentitiesError) -> SigningIdentities {
        try make(validity: .unlimited)
    }

    static func make(validity: CertificateValidity) throws(SigningIdentitiesError) -> SigningIdentities {
        try generating {
            let root = try SigningIdentity.makeRoot(Name.root, key: P384.Signing.PrivateKey(), validity: validity)
            let transactions = try root.issue(
                Name.transactions, role: .intermediate, key: P384.Signing.PrivateKey())
            let receipts = try root.issue(
                Name.receipts, role: .intermediate, key: _RSA.Signing.PrivateKey(keySize: .bits2048))
            return SigningIdentities(
                root: root, transactionIntermediate: transactions, receiptIntermediate: receipts,
                transactionLeaf: try transactions.issue(
                    Name.transactionLeaf, role: .leaf, key: P256.Signing.PrivateKey()),
                receiptLeaf: try receipts.issue(
                    Name.receiptLeaf, role: .leaf, key: _RSA.Signing.PrivateKey(keySize: .bits2048)))
        }
    }

    /// The common names of our certificates.
    private enum Name {
        static let root = "Perennial Root CA"
        static let transactions = "Perennial Transactions CA"
        static let transactionLeaf = "Perennial Transaction Signing"
        static let receipts = "Perennial Receipts CA"
        static let receiptLeaf = "Perennial Receipt Signing"
    }

    /// Replaces both leaves by new ones from the same intermediates.
    ///
    /// What was signed before stays valid: it carries its chain, and the root is the same.
    /// - Throws: ``SigningIdentitiesError`` with the code `generationFailed`.
    public mutating func rotateLeaves() throws(SigningIdentitiesError) {
        self = try withNewLeaves(Set(SigningLeaf.allCases))
    }

    /// The same identities with other leaves: new keys, whose certificates are asked about where the old ones' are.
    func withNewLeaves(
        _ leaves: Set<SigningLeaf> = Set(SigningLeaf.allCases)
    ) throws(SigningIdentitiesError) -> SigningIdentities {
        let old = self
        return try Self.generating {
            var new = old
            if leaves.contains(.transactions) {
                new.transactionLeaf = try old.transactionIntermediate.issue(
                    Name.transactionLeaf, role: .leaf, key: P256.Signing.PrivateKey(),
                    access: old.transactionLeaf.access)
            }
            if leaves.contains(.receipts) {
                new.receiptLeaf = try old.receiptIntermediate.issue(
                    Name.receiptLeaf, role: .leaf, key: _RSA.Signing.PrivateKey(keySize: .bits2048),
                    access: old.receiptLeaf.access)
            }
            return new
        }
    }

    /// The same keys below the same root, with intermediate and leaf certificates that say where to ask about them.
    ///
    /// What was signed before stays valid: it carries the certificates of its time.
    func reissued(for urls: CertificateURLs) throws(SigningIdentitiesError) -> SigningIdentities {
        let old = self
        return try Self.generating {
            var new = old
            let fromRoot = try urls.access(issuer: .root)
            new.transactionIntermediate = try old.root.issue(
                Name.transactions, role: .intermediate, key: old.transactionIntermediate.key, access: fromRoot)
            new.receiptIntermediate = try old.root.issue(
                Name.receipts, role: .intermediate, key: old.receiptIntermediate.key, access: fromRoot)
            new.transactionLeaf = try new.transactionIntermediate.issue(
                Name.transactionLeaf, role: .leaf, key: old.transactionLeaf.key,
                access: try urls.access(issuer: .transactions))
            new.receiptLeaf = try new.receiptIntermediate.issue(
                Name.receiptLeaf, role: .leaf, key: old.receiptLeaf.key, access: try urls.access(issuer: .receipts))
            return new
        }
    }

    private static func generating<Value>(_ make: () throws -> Value) throws(SigningIdentitiesError) -> Value {
        do {
            return try make()
        } catch {
            throw SigningIdentitiesError(.generationFailed, file: "", reason: "\(error)")
        }
    }
}
