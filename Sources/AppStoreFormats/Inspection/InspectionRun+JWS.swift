import Crypto
import Foundation
import X509

/// The segments of a compact JWS, decoded as far as they can be.
struct InspectedJWS {
    let text: String
    let parts: [Substring]
    let header: StoreKitJSON.Object?
    /// `nil` if it is no JSON object.
    let payload: StoreKitJSON.Object?
    let payloadBytes: [UInt8]
    let signature: [UInt8]

    init(_ text: String) {
        self.text = text
        parts = text.split(separator: ".", maxSplits: 8, omittingEmptySubsequences: false)
        let bytes = parts.prefix(3).map { PastedText.lenient(String($0))?.bytes ?? [] } + [[], [], []]
        header = Self.object(bytes[0])
        payloadBytes = bytes[1]
        payload = Self.object(payloadBytes)
        signature = bytes[2]
    }

    var signedBytes: [UInt8] { Array(parts.prefix(2).joined(separator: ".").utf8) }

    /// The wrong use of base64url.
    var problem: InspectionFinding? {
        if text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) {
            return .init(.standardAlphabet)
        }
        return text.utf8.contains(UInt8(ascii: "=")) ? .init(.paddingInJWS) : nil
    }

    static func object(_ bytes: [UInt8]) -> StoreKitJSON.Object? {
        guard case .object(let object) = try? StoreKitJSONParser.value(of: bytes) else { return nil }
        return object
    }
}

extension InspectionRun {
    /// Inspects signed data, or a token.
    mutating func inspectCompact(_ text: String, _ layers: Layers) -> Inspection {
        let jws = InspectedJWS(text)
        guard let header = jws.header, header["x5c"] != nil || header["kid"] == nil else {
            return inspectToken(jws, layers)
        }
        var inspection = Inspection(Self.kind(of: jws.payload))
        start(&inspection, jws, layers)
        guard jws.parts.count == 3, !context.onlyDecodes else { return finish(inspection, jws, layers) }
        checkAlgorithm(header, &inspection)
        let date = jws.payload.flatMap(Self.signedDate)
        if let chain = checkedChain(header, date, &inspection) {
            checkSignature(of: jws, chain, &inspection)
        }
        checkContents(of: jws, &inspection)
        checkSigned(date, &inspection)
        if let payload = jws.payload { checkOrigin(payload, &inspection) }
        checkAgain(jws, &inspection)
        return finish(inspection, jws, layers)
    }

    /// Checks encoding and structure.
    func start(_ inspection: inout Inspection, _ jws: InspectedJWS, _ layers: Layers) {
        if let problem = layers.problem ?? jws.problem {
            inspection.fail(.encoding, problem)
        } else {
            inspection.pass(.encoding, .init(.encodingRight, "base64url"))
        }
        if jws.parts.count != 3 {
            inspection.fail(.structure, .init(.partsCount, "\(jws.parts.count)"))
        } else if jws.signature.count < JWSSigner.signatureLength {
            inspection.fail(.structure, .init(.truncatedSignature, "\(jws.signature.count)"), bytes: jws.signature)
        } else if jws.signature.count > JWSSigner.signatureLength {
            let isDER = jws.signature.first == DERTag.sequence.rawValue
            let finding: InspectionFinding =
                isDER ? .init(.signatureForm) : .init(.malformed, "\(jws.signature.count) bytes of signature")
            inspection.fail(.structure, finding, bytes: jws.signature)
        } else {
            inspection.pass(.structure, .init(.structureJWS))
        }
    }

    /// Adds the decoded contents, and what is inside of them.
    mutating func finish(_ inspection: Inspection, _ jws: InspectedJWS, _ layers: Layers) -> Inspection {
        var inspection = inspection
        if let payload = jws.payload {
            inspection.fields = fields(of: payload)
            inspection.json = payload.description
            inspection.references = Self.references(in: .object(payload))
            addParts(of: .object(payload), named: "", to: &inspection)
        }
        return inspection.wrapped(layers)
    }

