import Crypto
import CryptoExtras
import Dispatch
import Foundation
import Synchronization
import X509

/// The keys and certificates that a store signs with: a root and a chain for signed data, and a root and a chain for
/// receipts, as the App Store has them.
///
/// | | key | signed with | marker |
/// |---|---|---|---|
/// | Perennial Root CA | P-384 | ECDSA, SHA-384, itself | |
/// | Perennial Transactions CA | P-384 | ECDSA, SHA-384 | 1.2.840.113635.100.6.2.1 |
/// | Perennial Transaction Signing | P-256 | ECDSA, SHA-384 | 1.2.840.113635.100.6.11.1 |
/// | Perennial Receipt Root CA | RSA-2048 | RSA, SHA-256, itself | |
/// | Perennial Receipts CA | RSA-2048 | RSA, SHA-256 | 1.2.840.113635.100.6.2.1 |
/// | Perennial Receipt Signing | RSA-2048 | RSA, SHA-256 | 1.2.840.113635.100.6.11.1 |
///
/// The markers and the shape are what verifiers of App Store data ask for; the names are Perennial's own. All
/// certificates have key identifiers, critical basic constraints and key usages. Those of signed data are valid from
/// 1970 to 9999, those of receipts from 1970 to the end of 2049: up to then dates have the form that strict readers of
/// receipts know (``CertificateValidity/utcTime``). Receipts of later dates carry other certificates of the
/// same keys (``receiptChain(at:)``).
///
/// Identities that were made when there was one root for both chains have no root of receipts: their
/// ``receiptRootCertificate`` is ``rootCertificate``.
public struct SigningIdentities: Sendable {
    let root: SigningIdentity<P384.Signing.PrivateKey>
    /// `nil` where ``root`` issued the receipts' intermediate.
    let receiptRoot: SigningIdentity<_RSA.Signing.PrivateKey>?
    private(set) var transactionIntermediate: SigningIdentity<P384.Signing.PrivateKey>
    private(set) var receiptIntermediate: SigningIdentity<_RSA.Signing.PrivateKey>
    private(set) var transactionLeaf: SigningIdentity<P256.Signing.PrivateKey>
    private(set) var receiptLeaf: SigningIdentity<_RSA.Signing.PrivateKey>
    let lateReceiptChains = LateReceiptChains()

    init(
        root: SigningIdentity<P384.Signing.PrivateKey>,
        receiptRoot: SigningIdentity<_RSA.Signing.PrivateKey>?,
        transactionIntermediate: SigningIdentity<P384.Signing.PrivateKey>,
        receiptIntermediate: SigningIdentity<_RSA.Signing.PrivateKey>,
        transactionLeaf: SigningIdentity<P256.Signing.PrivateKey>,
        receiptLeaf: SigningIdentity<_RSA.Signing.PrivateKey>
    ) {
        self.root = root
        self.receiptRoot = receiptRoot
        self.transactionIntermediate = transactionIntermediate
        self.receiptIntermediate = receiptIntermediate
        self.transactionLeaf = transactionLeaf
        self.receiptLeaf = receiptLeaf
    }

    /// The root of signed data in DER: what verifiers of transactions and notifications pin, and users install for TLS.
    public var rootCertificate: [UInt8] { root.encoding }

    /// The root of receipts in DER: what verifiers of receipts pin.
    public var receiptRootCertificate: [UInt8] { receiptRoot?.encoding ?? root.encoding }

    /// The certificates that go with signed transactions and notifications.
    public var transactionChain: CertificateChain {
        CertificateChain(
            leaf: transactionLeaf.encoding, intermediate: transactionIntermediate.encoding, root: root.encoding)
    }

    /// The certificates that go with app receipts and old transaction receipts, up to the end of 2049.
    public var receiptChain: CertificateChain {
        CertificateChain(
            leaf: receiptLeaf.encoding, intermediate: receiptIntermediate.encoding, root: receiptRootCertificate)
    }

    /// When everything that is signed verifies, at the date it carries. The last second is left out: verifiers differ
    /// in whether a certificate is valid then.
    public var validity: ClosedRange<Date> {
        let receipts = [receiptIntermediate.certificate, receiptLeaf.certificate]
        let certificates = [root.certificate, transactionIntermediate.certificate, transactionLeaf.certificate]
        let begin = (certificates + receipts).map(\.notValidBefore).max() ?? .distantPast
        let receiptsEnd = hasLateReceiptChain ? [] : receipts
        let end = (certificates + receiptsEnd).map(\.notValidAfter).min() ?? .distantFuture
        return begin...max(begin, end.addingTimeInterval(-1))
    }

