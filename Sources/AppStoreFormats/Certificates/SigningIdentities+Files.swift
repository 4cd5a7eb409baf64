import Crypto
import CryptoExtras
import Foundation
import X509

/// The names of the files with signing identities.
///
/// The root and the intermediates have fixed names. A leaf's files are named after its serial number, and
/// `identities.json`, written last and in one step, says which leaves are in use: so there is never a moment at which a
/// crash leaves a key beside another key's certificate.
enum IdentityFile {
    static let index = "identities.json"
    /// The file that marks keys as incomplete: they have signed nothing yet.
    static let making = ".making"
    static let root = "root"
    static let receiptRoot = "receipt-root"
    static let transactionIntermediate = "transaction-intermediate"
    static let receiptIntermediate = "receipt-intermediate"

    static func transactionLeaf(_ serialNumber: String) -> String { "transaction-leaf-\(serialNumber)" }
    static func receiptLeaf(_ serialNumber: String) -> String { "receipt-leaf-\(serialNumber)" }
    /// The certificate of an intermediate that was replaced.
    static func retired(_ name: String, _ serialNumber: String) -> String { "\(name)-\(serialNumber)" }

    static func key(_ name: String) -> String { name + ".pem" }
    static func certificate(_ name: String) -> String { name + ".cer" }
}

/// The file that names the leaves in use.
private struct IdentityIndex: Codable {
    var transactionLeaf: String
    var receiptLeaf: String
    /// True if receipts have a root of their own; `nil` in directories from the time of a single root.
    var receiptRoot: Bool?
}

extension SigningIdentities {
    /// Reads identities from a directory.
    ///
    /// Every key is checked against its certificate, and every certificate against its issuer's.
    /// - Throws: ``SigningIdentitiesError`` with the wrong file; its code is `missing` if the directory has no
    ///   identities.
    public static func load(from directory: URL) throws(SigningIdentitiesError) -> SigningIdentities {
        let files = DurableDirectory(directory)
        let index = try IdentityIndex(from: files)
        let root: SigningIdentity<P384.Signing.PrivateKey> = try files.identity(IdentityFile.root)
        let transactions: SigningIdentity<P384.Signing.PrivateKey> =
            try files.identity(IdentityFile.transactionIntermediate, issuer: root.certificate)
        let receiptRoot: SigningIdentity<_RSA.Signing.PrivateKey>? =
            index.receiptRoot == true ? try files.identity(IdentityFile.receiptRoot) : nil
        let receipts: SigningIdentity<_RSA.Signing.PrivateKey> =
            try files.identity(
                IdentityFile.receiptIntermediate, issuer: receiptRoot?.certificate ?? root.certificate)
        return SigningIdentities(
            root: root, receiptRoot: receiptRoot, transactionIntermediate: transactions, receiptIntermediate: receipts,
            transactionLeaf: try files.identity(
                IdentityFile.transactionLeaf(index.transactionLeaf), issuer: transactions.certificate),
            receiptLeaf: try files.identity(
                IdentityFile.receiptLeaf(index.receiptLeaf), issuer: receipts.certificate))
    }

    /// Reads identities from a directory, or creates them in an empty one.
    ///
    /// Keys are PEM files with mode 0600 in a directory with mode 0700, certificates are `.cer` files in DER. Users
    /// install `root.cer`; verifiers of receipts pin `receipt-root.cer`. Processes that start at the same time agree on
    /// one set. After a crash in the middle of the creation, the next call starts anew. Keys that may have signed
    /// something are never overwritten.
    /// - Throws: ``SigningIdentitiesError`` with the wrong file.
    public static func loadOrMake(in directory: URL) throws(SigningIdentitiesError) -> SigningIdentities {
        try loadOrMake(in: directory, making: make, afterEachFile: { _ in })
    }

    /// Replaces the leaves kept in a directory; see ``rotateLeaves()``. The old certificates stay under their serial
    /// numbers, the old keys are deleted.
    /// - Returns: The identities with their new leaves.
    /// - Throws: ``SigningIdentitiesError``, which names the file that is wrong.
    public static func rotateLeaves(in directory: URL) throws(SigningIdentitiesError) -> SigningIdentities {
        try rotateLeaves(
            in: directory, rotating: { (old) throws(SigningIdentitiesError) in try old.withNewLeaves() },
            afterEachFile: { _ in })
    }
}

extension SigningIdentities {
    /// The name of the file in a directory of identities that holds ``receiptRootCertificate``.
    package var receiptRootFile: String {
        IdentityFile.certificate(hasReceiptRoot ? IdentityFile.receiptRoot : IdentityFile.root)
    }
}

// MARK: - Steps, after each of which a test can stop

extension SigningIdentities {
    typealias Step = (_ file: String) throws -> Void

    static func loadOrMake(
        in directory: URL, making make: () throws(SigningIdentitiesError) -> SigningIdentities,
        afterEachFile step: Step
    ) throws(SigningIdentitiesError) -> SigningIdentities {
        let files = DurableDirectory(directory)
        try files.create()
        let lock = try files.lock()
        defer { lock.release() }
        if files.contains(IdentityFile.index) {
            files.remove(IdentityFile.making)
            return try load(from: directory)
        }
        if !files.contains(IdentityFile.making) {
            if files.holdsKeys {
                throw SigningIdentitiesError(
                    .incomplete, file: files.path(IdentityFile.index),
                    reason: "it is missing, and keys are there: restore it from a backup of the folder; "
                        + "or, for a new store with keys of its own, move the folder away")
            }
            try files.write([], as: IdentityFile.making, mode: 0o600)
        }
        let identities = try make()
        try files.write(identities.root, as: IdentityFile.root, step)
        if let receiptRoot = identities.receiptRoot {
            try files.write(receiptRoot, as: IdentityFile.receiptRoot, step)
        }
        try files.write(identities.transactionIntermediate, as: IdentityFile.transactionIntermediate, step)
        try files.write(identities.receiptIntermediate, as: IdentityFile.receiptIntermediate, step)
        try identities.writeLeaves(to: files, step)
        files.remove(IdentityFile.making)
        return identities
    }

