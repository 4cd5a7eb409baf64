import BaseEncoding
import Crypto
import Foundation

@testable import AppStoreFormats

/// Data as people paste it, whole and with each defect.
struct InspectionSamples {
    let identities: SigningIdentities
    /// A key of the seller's server.
    let key = P256.Signing.PrivateKey()
    static let keyID = "2X9R4HXF34"
    static let issuer = "57246542-96fe-1a63-e053-0824d011072a"
    static let bundleID = "com.example.magazine"
    /// A day after everything was signed.
    static let now = Int64(1_792_086_400_000)

    init() throws { identities = try TestIdentities.shared }

    var context: InspectionContext {
        var context = InspectionContext(now: Self.now)
        context.roots = [
            .init(.signedData, identities.rootCertificate), .init(.receipts, identities.receiptRootCertificate),
        ]
        context.revocations = [:]
        context.environment = "Sandbox"
        context.apps = [Self.bundleID]
        context.bundleID = Self.bundleID
        context.device = Array(repeating: 7, count: 16)
        context.keys = [
            Self.keyID: .init(
                .serverAPI, issuerID: Self.issuer, publicKey: Array(key.publicKey.x963Representation), revoked: nil,
                bundleID: Self.bundleID)
        ]
        return context
    }

    // MARK: - Receipts

    func receipt(_ change: (inout AppReceipt) -> Void = { _ in }, by other: SigningIdentities? = nil) throws -> [UInt8]
    {
        var receipt = SampleReceipts.small
        receipt.purchases = [SampleReceipts.consumable]
        change(&receipt)
        return try ReceiptSigner(identities: other ?? identities).sign(receipt)
    }

    func transactionReceipt(_ environment: AppStoreEnvironment = .sandbox) throws -> String {
        try TransactionReceiptSigner(identities: identities).sign(TransactionReceiptTests.receipt(environment))
            .base64
    }

    // MARK: - Signed data

    func transaction(
        _ change: (inout TransactionPayload) -> Void = { _ in }, by other: SigningIdentities? = nil
    ) throws -> String {
        var payload = SamplePayloads.transaction
        change(&payload)
        return try JWSSigner(identities: other ?? identities).sign(payload: payload.encoded())
    }

    func notification(transaction: String) throws -> String {
        let payload = """
            {"notificationType":"DID_RENEW","notificationUUID":"7e3fb20b-4cdb-47cc-936d-99d65f608138","version":"2.0",\
            "signedDate":1792000000000,"data":{"bundleId":"\(Self.bundleID)","environment":"Sandbox",\
            "signedTransactionInfo":"\(transaction)"}}
            """
        return try JWSSigner(identities: identities).sign(payload: Array(payload.utf8))
    }

    /// Signs with a header of its own making.
    func jws(
        certificates: [[UInt8]], algorithm: String = "ES256", payload: [UInt8] = SamplePayloads.transaction.encoded(),
        key: P256.Signing.PrivateKey? = nil
    ) throws -> String {
        let chain = certificates.map { "\"\(Base64.encode($0))\"" }.joined(separator: ",")
        let header = #"{"alg":"\#(algorithm)","x5c":[\#(chain)]}"#
        return try Self.signed(header, payload, with: key ?? identities.transactionLeaf.key)
    }

    // MARK: - Tokens

    func token(
        _ claims: [String: String] = [:], kid: String = Self.keyID, key: P256.Signing.PrivateKey? = nil,
        header: String? = nil
    ) throws -> String {
        let seconds = Self.now / 1000
        var members = [
            "iss": "\"\(Self.issuer)\"", "iat": "\(seconds - 10)", "exp": "\(seconds + 600)",
            "aud": "\"appstoreconnect-v1\"", "bid": "\"\(Self.bundleID)\"",
        ]
        members.merge(claims) { $1 }
        let payload = members.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
            .map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        return try Self.signed(
            header ?? #"{"alg":"ES256","kid":"\#(kid)","typ":"JWT"}"#, Array("{\(payload)}".utf8),
            with: key ?? self.key)
    }

    static func signed(_ header: String, _ payload: [UInt8], with key: P256.Signing.PrivateKey) throws -> String {
        let text = Base64.encode(Array(header.utf8), as: .url) + "." + Base64.encode(payload, as: .url)
        let signature = try key.signature(for: Data(text.utf8)).rawRepresentation
        return text + "." + Base64.encode(Array(signature), as: .url)
    }

    static func inspect(_ text: String, _ context: InspectionContext) -> Inspection {
        Inspector(context).inspect(Array(text.utf8))
    }
}

extension [UInt8] {
    var base64: String { Base64.encode(self) }

    /// The same with a bit changed.
    func changed(at index: Int) -> [UInt8] {
        var bytes = self
        bytes[index] ^= 1
        return bytes
    }
}

extension Inspection {
    /// The names of the checks that failed, those of parts too.
    var failures: [Check.Name] {
        checks.filter { $0.outcome == .failed }.map(\.name) + parts.flatMap(\.inspection.failures)
    }

    var codes: [InspectionFinding.Code] {
        checks.filter { $0.outcome == .failed }.map(\.finding.code) + parts.flatMap(\.inspection.codes)
    }
}
