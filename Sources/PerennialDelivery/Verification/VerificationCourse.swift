/// The course of one verification: whom to ask next, after which wait, and when to stop. It does nothing itself.
package struct VerificationCourse: Sendable {
    package enum Step: Sendable, Hashable {
        case ask(VerificationTarget.Side)
        case wait(Duration, thenAsk: VerificationTarget.Side)
        case accept(VerifiedReceipt)
        case fail(DeliveryError.Code, status: Int?, reason: String)
    }

    private let target: VerificationTarget
    private let policy: RetryPolicy
    private var side = VerificationTarget.Side.production
    private var hasChangedSides = false
    private var failures = 0

    package init(target: VerificationTarget, policy: RetryPolicy) {
        self.target = target
        self.policy = policy
    }

    /// Production is asked first (the routing rule of Apple's documentation).
    package var firstStep: Step { .ask(side) }

    /// - Parameters:
    ///   - retryAfter: Seconds that the store asked to be left alone.
    ///   - elapsed: Time since the first request began.
    ///   - fraction: Randomness from 0 up to 1.
    package mutating func step(
        after verdict: ReceiptVerdict, retryAfter: Int? = nil, elapsed: Duration, fraction: Double
    ) -> Step {
        switch verdict {
        case .authentic(let receipt): return .accept(receipt)
        case .invalid(let status) where status == ReceiptVerdict.wrongSharedSecret:
            return .fail(.sharedSecretWrong, status: status, reason: "the store refused the app's shared secret")
        case .invalid(let status):
            return .fail(.receiptInvalid, status: status, reason: "the store refused the receipt with status \(status)")
        case .otherSide(let status): return changeSides(status, elapsed)
        case .unavailable(let status, let mayPass, let reason):
            failures += 1
            guard mayPass else { return .fail(.storeUnavailable, status: status, reason: reason) }
            guard failures < policy.maximumAttempts else {
                return .fail(.storeUnavailable, status: status, reason: "\(reason), \(failures) times")
            }
            var delay = policy.delay(after: failures, fraction: fraction)
            if let retryAfter, retryAfter > 0 { delay = max(delay, .seconds(min(retryAfter, 3600))) }
            guard elapsed + delay <= policy.maximumTime else {
                return .fail(.storeUnavailable, status: status, reason: "\(reason), and time is up")
            }
            return .wait(delay, thenAsk: side)
        }
    }

    /// 21007 from production leads to sandbox. 21008 tells that sandbox was asked first or the two URLs are mixed up:
    /// the other one may still know. Each side sends us away once, or the two would do so for ever.
    private mutating func changeSides(_ status: Int, _ elapsed: Duration) -> Step {
        guard target.url(of: side.other) != nil else {
            return .fail(.sandboxReceiptRefused, status: status, reason: "sandbox receipts are not accepted here")
        }
        guard !hasChangedSides else {
            return .fail(.storeUnavailable, status: status, reason: "each side of the store names the other")
        }
        guard elapsed <= policy.maximumTime else {
            return .fail(.storeUnavailable, status: status, reason: "time is up")
        }
        hasChangedSides = true
        failures = 0
        side = side.other
        return .ask(side)
    }
}