    func checkAlgorithm(_ header: StoreKitJSON.Object, _ inspection: inout Inspection) {
        let algorithm = header[string: "alg"] ?? ""
        if header["crit"] != nil {
            inspection.fail(.algorithm, .init(.criticalHeader))
        } else if algorithm != "ES256" {
            inspection.fail(.algorithm, .init(.algorithmWrong, algorithm.isEmpty ? "–" : algorithm, "ES256"))
        } else {
            inspection.pass(.algorithm, .init(.algorithmRight, algorithm))
        }
    }

    private mutating func checkedChain(
        _ header: StoreKitJSON.Object, _ date: Date?, _ inspection: inout Inspection
    ) -> InspectedChain? {
        let texts = header[strings: "x5c"]
        guard !texts.isEmpty else {
            inspection.fail(.structure, .init(.headerLacks, "x5c"))
            return nil
        }
        var chain = self.chain(ofTexts: texts)
        checkDates(of: &chain, signed: date)
        inspection.checks += chain.checks
        inspection.certificates = chain.certificates
        return chain
    }

    private func checkSignature(of jws: InspectedJWS, _ chain: InspectedChain, _ inspection: inout Inspection) {
        guard let leaf = chain.leaf, let key = P256.Signing.PublicKey(leaf.certificate.publicKey) else {
            return inspection.skip(.signature, .init(.signatureUnchecked))
        }
        let signature = try? P256.Signing.ECDSASignature(rawRepresentation: jws.signature)
        if let signature, key.isValidSignature(signature, for: jws.signedBytes) {
            inspection.pass(.signature, .init(.signatureFits))
        } else {
            inspection.fail(.signature, .init(.signatureDoesNotFit), bytes: jws.signature)
        }
    }

    private func checkContents(of jws: InspectedJWS, _ inspection: inout Inspection) {
        guard let payload = jws.payload else {
            return inspection.fail(
                .contents, .init(.contentsUnread, "the payload is no JSON object"), bytes: jws.payloadBytes.prefix(64))
        }
        let missing = Self.requiredMembers(of: inspection.kind).filter { payload[$0] == nil }
        if missing.isEmpty {
            inspection.pass(.contents, .init(.contentsRead))
        } else {
            inspection.fail(.contents, .init(.membersMissing, missing.joined(separator: ", ")))
        }
    }

    /// Asks the verifier that the store uses, which is stricter in the forms of certificates.
    private func checkAgain(_ jws: InspectedJWS, _ inspection: inout Inspection) {
        guard inspection.succeeded, let verifier else { return }
        do throws(JWSError) {
            _ = try verifier.verify(jws.text)
        } catch {
            inspection.fail(.structure, .init(.verifierRefuses, Self.brief(error)))
        }
    }

    // MARK: - Kinds

    private static func kind(of payload: StoreKitJSON.Object?) -> Inspection.Kind {
        guard let payload else { return .signedData }
        if payload["notificationType"] != nil { return .signedNotification }
        if payload["autoRenewStatus"] != nil || payload["autoRenewProductId"] != nil { return .signedRenewalInfo }
        if payload["transactionId"] != nil { return .signedTransaction }
        if payload["receiptType"] != nil { return .signedAppTransaction }
        if payload["requestIdentifier"] != nil { return .signedRealtimeRequest }
        return .signedData
    }

    private static func requiredMembers(of kind: Inspection.Kind) -> [String] {
        switch kind {
        case .signedTransaction:
            ["transactionId", "originalTransactionId", "bundleId", "productId", "purchaseDate", "environment", "type"]
        case .signedRenewalInfo: ["originalTransactionId", "productId", "autoRenewStatus", "environment"]
        case .signedNotification: ["notificationType", "notificationUUID", "version"]
        case .signedAppTransaction: ["bundleId", "applicationVersion", "originalPurchaseDate"]
        default: []
        }
    }

    /// Returns the date of signing that a payload states.
    private static func signedDate(_ payload: StoreKitJSON.Object) -> Date? {
        (payload[double: "signedDate"] ?? payload[double: "receiptCreationDate"])
            .map { Date(timeIntervalSince1970: $0 / 1000) }
    }
}
