import Crypto
import CryptoExtras
import Foundation
import Perennial
import X509

/// The certificates of signed data, with the checks of their chain.
struct InspectedChain {
    /// The certificates from the signer's on; empty if none can be read.
    var path: [ChainCertificate] = []
    var checks: [Inspection.Check] = []
    var origin = InspectedCertificate.Origin.unknown

    var leaf: ChainCertificate? { path.first }
    var isTrusted: Bool { checks.allSatisfy { $0.outcome != .failed } }
    var certificates: [InspectedCertificate] { path.map { $0.described(from: origin) } }

    mutating func add(_ name: Inspection.Check.Name, _ outcome: Inspection.Check.Outcome, _ finding: InspectionFinding)
    {
        checks.append(Inspection.Check(name, outcome, finding))
    }
}

extension InspectionRun {
    /// The most certificates of one chain.
    private static let maximumPath = 10

    /// Checks a chain: its order, its signatures, its root, its markers.
    ///
    /// - Parameters:
    ///   - signer: Which certificate is the signer's; `nil` for the first one that isn't an authority's.
    ///   - isOrdered: True if the order counts, as in `x5c`.
    ///   - purpose: The purpose of the root.
    func chain(
        of encodings: [[UInt8]], signer: CertificateIdentity? = nil, isOrdered: Bool,
        purpose: InspectionContext.Root.Purpose
    ) -> InspectedChain {
        var chain = InspectedChain()
        var given: [ChainCertificate] = []
        for (index, encoding) in encodings.prefix(Self.maximumPath).enumerated() {
            do {
                _ = try Certificate(der: encoding)
            } catch {
                chain.add(.chain, .failed, .init(.certificateUnreadable, "\(index + 1)", Self.brief(error)))
                continue
            }
            if let certificate = ChainCertificate(encoding) { given.append(certificate) }
        }
        if isOrdered, !given.isEmpty { checkOrder(of: given, &chain) }
        guard let leaf = self.leaf(among: given, signer) else {
            if signer != nil, !given.isEmpty { chain.add(.chain, .failed, .init(.signerMissing)) }
            return chain
        }
        if leaf.isAuthority, signer != nil || isOrdered {
            chain.add(.chain, .failed, .init(.leafIsAuthority, leaf.name))
        }
        follow(from: leaf, among: given, &chain)
        checkRoot(purpose, &chain)
        checkMarkers(&chain)
        return chain
    }

    private func leaf(among given: [ChainCertificate], _ signer: CertificateIdentity?) -> ChainCertificate? {
        guard let signer else { return given.first { !$0.isAuthority } ?? given.first }
        return given.first { (try? CertificateIdentity(certificate: $0.encoding)) == signer }
    }

    private func checkOrder(of given: [ChainCertificate], _ chain: inout InspectedChain) {
        let roles = given.map(\.role.rawValue)
        let isRight = roles.elementsEqual(["leaf", "intermediate", "root"].prefix(roles.count))
        // A single certificate that signed itself is Xcode's.
        if given.count == 1, given[0].isSelfIssued { return }
        guard isRight else {
            return chain.add(.certificateOrder, .failed, .init(.orderWrong, roles.joined(separator: ", ")))
        }
        guard given.count == 3 else {
            return chain.add(.certificateOrder, .failed, .init(.certificateCount, "\(given.count)"))
        }
        chain.add(.certificateOrder, .passed, .init(.orderRight))
    }

    /// Follows the issuers from a certificate to a root.
    private func follow(from leaf: ChainCertificate, among given: [ChainCertificate], _ chain: inout InspectedChain) {
        let known = (context.intermediates + context.roots.map(\.certificate)).compactMap { ChainCertificate($0) }
        chain.path = [leaf]
        var current = leaf
        while !current.isSelfIssued, chain.path.count < Self.maximumPath {
            let named = (given + known).filter { $0.certificate.subject == current.certificate.issuer }
            guard let issuer = named.first(where: { current.isSigned(by: $0) }) else {
                let finding: InspectionFinding =
                    named.isEmpty
                    ? .init(.issuerMissing, current.issuerName)
                    : .init(.issuerKeyWrong, current.name, current.issuerName)
                return chain.add(.chain, .failed, finding)
            }
            chain.path.append(issuer)
            current = issuer
        }
        guard !chain.checks.contains(where: { $0.name == .chain }) else { return }
        chain.add(.chain, .passed, .init(.chainComplete, chain.path.map(\.name).joined(separator: " ← ")))
    }

