import AppStoreFormats
import BaseEncoding
import Crypto
import FastJSON
import Foundation
import HTTPTypes
import Synchronization

/// Verifies signed data of a connection's store: signature, certificate chain to the trusted root, app and device.
///
/// Chains are verified once per certificate. Without roots in the connection, the store's root is fetched at the first contact and
/// pinned on the device.
package final class SignedDataVerification: Sendable {
    private struct State {
        var verifier: JWSVerifier?
        /// The store's root in DER, of a connection without roots.
        var pinnedRoot = PersistedValue<Data>("root-certificate")
    }

    private let bundleID: String
    private let deviceID: UUID
    private let isPinning: Bool
    private let baseURL: URL
    private let http: RequestRetrier
    private let vault: PurchaseVault
    private let state: Mutex<State>

    init(_ connection: StoreConnection) {
        bundleID = connection.bundleID
        deviceID = connection.deviceID
        baseURL = connection.baseURL
        http = connection.store.http
        vault = connection.vault
        isPinning = connection.rootCertificates.isEmpty
        let verifier = isPinning ? nil : try? Self.verifier(connection.rootCertificates)
        state = Mutex(State(verifier: verifier))
        if !isPinning, verifier == nil {
            Self.report("a trusted root isn't a certificate: all signed data is unverified")
        }
    }

    private static func verifier(_ roots: [Data]) throws -> JWSVerifier {
        try JWSVerifier(trustedRoots: roots.flatMap { try CertificateFile.certificates(in: [UInt8]($0)) })
    }

    /// Waits for the vault's key, and fetches and pins the store's root if the connection has none.
    ///
    /// - Throws: Errors of the network. A store without a root leaves all data unverified.
    func prepare() async throws {
        await vault.prepare()
        guard isPinning, verifier == nil else { return }
        let answer: HTTPAnswer
        do {
            answer = try await http.send(HTTPCall(.get, baseURL.endpoint("certificates/root.cer")))
        } catch let error as TransportError {
            throw StoreFailure(noAnswer: error)
        }
        guard answer.status == 200, let made = try? JWSVerifier(trustedRoots: [Array(answer.body)]) else {
            return Self.report("the store at \(baseURL) has no root certificate: its signed data is unverified")
        }
        state.withLock { state in
            guard state.verifier == nil else { return }
            state.verifier = made
            try? state.pinnedRoot.save(answer.body)
        }
    }

    /// The verifier; `nil` before the first contact with the store of a connection without roots.
    private var verifier: JWSVerifier? {
        state.withLock { state in
            guard isPinning, state.verifier == nil, !state.pinnedRoot.isLoaded else { return state.verifier }
            if case .intact(let root) = state.pinnedRoot.load(from: vault) {
                state.verifier = try? JWSVerifier(trustedRoots: [Array(root)])
            }
            return state.verifier
        }
    }

    /// Returns the reason why signed data fails verification; `nil` if it is valid.
    ///
    /// - Parameter isOfAnyDevice: True to accept data for another device, as in a backup of one.
    package func failure(of jws: String, isOfAnyDevice: Bool = false) -> VerificationFailure? {
        guard let verifier else { return .invalidCertificateChain }
        let payload: [UInt8]
        do {
            payload = try verifier.verify(jws)
        } catch {
            return VerificationFailure(error)
        }
        guard let binding = Binding(payload) else { return .missingRequiredProperties }
        return failure(of: binding, isOfAnyDevice: isOfAnyDevice)
    }

    /// Verifies and decodes a signed transaction, from one reading of its text: ``failure(of:isOfAnyDevice:)`` with the payload.
    ///
    /// - Returns: The transaction, `nil` if the payload is none; and the reason why it fails verification.
    func read(_ jws: String) -> (transaction: DecodedTransaction?, failure: VerificationFailure?) {
        guard let parts = try? verifier?.verifySignature(jws),
            let payload = try? TransactionPayload.decode(parts.payload)
        else { return (DecodedTransaction(jws), failure(of: jws)) }
        let signed = SignedText(
            header: parts.header, payload: Data(parts.payload), signature: Data(parts.signature))
        let transaction = DecodedTransaction(signed: signed, payload: payload)
        do throws(JWSError) {
            try parts.check(at: payload.signedDate)
        } catch {
            return (transaction, VerificationFailure(error))
        }
        return (transaction, failure(of: Binding(payload), isOfAnyDevice: false))
    }

    private func failure(of binding: Binding, isOfAnyDevice: Bool) -> VerificationFailure? {
        guard binding.bundleId == nil || binding.bundleId == bundleID else { return .invalidDeviceVerification }
        return isOfAnyDevice || isForThisDevice(binding) ? nil : .invalidDeviceVerification
    }

    // MARK: App and device

    private struct Binding {
        var bundleId: String?
        var deviceVerification: String?
        var deviceVerificationNonce: UUID?

        /// Reads a payload. Returns `nil` if it isn't an object, or a value is none of its property.
        init?(_ payload: [UInt8]) {
            // Of two of a name the first counts, as with a decoder.
            var bundle: JSONScanner.Value?
            var verification: JSONScanner.Value?
            var nonce: JSONScanner.Value?
            var scanner = JSONScanner(payload)
            do {
                try scanner.scanEveryMember { key, value in
                    switch key {
                    case "bundleId": bundle = bundle ?? value
                    case "deviceVerification": verification = verification ?? value
                    case "deviceVerificationNonce": nonce = nonce ?? value
                    default: break
                    }
                }
                bundleId = try Self.text(bundle)
                deviceVerification = try Self.text(verification)
                deviceVerificationNonce = try Self.text(nonce).map { text in
                    guard let uuid = UUID(uuidString: text) else { throw VerificationFailure.missingRequiredProperties }
                    return uuid
                }
            } catch {
                return nil
            }
        }

        init(_ payload: TransactionPayload) {
            bundleId = payload.bundleId
            deviceVerification = payload.deviceVerification
            deviceVerificationNonce = payload.deviceVerificationNonce
        }

        private static func text(_ value: JSONScanner.Value?) throws -> String? {
            switch value {
            case nil, .null: nil
            case .string(let text): text
            default: throw VerificationFailure.missingRequiredProperties
            }
        }
    }

    /// Data for no device in particular belongs to all of them, such as that of the App Store Server API.
    private func isForThisDevice(_ binding: Binding) -> Bool {
        guard let verification = binding.deviceVerification else { return true }
        guard let nonce = binding.deviceVerificationNonce else { return false }
        let text = nonce.uuidString.lowercased() + deviceID.uuidString.lowercased()
        return verification == Base64.encode(Array(SHA384.hash(data: Data(text.utf8))))
    }

    private static func report(_ text: String) {
        FileHandle.standardError.write(Data("StoreKit: \(text)\n".utf8))
    }
}

extension StoreConnection {
    /// Verifies signed data of the store.
    package var verification: SignedDataVerification {
        part { SignedDataVerification($0) }
    }

    /// Verifies a value's JWS with the roots that this device has.
    func verified<Payload>(_ signed: Payload, jws: String) -> VerificationResult<Payload> {
        if let error = simulatedErrors.error(for: .verification) {
            return VerificationResult(signed, VerificationFailure(simulated: error))
        }
        return VerificationResult(signed, verification.failure(of: jws))
    }
}