    static func rotateLeaves(
        in directory: URL, rotating rotate: (SigningIdentities) throws(SigningIdentitiesError) -> SigningIdentities,
        afterEachFile step: Step
    ) throws(SigningIdentitiesError) -> SigningIdentities {
        let files = DurableDirectory(directory)
        let lock = try files.lock()
        defer { lock.release() }
        let old = try load(from: directory)
        let identities = try rotate(old)
        try identities.writeLeaves(to: files, step)
        identities.removeKeys(of: old, from: files)
        return identities
    }

    /// Issues the certificates in a directory again, with the URLs of their status. A crash in between leaves new
    /// certificates above old ones with the same keys: a valid chain, which the next call replaces.
    static func reissue(in directory: URL, for urls: CertificateURLs) throws(SigningIdentitiesError) -> Self {
        let files = DurableDirectory(directory)
        let lock = try files.lock()
        defer { lock.release() }
        let old = try load(from: directory)
        if try old.state(urls) { return old }
        let new = try old.reissued(for: urls)
        for (name, retired, current) in [
            (
                IdentityFile.transactionIntermediate, old.transactionIntermediate.issued,
                new.transactionIntermediate.issued
            ),
            (IdentityFile.receiptIntermediate, old.receiptIntermediate.issued, new.receiptIntermediate.issued),
        ] {
            let archived = IdentityFile.certificate(IdentityFile.retired(name, retired.serialNumber))
            try files.write(retired.encoding, as: archived, mode: 0o644)
            try files.write(current.encoding, as: IdentityFile.certificate(name), mode: 0o644)
        }
        try new.writeLeaves(to: files) { _ in }
        new.removeKeys(of: old, from: files)
        return new
    }

    /// Returns true if all certificates state these URLs.
    private func state(_ urls: CertificateURLs) throws(SigningIdentitiesError) -> Bool {
        let root: Certificate.Extension
        let (receiptRoot, transactions, receipts): (Certificate.Extension, Certificate.Extension, Certificate.Extension)
        do {
            root = try urls.access(issuer: .root)
            receiptRoot = try urls.access(issuer: receiptRootIssuer)
            transactions = try urls.access(issuer: .transactions)
            receipts = try urls.access(issuer: .receipts)
        } catch {
            throw SigningIdentitiesError(.generationFailed, file: "", reason: "\(error)")
        }
        return transactionIntermediate.access == root && receiptIntermediate.access == receiptRoot
            && transactionLeaf.access == transactions && receiptLeaf.access == receipts
    }

    /// Removes the keys of replaced leaves.
    private func removeKeys(of old: SigningIdentities, from files: DurableDirectory) {
        if old.transactionLeaf.serialNumber != transactionLeaf.serialNumber {
            files.remove(IdentityFile.key(IdentityFile.transactionLeaf(old.transactionLeaf.serialNumber)))
        }
        if old.receiptLeaf.serialNumber != receiptLeaf.serialNumber {
            files.remove(IdentityFile.key(IdentityFile.receiptLeaf(old.receiptLeaf.serialNumber)))
        }
    }

    private func writeLeaves(to files: DurableDirectory, _ step: Step) throws(SigningIdentitiesError) {
        let index = IdentityIndex(
            transactionLeaf: transactionLeaf.serialNumber, receiptLeaf: receiptLeaf.serialNumber,
            receiptRoot: hasReceiptRoot ? true : nil)
        try files.write(transactionLeaf, as: IdentityFile.transactionLeaf(index.transactionLeaf), step)
        try files.write(receiptLeaf, as: IdentityFile.receiptLeaf(index.receiptLeaf), step)
        try files.write(try index.encoded(), as: IdentityFile.index, mode: 0o600)
    }
}

extension IdentityIndex {
    fileprivate init(from files: DurableDirectory) throws(SigningIdentitiesError) {
        guard files.contains(IdentityFile.index) else {
            throw SigningIdentitiesError(
                .missing, file: files.path(IdentityFile.index), reason: "the directory holds no signing identities")
        }
        let bytes = try files.read(IdentityFile.index)
        do {
            self = try JSONDecoder().decode(IdentityIndex.self, from: Data(bytes))
        } catch {
            throw SigningIdentitiesError(
                .unreadable, file: files.path(IdentityFile.index), reason: "not the JSON that names the leaves")
        }
        // The serial numbers become parts of file names.
        guard (transactionLeaf + receiptLeaf).allSatisfy(\.isHexDigit) else {
            throw SigningIdentitiesError(
                .unreadable, file: files.path(IdentityFile.index), reason: "a serial number is not hexadecimal")
        }
    }

    fileprivate func encoded() throws(SigningIdentitiesError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        do {
            return Array(try encoder.encode(self))
        } catch {
            throw SigningIdentitiesError(.generationFailed, file: IdentityFile.index, reason: "\(error)")
        }
    }
}
