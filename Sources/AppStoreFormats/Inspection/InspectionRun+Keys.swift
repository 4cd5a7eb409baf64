import BaseEncoding
import Crypto
import CryptoExtras
import Foundation
import Perennial
import SwiftASN1
import X509

/// Bytes in DER, and PEM around them: certificates, keys, signatures.
extension InspectionRun {
    /// - Returns: `nil` for bytes of no known kind.
    mutating func inspectBinary(_ bytes: [UInt8], _ layers: Layers) -> Inspection? {
        guard bytes.first == DERTag.sequence.rawValue else { return nil }
        if Self.isContainer(bytes) { return inspectReceipt(bytes, layers) }
        if Self.isPrivateKey(bytes) { return privateKey(bytes).wrapped(layers) }
        if Self.isSignature(bytes) { return signatureAlone(bytes).wrapped(layers) }
        if (try? P256.Signing.PublicKey(derRepresentation: bytes)) != nil {
            return publicKey("P-256").wrapped(layers)
        }
        if let key = try? _RSA.Signing.PublicKey(derRepresentation: bytes) {
            return publicKey("RSA-\(key.keySizeInBits)").wrapped(layers)
        }
        if ChainCertificate(bytes) != nil { return inspectCertificates([bytes]).wrapped(layers) }
        guard let length = Self.declaredLength(bytes), length > bytes.count else { return nil }
        var inspection = Inspection(bytes.dropFirst(4).first == DERTag.sequence.rawValue ? .certificate : .unknown)
        inspection.fail(.structure, .init(.truncated, "\(bytes.count)", "\(length)"), bytes: bytes.suffix(32))
        return inspection.wrapped(layers)
    }

    /// True if the bytes begin like CMS SignedData.
    private static func isContainer(_ bytes: [UInt8]) -> Bool {
        let identifier = ReceiptContainer.signedData
        return (2...6).contains { bytes.dropFirst($0).starts(with: identifier) }
    }

    /// True for PKCS #8, PKCS #1 and SEC 1: a version stands first, and more than a second number follows.
    private static func isPrivateKey(_ bytes: [UInt8]) -> Bool {
        var outer = DERReader(bytes)
        guard var fields = try? outer.enter(.sequence, "key"), let version = try? fields.integer("version"),
            (0...1).contains(version), let second = try? fields.next("key")
        else { return false }
        switch second.tag {
        case DERTag.sequence.rawValue, DERTag.octetString.rawValue: return true
        case DERTag.integer.rawValue: return second.content.count >= 64 && !fields.isAtEnd
        default: return false
        }
    }

    /// True for an ECDSA signature on P-256.
    private static func isSignature(_ bytes: [UInt8]) -> Bool {
        (64...72).contains(bytes.count) && (try? P256.Signing.ECDSASignature(derRepresentation: bytes)) != nil
    }

    /// A private key: nothing of it is told but the key of the store that it belongs to.
    private func privateKey(_ bytes: [UInt8]) -> Inspection {
        var inspection = Inspection(.privateKey)
        inspection.fail(.structure, .init(.privateKeyPasted))
        let publicKey = try? P256.Signing.PrivateKey(derRepresentation: bytes).publicKey.x963Representation
        if let publicKey {
            let id = context.keys?.first { $0.value.publicKey == Array(publicKey) }?.key
            if let id {
                inspection.pass(.key, .init(.keyMatches, id))
                inspection.references = [InspectionReference(.key, id)]
            } else {
                inspection.skip(.key, .init(context.keys == nil ? .storeNeeded : .keyMatchesNone))
            }
        }
        return inspection
    }

    private func publicKey(_ name: String) -> Inspection {
        var inspection = Inspection(.publicKey)
        inspection.pass(.structure, .init(.publicKeyPasted))
        inspection.fields = [Inspection.Field("key", name)]
        return inspection
    }

    private func signatureAlone(_ bytes: [UInt8]) -> Inspection {
        var inspection = Inspection(.offerSignature)
        inspection.pass(.structure, .init(.algorithmRight, "ECDSA, P-256, SHA-256"))
        inspection.skip(.signature, .init(.signatureAlone))
        return inspection
    }

