import BaseEncoding
import Crypto
import FastJSON
import Foundation
import X509

/// Verifies that signed data was signed under a trusted root, and returns its payload.
///
/// It requires ES256, three certificates of which the first two chain to a pinned root and carry the App Store's
/// markers (the third is ignored, as in the official libraries), a leaf on P-256, and a chain that was valid when the
/// payload was signed. Verified headers are cached: a further JWS with the same header costs one ECDSA verification.
public struct JWSVerifier: Sendable {
    /// The longest text that is read, in bytes.
    public static let maximumSize = 1_048_576

    private let chains: ChainVerifier
    private let headers = HeaderCache()

    /// Makes a verifier.
    /// - Parameter trustedRoots: The roots to trust.
    public init(trustedRoots: [Certificate]) {
        chains = ChainVerifier(trustedRoots: trustedRoots)
    }

    /// Makes a verifier.
    /// - Parameter trustedRoots: The DER encodings of the roots to trust.
    /// - Throws: ``CertificateChainError`` if one of them is not a certificate.
    public init(trustedRoots: [[UInt8]]) throws(CertificateChainError) {
        chains = try ChainVerifier(trustedRoots: trustedRoots)
    }

    /// Verifies signed data.
    /// - Parameters:
    ///   - jws: The three segments.
    ///   - instant: The date of signing if the payload has neither `signedDate` nor `receiptCreationDate`.
    /// - Returns: The payload, which is JSON.
    /// - Throws: ``JWSError``.
    public func verify(_ jws: String, at instant: Date? = nil) throws(JWSError) -> [UInt8] {
        let signed = try verifySignature(jws)
        guard let date = try Self.signedDate(in: signed.payload) ?? instant else {
            throw JWSError(
                .malformedPayload, subject: "signedDate", reason: "missing, and so is receiptCreationDate")
        }
        try signed.check(at: date)
        return signed.payload
    }

    /// Verifies the signature of signed data, and the chain of its signer up to a trusted root.
    ///
    /// Validity has to be checked with ``SignedParts/check(at:)``, by a caller who reads the date of signing from the payload anyway.
    /// - Throws: ``JWSError``.
    package func verifySignature(_ jws: String) throws(JWSError) -> SignedParts {
        let parts = try CompactJWS(jws)
        let header = try self.header(parts.header)
        guard let key = header.chain.p256Key else {
            throw JWSError(.untrustedChain, subject: header.chain.subject, reason: "its key is not on the curve P-256")
        }
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: parts.signature),
            key.isValidSignature(signature, for: header.digest(withRest: parts.signedBytes[parts.header.endIndex...]))
        else { throw JWSError(.badSignature, subject: "signature", reason: "it does not fit the header and payload") }
        return SignedParts(
            header: header.text, payload: parts.payload, signature: parts.signature, chain: header.chain)
    }

    /// The parts of a JWS whose signature and chain were verified, the payload and the signature decoded from base64url.
    package struct SignedParts: Sendable {
        /// The header in base64url.
        package let header: String
        package let payload: [UInt8]
        package let signature: [UInt8]
        fileprivate let chain: VerifiedChain

        /// Checks that the certificates were valid at the date of signing.
        /// - Throws: ``JWSError`` `expiredCertificate`.
        package func check(at date: Date) throws(JWSError) {
            do throws(CertificateChainError) {
                try chain.check(at: date)
            } catch {
                throw JWSError(error)
            }
        }
    }

    /// Verifies signed data and decodes its payload.
    /// - Throws: ``JWSError``; `malformedPayload` if the payload is not of the type asked for.
    public func verify<Payload: Decodable>(
        _ jws: String, as type: Payload.Type, at instant: Date? = nil
    ) throws(JWSError) -> Payload {
        let payload = try verify(jws, at: instant)
        if let scanned = (type as? any FastPathDecodable.Type)?.init(fastPath: payload) as? Payload { return scanned }
        do {
            return try JSONDecoder().decode(type, from: Data(payload))
        } catch {
            throw JWSError(.malformedPayload, subject: "\(type)", reason: "\(error)")
        }
    }

    /// Returns the date of signing that a payload states.
    private static func signedDate(in payload: [UInt8]) throws(JWSError) -> Date? {
        // Of two of a name the first counts, as with a decoder.
        var signed: JSONScanner.Value?
        var created: JSONScanner.Value?
        do throws(JSONSyntaxError) {
            var scanner = JSONScanner(payload)
            try scanner.scanEveryMember { key, value in
                switch key {
                case "signedDate": signed = signed ?? value
                case "receiptCreationDate": created = created ?? value
                default: break
                }
            }
        } catch {
            throw JWSError(.malformedPayload, subject: "payload", reason: error.description)
        }
        return (signed?.number ?? created?.number).map { Date(timeIntervalSince1970: $0 / 1000) }
    }
}

