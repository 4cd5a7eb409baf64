import AppStoreFormats
import Perennial
import PerennialStorage
import Synchronization

/// The certificates of a running store: answers OCSP requests, and revokes and replaces the leaves it signs with.
package final class CertificateAuthority: Sendable {
    /// A leaf in use.
    package struct Leaf: Sendable, Equatable {
        package let purpose: SigningLeaf
        package let serialNumber: String
    }

    /// A revoked leaf, with its replacement.
    package struct Revoked: Sendable, Equatable {
        package let purpose: SigningLeaf
        package let serialNumber: String
        package let revocation: CertificateRevocation
        package let replacement: String
    }

    /// The named certificate neither signs for the purpose nor was revoked.
    package struct NotInUse: Error, Equatable {
        package let serialNumber: String
    }

    /// The time between two looks for certificates that an OCSP request asks about, in milliseconds: anyone may ask about any.
    private static let lookInterval: Int64 = 100

    private let folder: Mutex<SigningFolder>
    /// The time of the last look, by the wall clock.
    private let lastLook = Mutex<Instant?>(nil)
    private let signing: Signing
    /// Tells nodes with other folders of the certificates; `nil` for a store without other nodes.
    private let database: Database?
    /// The wall clock: certificates don't depend on an environment's clock.
    private let wallClock: @Sendable () -> Instant

    package init(
        folder: SigningFolder, signing: Signing, database: Database? = nil, wallClock: @escaping @Sendable () -> Instant
    ) {
        self.folder = Mutex(folder)
        self.signing = signing
        self.database = database
        self.wallClock = wallClock
    }

    /// Issues leaves whose certificates name the given OCSP and issuer URLs, and signs with them.
    ///
    /// - Throws: `SigningIdentitiesError`, which names the file that is wrong.
    package func publish(at urls: CertificateURLs) throws(SigningIdentitiesError) {
        try folder.withLock { (folder) throws(SigningIdentitiesError) in
            try folder.publish(at: urls)
            signing.replace(with: folder.identities)
        }
    }

    /// Revokes the leaf in use. A new one signs from now on; verifiers that check revocation refuse what the old one
    /// signed. Other nodes learn of it from the database (``catchUp()``).
    ///
    /// - Parameter serialNumber: The leaf that is meant, in hexadecimal digits as programs print them; the one in use if omitted. If it is
    ///   revoked already, the revocation stays as it was: a request that names it can be repeated.
    /// - Throws: `SigningIdentitiesError`, which names the file that is wrong; ``NotInUse``; `StorageError`, and then nothing is revoked,
    ///   but for `commitUnknown`: then it may be.
    package func revoke(
        _ leaf: SigningLeaf, _ serialNumber: String? = nil, reason: CertificateRevocation.Reason
    ) async throws -> Revoked {
        let digits = serialNumber.map(SerialNumberDigits.normalized)
        if let digits, let known = try await revoked(leaf, digits) { return known }
        let revocation = CertificateRevocation(date: wallClock().wholeSeconds, reason: reason)
        let certificate = folder.withLock { $0.issued(leaf) }
        if let serialNumber, digits != certificate.serialNumber { throw NotInUse(serialNumber: serialNumber) }
        if let database { try await put(CertificatesTable.Certificate(certificate, revocation), in: database) }
        let replacement = try folder.withLock { (folder) throws(SigningIdentitiesError) in
            if try folder.learn([(certificate, revocation)]) { signing.replace(with: folder.identities) }
            return folder.serialNumber(of: leaf)
        }
        // The new leaf is told in the next round otherwise; the old one is revoked in any case.
        _ = try? await catchUp()
        return Revoked(
            purpose: leaf, serialNumber: certificate.serialNumber, revocation: revocation, replacement: replacement)
    }

    /// Writes a revocation. If the answer to the commit was lost, the table says whether it is there.
    private func put(_ row: CertificatesTable.Certificate, in database: Database) async throws {
        do {
            try await database.write { try CertificatesTable.put(row, on: $0) }
        } catch let error as StorageError where error.code == .commitUnknown {
            let isRevoked = try await database.read { connection in
                try CertificatesTable.all(on: connection).contains {
                    $0.serialNumber == row.serialNumber && $0.revoked != nil
                }
            }
            guard isRevoked else { throw error }
        }
    }

    /// Returns a leaf of a purpose that was revoked before, here or by another process; `nil` if it wasn't.
    private func revoked(_ leaf: SigningLeaf, _ serialNumber: String) async throws -> Revoked? {
        _ = try await catchUp()
        return try folder.withLock { (folder) throws(SigningIdentitiesError) in
            guard let revocation = try folder.revocation(of: leaf, serialNumber) else { return nil }
            return Revoked(
                purpose: leaf, serialNumber: serialNumber, revocation: revocation,
                replacement: folder.serialNumber(of: leaf))
        }
    }

    /// Learns of certificates that other processes have issued and revoked, from the folder and from the database, and tells them of
    /// this one's. A leaf that another process revoked is replaced.
    ///
    /// - Returns: True if one was.
    /// - Throws: `SigningIdentitiesError`, which names the file that is wrong; `StorageError`.
    package func catchUp() async throws -> Bool {
        let isReplaced = try folder.withLock { (folder) throws(SigningIdentitiesError) in
            guard try folder.catchUp() else { return false }
            signing.replace(with: folder.identities)
            return true
        }
        guard let database else { return isReplaced }
        let known = try await database.read { try CertificatesTable.all(on: $0) }
        let (learnt, own) = try folder.withLock { (folder) throws(SigningIdentitiesError) in
            let isReplaced = try folder.learn(known.compactMap(\.issued))
            if isReplaced { signing.replace(with: folder.identities) }
            return (isReplaced, try Self.certificates(of: folder))
        }
        let (told, revoked) = (
            Set(known.map(\.serialNumber)), Set(known.filter { $0.revoked != nil }.map(\.serialNumber))
        )
        let untold = own.filter { !($0.revoked == nil ? told : revoked).contains($0.serialNumber) }
        if !untold.isEmpty {
            try await database.write { connection in
                for certificate in untold { try CertificatesTable.put(certificate, on: connection) }
            }
        }
        return isReplaced || learnt
    }

    /// The certificates that other nodes have to know: those in use, and the revoked ones.
    private static func certificates(
        of folder: SigningFolder
    ) throws(SigningIdentitiesError) -> [CertificatesTable.Certificate] {
        let revocations = try folder.revocations()
        let inUse = folder.inUse
        let used = Set(inUse.map(\.serialNumber))
        var certificates = inUse.map { CertificatesTable.Certificate($0, revocations[$0.serialNumber]) }
        for (serialNumber, revocation) in revocations where !used.contains(serialNumber) {
            guard let issuer = folder.issuer(ofLeaf: serialNumber) else { continue }
            let leaf = IssuedCertificate(serialNumber: serialNumber, issuer: issuer, keyDigest: [])
            certificates.append(CertificatesTable.Certificate(leaf, revocation))
        }
        return certificates
    }

    package func leaves() -> [Leaf] {
        folder.withLock { folder in
            SigningLeaf.allCases.map { Leaf(purpose: $0, serialNumber: folder.serialNumber(of: $0)) }
        }
    }

    /// Returns every revoked certificate, by serial number.
    package func revocations() throws(SigningIdentitiesError) -> [String: CertificateRevocation] {
        try folder.withLock { $0 }.revocations()
    }

    /// Returns the DER of an issuer's certificate.
    package func certificate(_ issuer: IssuingCertificate) -> [UInt8] {
        folder.withLock { $0.certificate(issuer) }
    }

    /// Answers an OCSP request. About a certificate that isn't known the other processes are asked first: one of them may have issued
    /// it a moment ago.
    package func certificateStatus(_ request: [UInt8]) async -> [UInt8] {
        if folder.withLock({ $0 }).hasUnknownCertificate(request), mayLook() { _ = try? await catchUp() }
        return folder.withLock { $0 }.certificateStatus(request, at: wallClock())
    }

    private func mayLook() -> Bool {
        let now = wallClock()
        return lastLook.withLock { last in
            // A clock that was set back doesn't keep it from looking.
            if let last, (now - last).magnitude < Self.lookInterval.magnitude { return false }
            last = now
            return true
        }
    }
}

extension CertificatesTable.Certificate {
    fileprivate init(_ certificate: IssuedCertificate, _ revocation: CertificateRevocation?) {
        self.init(
            serialNumber: certificate.serialNumber, issuer: certificate.issuer.rawValue,
            keyDigest: certificate.keyDigest, revoked: revocation?.date,
            reason: revocation.map { Int64($0.reason.rawValue) })
    }

    /// `nil` for an issuer of a later version.
    fileprivate var issued: (certificate: IssuedCertificate, revocation: CertificateRevocation?)? {
        guard let issuer = IssuingCertificate(rawValue: issuer) else { return nil }
        let revocation = revoked.map { date in
            CertificateRevocation(
                date: date,
                reason: reason.flatMap { CertificateRevocation.Reason(rawValue: Int(clamping: $0)) } ?? .unspecified)
        }
        return (IssuedCertificate(serialNumber: serialNumber, issuer: issuer, keyDigest: keyDigest), revocation)
    }
}
