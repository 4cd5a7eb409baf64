import AppStoreFormats
import Perennial
import Synchronization

/// Whose signatures under server notifications are believed: those that lead to the roots of the store that is asked about
/// receipts.
package final class NotificationTrust: Sendable {
    private struct Asked {
        let verifier: JWSVerifier
        let since: Instant
    }

    /// How long, in milliseconds, a store that was asked for its root isn't asked again: whoever sends what nobody signed
    /// can't make us ask each time.
    private static let patience: Int64 = .minutes(1)

    private let pinned: JWSVerifier?
    private let ask: @Sendable () async throws -> [UInt8]
    private let asked = Mutex<Asked?>(nil)

    /// - Parameter roots: DER.
    /// - Throws: `CertificateChainError` where one of them is no certificate.
    package init(roots: [[UInt8]]) throws {
        pinned = try JWSVerifier(trustedRoots: roots)
        ask = { [] }
    }

    /// - Parameter ask: Gets the store's root in DER. Who could lie about it could lie about receipts as well.
    package init(asking ask: @escaping @Sendable () async throws -> [UInt8]) {
        pinned = nil
        self.ask = ask
    }

    /// Verifies signed data.
    ///
    /// - Throws: `JWSError`; ``DeliveryError`` with `storeUnavailable` where the root can't be had.
    func verify<Payload: Decodable>(_ jws: String, as type: Payload.Type, at now: Instant) async throws -> Payload {
        if let pinned { return try pinned.verify(jws, as: type) }
        do {
            return try await verifier(at: now, isDoubted: false).verify(jws, as: type)
        } catch let error as JWSError where error.code == .untrustedChain {
            // A store that began anew since has another root.
            return try await verifier(at: now, isDoubted: true).verify(jws, as: type)
        }
    }

    private func verifier(at now: Instant, isDoubted: Bool) async throws -> JWSVerifier {
        if let known = asked.withLock({ $0 }), !isDoubted || now - known.since < Self.patience { return known.verifier }
        let verifier: JWSVerifier
        do {
            verifier = try JWSVerifier(trustedRoots: [try await ask()])
        } catch let error as CancellationError {
            throw error
        } catch {
            throw DeliveryError(
                .storeUnavailable, "root certificate", "the store's root certificate can't be had now: \(error)")
        }
        asked.withLock { $0 = Asked(verifier: verifier, since: now) }
        return verifier
    }
}