    // MARK: - Making

    /// Makes new identities in memory. Three RSA keys are made, on as many threads: it takes some tenths of a second.
    /// - Throws: ``SigningIdentitiesError`` with the code `generationFailed`.
    public static func make() throws(SigningIdentitiesError) -> SigningIdentities {
        try make(validity: .unlimited, receiptValidity: .utcTime)
    }

    static func make(
        validity: CertificateValidity, receiptValidity: CertificateValidity
    ) throws(SigningIdentitiesError) -> SigningIdentities {
        try generating {
            let keys = try rsaKeys(3)
            let root = try SigningIdentity.makeRoot(Name.root, key: P384.Signing.PrivateKey(), validity: validity)
            let receiptRoot = try SigningIdentity.makeRoot(Name.receiptRoot, key: keys[0], validity: receiptValidity)
            let transactions = try root.issue(
                Name.transactions, role: .intermediate, key: P384.Signing.PrivateKey())
            let receipts = try receiptRoot.issue(Name.receipts, role: .intermediate, key: keys[1])
            return SigningIdentities(
                root: root, receiptRoot: receiptRoot, transactionIntermediate: transactions,
                receiptIntermediate: receipts,
                transactionLeaf: try transactions.issue(
                    Name.transactionLeaf, role: .leaf, key: P256.Signing.PrivateKey()),
                receiptLeaf: try receipts.issue(Name.receiptLeaf, role: .leaf, key: keys[2]))
        }
    }

    /// Makes RSA keys at the same time: each is a search for primes that takes a tenth of a second or more.
    private static func rsaKeys(_ count: Int) throws -> [_RSA.Signing.PrivateKey] {
        let made = Mutex<[Result<_RSA.Signing.PrivateKey, any Error>]>([])
        DispatchQueue.concurrentPerform(iterations: count) { _ in
            let key = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
            made.withLock { $0.append(key) }
        }
        return try made.withLock { $0 }.map { try $0.get() }
    }

    /// The common names of our certificates.
    enum Name {
        static let root = "Perennial Root CA"
        static let receiptRoot = "Perennial Receipt Root CA"
        static let transactions = "Perennial Transactions CA"
        static let transactionLeaf = "Perennial Transaction Signing"
        static let receipts = "Perennial Receipts CA"
        static let receiptLeaf = "Perennial Receipt Signing"
    }

    /// Replaces both leaves by new ones from the same intermediates.
    ///
    /// What was signed before stays valid: it carries its chain, and the roots are the same.
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

    /// The same keys below the same roots, with intermediate and leaf certificates that say where to ask about them.
    ///
    /// What was signed before stays valid: it carries the certificates of its time.
    func reissued(for urls: CertificateURLs) throws(SigningIdentitiesError) -> SigningIdentities {
        let old = self
        return try Self.generating {
            var new = old
            let fromRoot = try urls.access(issuer: .root)
            new.transactionIntermediate = try old.root.issue(
                Name.transactions, role: .intermediate, key: old.transactionIntermediate.key, access: fromRoot)
            let fromReceiptRoot = try urls.access(issuer: old.receiptRootIssuer)
            new.receiptIntermediate = try old.issueFromReceiptRoot(
                Name.receipts, role: .intermediate, key: old.receiptIntermediate.key, access: fromReceiptRoot)
            new.transactionLeaf = try new.transactionIntermediate.issue(
                Name.transactionLeaf, role: .leaf, key: old.transactionLeaf.key,
                access: try urls.access(issuer: .transactions))
            new.receiptLeaf = try new.receiptIntermediate.issue(
                Name.receiptLeaf, role: .leaf, key: old.receiptLeaf.key, access: try urls.access(issuer: .receipts))
            return new
        }
    }

    /// Which root issued the receipts' intermediate.
    var receiptRootIssuer: IssuingCertificate { receiptRoot == nil ? .root : .receiptRoot }

    private func issueFromReceiptRoot(
        _ commonName: String, role: CertificateRole, key: _RSA.Signing.PrivateKey, access: Certificate.Extension?
    ) throws -> SigningIdentity<_RSA.Signing.PrivateKey> {
        guard let receiptRoot else { return try root.issue(commonName, role: role, key: key, access: access) }
        return try receiptRoot.issue(commonName, role: role, key: key, access: access)
    }

    static func generating<Value>(_ make: () throws -> Value) throws(SigningIdentitiesError) -> Value {
        do {
            return try make()
        } catch {
            throw SigningIdentitiesError(.generationFailed, file: "", reason: "\(error)")
        }
    }
}