    private func checkRoot(_ purpose: InspectionContext.Root.Purpose, _ chain: inout InspectedChain) {
        guard let last = chain.path.last else { return }
        let fingerprint = last.fingerprint
        if let known = context.roots.first(where: { $0.certificate == last.encoding }) {
            chain.origin = .thisStore
            let fits =
                known.purpose == purpose || purpose == .both
                || context.roots.contains { $0.certificate == last.encoding && [purpose, .both].contains($0.purpose) }
            chain.add(.root, fits ? .passed : .failed, .init(fits ? .rootOfThisStore : .rootOfOtherPurpose, last.name))
        } else if let name = AppleRoot.names[fingerprint] {
            chain.origin = .apple
            chain.add(.root, .failed, .init(.rootOfApple, name))
        } else if chain.path.contains(where: { $0.name.contains("Xcode") }) {
            chain.origin = .xcode
            chain.add(.root, .failed, .init(.rootOfXcode))
        } else if context.roots.isEmpty {
            chain.add(.root, .skipped, .init(.rootsMissing))
        } else if chain.path.contains(where: { $0.issuerName.hasPrefix("Perennial ") }) {
            chain.origin = .otherStore
            chain.add(.root, .failed, .init(.rootOfAnotherStore, last.isSelfIssued ? last.name : last.issuerName))
        } else {
            chain.add(.root, .failed, .init(.rootUnknown, last.isSelfIssued ? last.name : last.issuerName, fingerprint))
        }
    }

    private func checkMarkers(_ chain: inout InspectedChain) {
        // Xcode's one certificate has none, and its root says so.
        guard let leaf = chain.leaf, !leaf.isSelfIssued else { return }
        let wanted =
            [(leaf, CertificateOIDs.leaf)]
            + chain.path.dropFirst().prefix(1).map {
                ($0, CertificateOIDs.intermediate)
            }
        if let (certificate, marker) = wanted.first(where: { !$0.0.has($0.1) }) {
            chain.add(.markers, .failed, .init(.markersMissing, certificate.name, "\(marker)"))
        } else {
            chain.add(.markers, .passed, .init(.markersThere))
        }
    }

    /// Checks that the certificates were valid when the data was signed, and that none is revoked.
    func checkDates(of chain: inout InspectedChain, signed: Date?) {
        guard let leaf = chain.leaf else { return }
        let checked = chain.path.filter { !$0.isSelfIssued || $0.encoding == leaf.encoding }
        if let signed {
            let date = InspectionDate.text(signed)
            // Compared as numbers, so that a date which is none fails as well.
            let seconds = signed.timeIntervalSince1970
            let early = checked.first { !($0.certificate.notValidBefore.timeIntervalSince1970 <= seconds) }
            let late = checked.first { !(seconds <= $0.certificate.notValidAfter.timeIntervalSince1970) }
            if let early {
                let begin = InspectionDate.text(early.certificate.notValidBefore)
                chain.add(.validity, .failed, .init(.certificateNotYetValid, early.name, begin, date))
            } else if let late {
                let end = InspectionDate.text(late.certificate.notValidAfter)
                chain.add(.validity, .failed, .init(.certificateExpired, late.name, end, date))
            } else {
                chain.add(.validity, .passed, .init(.certificatesValid, date))
            }
        } else {
            chain.add(.validity, .skipped, .init(.validityUnknown))
        }
        guard let revocations = context.revocations, chain.origin == .thisStore else {
            return chain.add(.revocation, .skipped, .init(.revocationUnknown))
        }
        if let revoked = checked.first(where: { revocations[$0.serialNumber] != nil }),
            let revocation = revocations[revoked.serialNumber]
        {
            chain.add(.revocation, .failed, .init(.revoked, revoked.name, revocation.date.rfc3339()))
        } else {
            chain.add(.revocation, .passed, .init(.notRevoked))
        }
    }

    /// Returns an error's description, without line breaks and not longer than a line or two.
    static func brief(_ error: any Error) -> String {
        String("\(error)".prefix(300).map { $0.isNewline ? " " : $0 })
    }
}
