import Crypto
import CryptoExtras
import Foundation
import X509

/// The keys and certificates of a store: a root and a chain for signed data, and a root and a chain for receipts, as
/// the App Store has them.
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
/// Verifiers of App Store data require the markers and the shape; the names are Perennial's own. All certificates have
/// key identifiers, critical basic constraints and key usages. Those of signed data are valid from 1970 to 9999, those
/// of receipts from 1970 to the end of 2049: up to then dates have the form that strict readers of receipts know
/// (``CertificateValidity/utcTime``). Receipts of later dates carry other certificates of the same keys
/// (``receiptChain(at:)``).
///
/// Identities from the time of a single root have no receipt root: their ``receiptRootCertificate`` is
/// ``rootCertificate``.
public struct SigningIdentities: Sendable {
    let root: SigningIdentity<P384.Signing.PrivateKey>
    /// See ``receiptRoot``.
    private let separateReceiptRoot: ReceiptRoot?
    private(set) var transactionIntermediate: SigningIdentity<P384.Signing.PrivateKey>
    private(set) var transactionLeaf: SigningIdentity<P256.Signing.PrivateKey>
    private var receipts: ReceiptIdentities
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
        separateReceiptRoot = receiptRoot.map { ReceiptRoot($0) }
        self.transactionIntermediate = transactionIntermediate
        self.transactionLeaf = transactionLeaf
        receipts = ReceiptIdentities(intermediate: receiptIntermediate, leaf: receiptLeaf)
    }

    private init(
        root: SigningIdentity<P384.Signing.PrivateKey>,
        receiptRoot: ReceiptRoot, receipts: ReceiptIdentities
    ) throws {
        self.root = root
        separateReceiptRoot = receiptRoot
        self.receipts = receipts
        transactionIntermediate = try root.issue(Name.transactions, role: .intermediate, key: P384.Signing.PrivateKey())
        transactionLeaf = try transactionIntermediate.issue(
            Name.transactionLeaf, role: .leaf, key: P256.Signing.PrivateKey())
    }

    /// True if receipts have a root of their own.
    var hasReceiptRoot: Bool { separateReceiptRoot != nil }
    /// The dates of the receipts' own root, which are known before its key.
    var receiptRootValidity: CertificateValidity? { separateReceiptRoot?.validity }
    /// The root of receipts; `nil` if ``root`` issued the receipts' intermediate. Waits for its key in identities whose
    /// receipts' keys are still being made.
    var receiptRoot: SigningIdentity<_RSA.Signing.PrivateKey>? { separateReceiptRoot?.identity }
    /// Waits for its key, as ``receiptRoot`` does.
    var receiptIntermediate: SigningIdentity<_RSA.Signing.PrivateKey> { receipts.intermediate }
    /// Waits for its key, as ``receiptRoot`` does.
    var receiptLeaf: SigningIdentity<_RSA.Signing.PrivateKey> { receipts.leaf }

    /// The root of signed data in DER: verifiers of transactions and notifications pin it, and users install it for
    /// TLS.
    public var rootCertificate: [UInt8] { root.encoding }

    /// The root of receipts in DER, which verifiers of receipts pin.
    public var receiptRootCertificate: [UInt8] { receiptRoot?.encoding ?? root.encoding }

    /// The verifiers that trust the root of receipts; waits for its key.
    package var receiptVerifiers: (receipts: ReceiptVerifier, transactionReceipts: TransactionReceiptVerifier) {
        let roots = [receiptRoot?.certificate ?? root.certificate]
        return (ReceiptVerifier(trustedRoots: roots), TransactionReceiptVerifier(trustedRoots: roots))
    }

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

    /// The dates at which everything signed verifies. The last second is left out: verifiers differ in whether a
    /// certificate is valid then.
    public var validity: ClosedRange<Date> {
        let certificates = [root.certificate, transactionIntermediate.certificate, transactionLeaf.certificate]
        // Receipts later than their certificates have others, which begin and end with their root's.
        let receipts = hasLateReceiptChain ? [] : [receiptIntermediate.certificate, receiptLeaf.certificate]
        let roots = [receiptRootValidity?.notBefore].compactMap(\.self)
        let begin = ((certificates + receipts).map(\.notValidBefore) + roots).max() ?? .distantPast
        let end = (certificates + receipts).map(\.notValidAfter).min() ?? .distantFuture
        return begin...max(begin, end.addingTimeInterval(-1))
    }

    // MARK: - Making

    /// Creates new identities in memory. It generates three RSA keys on as many threads, in some tenths of a second.
    /// - Throws: ``SigningIdentitiesError`` with the code `generationFailed`.
    public static func make() throws(SigningIdentitiesError) -> SigningIdentities {
        try make(validity: .unlimited, receiptValidity: .utcTime)
    }

    static func make(
        validity: CertificateValidity, receiptValidity: CertificateValidity
    ) throws(SigningIdentitiesError) -> SigningIdentities {
        let identities = try makeDeferringReceipts(validity: validity, receiptValidity: receiptValidity, threads: 3)
        _ = identities.receipts.pair
        return identities
    }

    /// Creates new identities whose keys of receipts are generated on other threads; their first use waits.
    ///
    /// The RSA key that is found first becomes the root's.
    /// - Parameter startsAtOnce: True to begin the search for keys of receipts now; false to begin with their first use.
    /// - Throws: ``SigningIdentitiesError`` with the code `generationFailed`.
    package static func makeDeferringReceipts(
        startsAtOnce: Bool = true
    ) throws(SigningIdentitiesError) -> SigningIdentities {
        // The start goes on meanwhile: one processor is left to it.
        let threads = max(1, min(3, ProcessInfo.processInfo.activeProcessorCount - 1))
        return try makeDeferringReceipts(
            validity: .unlimited, receiptValidity: .utcTime, threads: threads, startsAtOnce: startsAtOnce)
    }

    private static func makeDeferringReceipts(
        validity: CertificateValidity, receiptValidity: CertificateValidity, threads: Int, startsAtOnce: Bool = true
    ) throws(SigningIdentitiesError) -> SigningIdentities {
        try generating {
            let keys = Deferred(making: { ConcurrentRSAKeys(3, threads: threads) })
            if startsAtOnce { _ = keys.value }
            let root = try SigningIdentity.makeRoot(Name.root, key: P384.Signing.PrivateKey(), validity: validity)
            let receiptRoot = ReceiptRoot(validity: receiptValidity) {
                try SigningIdentity.makeRoot(Name.receiptRoot, key: keys.value.next(), validity: receiptValidity)
            }
            let receipts = ReceiptIdentities {
                let intermediate = try receiptRoot.identity.issue(
                    Name.receipts, role: .intermediate, key: keys.value.next())
                return (intermediate, try intermediate.issue(Name.receiptLeaf, role: .leaf, key: keys.value.next()))
            }
            return try SigningIdentities(root: root, receiptRoot: receiptRoot, receipts: receipts)
        }
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
    /// Older signatures stay valid: signed data carries its chain, and the roots are the same.
    /// - Throws: ``SigningIdentitiesError`` with the code `generationFailed`.
    public mutating func rotateLeaves() throws(SigningIdentitiesError) {
        self = try withNewLeaves(Set(SigningLeaf.allCases))
    }

    /// Returns the same identities with other leaves: new keys, whose certificates state the same URLs as the old ones.
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
                new.receipts = ReceiptIdentities(
                    intermediate: old.receiptIntermediate,
                    leaf: try old.receiptIntermediate.issue(
                        Name.receiptLeaf, role: .leaf, key: _RSA.Signing.PrivateKey(keySize: .bits2048),
                        access: old.receiptLeaf.access))
            }
            return new
        }
    }

    /// Returns the same keys and roots, with intermediate and leaf certificates that state the URLs of their status.
    ///
    /// Older signatures stay valid: signed data carries the certificates of its time.
    func reissued(for urls: CertificateURLs) throws(SigningIdentitiesError) -> SigningIdentities {
        let old = self
        return try Self.generating {
            var new = old
            let fromRoot = try urls.access(issuer: .root)
            new.transactionIntermediate = try old.root.issue(
                Name.transactions, role: .intermediate, key: old.transactionIntermediate.key, access: fromRoot)
            new.transactionLeaf = try new.transactionIntermediate.issue(
                Name.transactionLeaf, role: .leaf, key: old.transactionLeaf.key,
                access: try urls.access(issuer: .transactions))
            let fromReceiptRoot = try urls.access(issuer: old.receiptRootIssuer)
            let fromReceipts = try urls.access(issuer: .receipts)
            new.receipts = try old.receipts.map { oldIntermediate, oldLeaf in
                let intermediate = try old.issueFromReceiptRoot(
                    Name.receipts, role: .intermediate, key: oldIntermediate.key, access: fromReceiptRoot)
                let leaf = try intermediate.issue(
                    Name.receiptLeaf, role: .leaf, key: oldLeaf.key, access: fromReceipts)
                return (intermediate, leaf)
            }
            return new
        }
    }

    /// True if the certificates of signed data, and so all, say that these are the places to ask about them.
    func transactionsState(_ urls: CertificateURLs) throws(SigningIdentitiesError) -> Bool {
        let identities = self
        return try Self.generating {
            let (root, transactions) = (try urls.access(issuer: .root), try urls.access(issuer: .transactions))
            return identities.transactionIntermediate.access == root
                && identities.transactionLeaf.access == transactions
        }
    }

    /// The issuer of the receipts' intermediate.
    var receiptRootIssuer: IssuingCertificate { hasReceiptRoot ? .receiptRoot : .root }

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
