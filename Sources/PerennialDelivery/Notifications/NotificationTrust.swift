import AppStoreFormats
import Perennial
import Synchronization

/// Verifies server notifications against root certificates: pinned ones, or the root of the store that verifies receipts.
package final class NotificationTrust: Sendable {
    private struct FetchedRoot {
        let verifier: JWSVerifier
        let since: Instant
    }

    private struct State {
        var fetched: FetchedRoot?
        /// Pending request, which all callers share.
        var fetching: Task<JWSVerifier, any Error>?
        /// Number of consecutive failures, and the time of the last one.
        var failures = 0
        var failed: Instant?
    }

    /// Minimum interval between two fetches in milliseconds, so that forged notifications can't cause a fetch each.
    private static let refetchInterval: Int64 = .minutes(1)
    /// Interval after the first failure in milliseconds; doubled after each, up to ``refetchInterval``.
    private static let firstRetryInterval: Int64 = .seconds(1)

    private let pinned: JWSVerifier?
    private let fetchRoot: @Sendable () async throws -> [UInt8]
    private let state = Mutex(State())

    /// Trusts pinned roots.
    ///
    /// - Parameter roots: Certificates in DER.
    /// - Throws: `CertificateChainError` for an invalid certificate.
    package init(roots: [[UInt8]]) throws {
        pinned = try JWSVerifier(trustedRoots: roots)
        fetchRoot = { [] }
    }

    /// Trusts the root of the store that verifies receipts.
    ///
    /// - Parameter fetchRoot: Fetches the root in DER. It is as trustworthy as the store's answers about receipts.
    package init(fetchingRoot fetchRoot: @escaping @Sendable () async throws -> [UInt8]) {
        pinned = nil
        self.fetchRoot = fetchRoot
    }

    /// Verifies signed data.
    ///
    /// - Throws: `JWSError`; ``DeliveryError`` with `storeUnavailable` if the root can't be fetched.
    func verify<Payload: Decodable>(_ jws: String, as type: Payload.Type, at now: Instant) async throws -> Payload {
        if let pinned { return try pinned.verify(jws, as: type) }
        do {
            return try await verifier(at: now, isDoubted: false).verify(jws, as: type)
        } catch let error as JWSError where error.code == .untrustedChain {
            // A store that was set up again has another root.
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
            if let known = state.fetched, !isDoubted || Self.isWithin(Self.refetchInterval, known.since, now) {
                return .known(known.verifier)
            }
            if let fetching = state.fetching { return .wait(fetching) }
            if let failed = state.failed, Self.isWithin(Self.retryInterval(afterFailures: state.failures), failed, now)
            {
                return .refuse
            }
            let task = Task { [self] in try await fetch(at: now) }
            state.fetching = task
            return .wait(task)
        }
        switch step {
        case .known(let verifier): return verifier
        case .wait(let task): return try await task.value
        case .refuse: throw Self.unavailable("it didn't answer just now")
        }
    }

    /// Fetches the root and records the outcome.
    private func fetch(at now: Instant) async throws -> JWSVerifier {
        do {
            let verifier = try JWSVerifier(trustedRoots: [try await fetchRoot()])
            state.withLock { $0 = State(fetched: FetchedRoot(verifier: verifier, since: now)) }
            return verifier
        } catch {
            state.withLock { state in
                state.fetching = nil
                state.failures += 1
                state.failed = now
            }
            throw Self.unavailable("\(error)")
        }
    }

    /// True within an interval after an instant. A clock that was set back ends the interval.
    private static func isWithin(_ milliseconds: Int64, _ since: Instant, _ now: Instant) -> Bool {
        now >= since && now - since < milliseconds
    }

    private static func retryInterval(afterFailures count: Int) -> Int64 {
        min(firstRetryInterval << Int64(min(max(count - 1, 0), 16)), refetchInterval)
    }

    private static func unavailable(_ reason: String) -> DeliveryError {
        DeliveryError(.storeUnavailable, "root certificate", "the store's root certificate can't be had now: \(reason)")
    }
}
