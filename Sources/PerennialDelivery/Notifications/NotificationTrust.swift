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

    private struct State {
        var asked: Asked?
        /// The question under way: all who need the answer wait for this one.
        var asking: Task<JWSVerifier, any Error>?
        /// How often in a row there was no answer, and when there was none the last time.
        var failures = 0
        var failed: Instant?
    }

    /// How long, in milliseconds, a store that was asked for its root isn't asked again: whoever sends what nobody signed
    /// can't make us ask each time.
    private static let patience: Int64 = .minutes(1)
    /// How long, in milliseconds, a store that didn't answer isn't asked again; doubled each time, up to ``patience``.
    private static let firstPause: Int64 = .seconds(1)

    private let pinned: JWSVerifier?
    private let ask: @Sendable () async throws -> [UInt8]
    private let state = Mutex(State())

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
        enum Step {
            case known(JWSVerifier)
            case wait(Task<JWSVerifier, any Error>)
            case refuse
        }
        let step: Step = state.withLock { state in
            if let known = state.asked, !isDoubted || Self.isWithin(Self.patience, known.since, now) {
                return .known(known.verifier)
            }
            if let asking = state.asking { return .wait(asking) }
            if let failed = state.failed, Self.isWithin(Self.pause(afterFailures: state.failures), failed, now) {
                return .refuse
            }
            let task = Task { [self] in try await asked(at: now) }
            state.asking = task
            return .wait(task)
        }
        switch step {
        case .known(let verifier): return verifier
        case .wait(let task): return try await task.value
        case .refuse: throw Self.unavailable("it didn't answer just now")
        }
    }

    /// Asks the store, and notes what came of it.
    private func asked(at now: Instant) async throws -> JWSVerifier {
        do {
            let verifier = try JWSVerifier(trustedRoots: [try await ask()])
            state.withLock { $0 = State(asked: Asked(verifier: verifier, since: now)) }
            return verifier
        } catch {
            state.withLock { state in
                state.asking = nil
                state.failures += 1
                state.failed = now
            }
            throw Self.unavailable("\(error)")
        }
    }

    /// Whether so many milliseconds haven't passed since an instant; a clock that was set back makes nobody wait.
    private static func isWithin(_ milliseconds: Int64, _ since: Instant, _ now: Instant) -> Bool {
        now >= since && now - since < milliseconds
    }

    private static func pause(afterFailures count: Int) -> Int64 {
        min(firstPause << Int64(min(max(count - 1, 0), 16)), patience)
    }

    private static func unavailable(_ reason: String) -> DeliveryError {
        DeliveryError(.storeUnavailable, "root certificate", "the store's root certificate can't be had now: \(reason)")
    }
}
