import Perennial

/// Decides the next request of a verification, its delay, and the end. Sends nothing itself.
package struct VerificationStateMachine: Sendable {
    package enum Step: Sendable, Hashable {
        case ask(StoreEnvironment.Kind)
        case wait(Duration, thenAsk: StoreEnvironment.Kind)
        case accept(AuthenticReceipt)
        case fail(DeliveryError.Code, status: Int?, reason: String)
    }

    private let target: VerificationTarget
    private let policy: VerificationRetryPolicy
    private var environment = StoreEnvironment.Kind.production
    private var hasChangedEnvironment = false
    private var failures = 0

    package init(target: VerificationTarget, policy: VerificationRetryPolicy) {
        self.target = target
        self.policy = policy
    }

    /// The request to production: Apple, "Validating receipts with the App Store", asks production first.
    package var firstStep: Step { .ask(environment) }

    /// Decides the step after a verdict.
    ///
    /// - Parameters:
    ///   - retryAfter: Seconds of the store's `Retry-After`.
    ///   - elapsed: Time since the first request began.
    ///   - fraction: Random number from 0 up to 1.
    package mutating func step(
        after verdict: ReceiptVerdict, retryAfter: Int? = nil, elapsed: Duration, fraction: Double
    ) -> Step {
        switch verdict {
        case .authentic(let receipt): return .accept(receipt)
        case .invalid(let status) where status == ReceiptVerdict.wrongSharedSecret:
            return .fail(.sharedSecretWrong, status: status, reason: "the store refused the app's shared secret")
        case .invalid(let status):
            return .fail(.receiptInvalid, status: status, reason: "the store refused the receipt with status \(status)")
        case .wrongEnvironment(let status): return changeEnvironment(status, elapsed)
        case .unavailable(let status, let isTemporary, let reason):
            failures += 1
            guard isTemporary else { return .fail(.storeUnavailable, status: status, reason: reason) }
            guard failures < policy.maximumAttempts else {
                return .fail(.storeUnavailable, status: status, reason: "\(reason), \(failures) times")
            }
            var delay = policy.delay(after: failures, fraction: fraction)
            if let retryAfter, retryAfter > 0 { delay = max(delay, .seconds(min(retryAfter, 3600))) }
            guard elapsed + delay <= policy.maximumTime else {
                return .fail(.storeUnavailable, status: status, reason: "\(reason), and time is up")
            }
            return .wait(delay, thenAsk: environment)
        }
    }

    /// Changes to the other environment: to sandbox after 21007, to production after 21008, which means that the two URLs are
    /// interchanged. Changes once only, since two servers that name each other would never end.
    private mutating func changeEnvironment(_ status: Int, _ elapsed: Duration) -> Step {
        guard target.url(of: environment.other) != nil else {
            return .fail(.sandboxReceiptRefused, status: status, reason: "sandbox receipts are not accepted here")
        }
        guard !hasChangedEnvironment else {
            return .fail(.storeUnavailable, status: status, reason: "each side of the store names the other")
        }
        guard elapsed <= policy.maximumTime else {
            return .fail(.storeUnavailable, status: status, reason: "time is up")
        }
        hasChangedEnvironment = true
        failures = 0
        environment = environment.other
        return .ask(environment)
    }
}