    // MARK: - Certificates

    /// - Parameter isOrdered: True if the order counts, as in `x5c`.
    func inspectCertificates(_ encodings: [[UInt8]], isOrdered: Bool = false) -> Inspection {
        var inspection = Inspection(encodings.count == 1 ? .certificate : .certificateChain)
        inspection.pass(.structure, .init(.structureCertificate))
        let purposes = context.roots.map(\.purpose)
        let isReceipts = encodings.first.flatMap(ChainCertificate.init).map {
            _RSA.Signing.PublicKey($0.certificate.publicKey) != nil
        }
        let purpose: InspectionContext.Root.Purpose =
            purposes.contains(.both) ? .both : isReceipts == true ? .receipts : .signedData
        var chain = self.chain(of: encodings, isOrdered: isOrdered, purpose: purpose)
        // A certificate alone isn't data: no marker is missing in an authority's.
        if chain.leaf?.isAuthority == true { chain.checks.removeAll { $0.name == .markers } }
        checkDates(of: &chain, signed: Date(timeIntervalSince1970: Double(context.wallClock) / 1000))
        inspection.checks += chain.checks
        inspection.certificates = chain.certificates
        inspection.fields =
            chain.path.first.map { first in
                let described = first.described(from: chain.origin)
                return [
                    .init("subject", described.subject), .init("issuer", described.issuer),
                    .init("serialNumber", described.serialNumber), .init("notBefore", described.notBefore),
                    .init("notAfter", described.notAfter), .init("publicKey", described.key),
                    .init("SHA-256", described.fingerprint),
                ]
            } ?? []
        return inspection
    }

    // MARK: - PEM

    /// The most blocks of a PEM text.
    private static let maximumBlocks = 10

    mutating func inspectPEM(_ text: String, _ layers: Layers) -> Inspection {
        let blocks = Self.blocks(of: text)
        if blocks.contains(where: { $0.label.contains("PRIVATE KEY") }) {
            let key = blocks.first { $0.label.contains("PRIVATE KEY") }
            return privateKey(key?.bytes ?? []).wrapped(layers)
        }
        let certificates = blocks.filter { $0.label == "CERTIFICATE" }.map(\.bytes)
        if !certificates.isEmpty {
            guard certificates.allSatisfy({ ChainCertificate($0) != nil }) else {
                var inspection = Inspection(.certificate)
                let place = (certificates.firstIndex { ChainCertificate($0) == nil } ?? 0) + 1
                inspection.fail(.structure, .init(.certificateUnreadable, "\(place)", "PEM"))
                return inspection.wrapped(layers)
            }
            return inspectCertificates(certificates).wrapped(layers)
        }
        guard let block = blocks.first, !block.bytes.isEmpty, let found = inspectBinary(block.bytes, layers) else {
            var inspection = Inspection(.unknown)
            inspection.fail(.structure, .init(.malformed, "PEM"))
            return inspection.wrapped(layers)
        }
        return found
    }

    /// Returns the blocks of a PEM text, also of one whose line breaks were lost or whose end is missing.
    private static func blocks(of text: String) -> [(label: String, bytes: [UInt8])] {
        var blocks: [(String, [UInt8])] = []
        var rest = Substring(text)
        while blocks.count < maximumBlocks, let begin = rest.range(of: "-----BEGIN ") {
            rest = rest[begin.upperBound...]
            guard let endOfLabel = rest.range(of: "-----") else { break }
            let label = String(rest[..<endOfLabel.lowerBound].prefix(64))
            rest = rest[endOfLabel.upperBound...]
            let end = rest.range(of: "-----END")?.lowerBound ?? rest.endIndex
            let digits = rest[..<end].replacing("\\n", with: "").filter { !$0.isWhitespace }
            blocks.append((label, PastedText.lenient(String(digits))?.bytes ?? []))
            rest = rest[end...].dropFirst(8)
        }
        return blocks
    }
}
