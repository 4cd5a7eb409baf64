extension Subscription {
    /// Decides what an event makes of the subscription. Pure: the same arguments give the same decision.
    ///
    /// - Parameters:
    ///   - now: An instant of the store's clock: for what was due (charges, ends), the instant at which it was due.
    /// - id: Numbers for what is made; each call takes a new one. A transaction takes two: its own, then its order
    /// line's.
    /// - Throws: ``SubscriptionError``, ``RefundError``, and whatever `id` throws; then nothing happened.
    package func decide(
        _ event: SubscriptionEvent, at now: Instant, in context: SubscriptionContext, id: () throws -> Int64
    ) throws -> SubscriptionDecision {
        var decision = SubscriptionDecision(self)
        switch event {
        case .charged(let period): try decision.charged(period, now, context, id)
        case .chargeDeclined(let period): try decision.chargeDeclined(period, now, context)
        case .purchase(let plan, let offers): try decision.purchase(plan, offers, now, context, id)
        case .change(let plan, let offers): try decision.change(plan, offers, now, context, id)
        case .setAutoRenew(let isOn): try decision.setAutoRenew(isOn, now)
        case .productUnavailable: try decision.productUnavailable(now)
        case .periodEnded: try decision.periodEnded(now, context)
        case .graceEnded: try decision.graceEnded(now)
        case .retryEnded: try decision.retryEnded(now)
        case .paymentMethodUpdated: try decision.paymentMethodUpdated(now)
        case .priceChanged(let price, let needsConsent): try decision.priceChanged(price, needsConsent, now)
        case .priceAnswered(let accepted): try decision.priceAnswered(accepted, now)
        case .refundRequested(let id): try decision.refundRequested(id, now)
        case .refundDeclined(let id): decision.refundDeclined(id, now)
        case .refunded(let transaction, let refund): try decision.refunded(transaction, refund, now, context)
        case .refundReversed(let transaction, let refund, let plan):
            try decision.refundReversed(transaction, refund, of: plan, now, context)
        case .accessRevoked: try decision.accessRevoked(now)
        case .extended(let request): try decision.extended(request, now, context)
        case .expireNow: try decision.expireNow(now)
        }
        return decision
    }
}