// MARK: - The header

extension JWSVerifier {
    /// Returns a verified header.
    private func header(_ bytes: ArraySlice<UInt8>) throws(JWSError) -> VerifiedHeader {
        if let known = headers.header(bytes) { return known }
        let certificates = try Self.certificates(in: bytes)
        let chain: VerifiedChain
        do throws(CertificateChainError) {
            chain = try chains.verify(Array(certificates.prefix(2)), signer: nil)
        } catch {
            throw JWSError(error)
        }
        let header = VerifiedHeader(bytes, chain)
        headers.insert(header)
        return header
    }

    private static func certificates(in header: ArraySlice<UInt8>) throws(JWSError) -> [[UInt8]] {
        guard let json = Base64.decode(header, as: .url) else {
            throw JWSError(.malformed, subject: "header", reason: "not base64url")
        }
        var algorithm: String?
        var isCritical = false
        var texts: [String]?
        var names: Set<String> = []
        var isRepeated = false
        do throws(JSONSyntaxError) {
            var scanner = JSONScanner(json)
            try scanner.scanEveryMember { key, value in
                if !names.insert(key).inserted { isRepeated = true }
                switch (key, value) {
                case ("alg", .string(let name)): algorithm = name
                case ("x5c", .strings(let strings)): texts = strings
                case ("crit", _): isCritical = true
                default: break
                }
            }
        } catch {
            throw JWSError(.malformed, subject: "header", reason: error.description)
        }
        // RFC 7515, section 4: the names of a header are unique.
        guard !isRepeated else {
            throw JWSError(.malformed, subject: "header", reason: "a name comes twice")
        }
        guard algorithm == "ES256", !isCritical else {
            throw JWSError(.malformed, subject: "header", reason: "the algorithm must be ES256, without extensions")
        }
        guard let texts, texts.count == 3 else {
            throw JWSError(.malformed, subject: "x5c", reason: "three certificates are expected")
        }
        var certificates: [[UInt8]] = []
        for text in texts {
            guard let certificate = Base64.decode(text) else {
                throw JWSError(.malformed, subject: "x5c", reason: "not standard base64")
            }
            certificates.append(certificate)
        }
        return certificates
    }
}

/// The parts of a compact JWS, not verified yet.
private struct CompactJWS {
    let header: ArraySlice<UInt8>
    let signedBytes: ArraySlice<UInt8>
    let payload: [UInt8]
    let signature: [UInt8]

    init(_ text: String) throws(JWSError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= JWSVerifier.maximumSize else {
            throw JWSError(
                .tooLarge, subject: "JWS", reason: "\(bytes.count) bytes; at most \(JWSVerifier.maximumSize)")
        }
        let dot = UInt8(ascii: ".")
        guard let first = bytes.firstIndex(of: dot), let last = bytes.lastIndex(of: dot), first < last,
            let payload = Base64.decode(bytes[(first + 1)..<last], as: .url),
            let signature = Base64.decode(bytes[(last + 1)...], as: .url)
        else {
            throw JWSError(.malformed, subject: "JWS", reason: "not three segments of base64url")
        }
        header = bytes[..<first]
        signedBytes = bytes[..<last]
        self.payload = payload
        self.signature = signature
    }
}
