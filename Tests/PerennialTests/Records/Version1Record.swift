@testable import Perennial

/// Encodes subscriptions in version 1 of their record, as older databases have them.
struct Version1Document {
    private var writer = RecordEncoder()

    /// - Parameter tellsSource: False for the first member subscriptions, which had no source.
    static func text(of subscription: Subscription, tellsSource: Bool = true) -> String {
        var document = Version1Document()
        document.write(subscription, tellsSource)
        return document.writer.text
    }

    private mutating func write(_ subscription: Subscription, _ tellsSource: Bool) {
        writer.write(1)
        writer.write(subscription.id)
        writer.write(subscription.accountID)
        writer.write(subscription.groupID)
        writer.write(subscription.ownership.rawValue)
        write(subscription.originalPurchaseDate)
        writer.write(subscription.storefront)
        writer.write(subscription.applicationUsername)
        write(subscription.current)
        writeOptional(subscription.previous) { $0.write($1) }
        write(subscription.anchor.origin)
        writer.write(subscription.anchor.months)
        write(subscription.state)
        write(subscription.renewal.isOn)
        writer.write(subscription.renewal.productID)
        writer.write(subscription.renewal.price)
        writeOptional(subscription.renewal.offer) { $0.write($1) }
        writer.write(subscription.renewal.priceIncrease)
        writer.write(subscription.offersUsed.count)
        for use in subscription.offersUsed {
            writer.write(use.kind)
            writer.write(use.id)
            write(use.lastUsed)
        }
        writer.write(subscription.renewals)
        writer.write(subscription.paidDays)
        writer.write(subscription.extensions.count)
        for granted in subscription.extensions {
            write(granted.at)
            writer.write(granted.requestID)
            write(granted.until)
        }
        writeOptional(subscription.lastPriceIncrease) { $0.write($1) }
        write(subscription.recentSubscriptionStartDate)
        guard subscription.ownership == .familyShared, tellsSource else { return }
        writeOptional(subscription.source) { document, source in
            document.writer.write(source.current)
            document.writer.write(source.previous)
            document.writeOptional(source.ends) { $0.write($1) }
        }
    }

    private mutating func writeOptional<Value>(_ value: Value?, _ write: (inout Version1Document, Value) -> Void) {
        writer.write(mark: UInt8(ascii: value == nil ? "~" : "+"))
        if let value { write(&self, value) }
    }

    private mutating func write(_ instant: Instant) { writer.write(instant.milliseconds) }
    private mutating func write(_ truth: Bool) { writer.write(truth ? 1 : 0) }

    private mutating func write(_ period: Period) {
        writer.write(period.count)
        writer.write(period.unit.rawValue)
    }

    private mutating func write(_ period: BillingPeriod) {
        writer.write(period.number)
        writer.write(period.transactionID)
        writer.write(period.product.id)
        writer.write(period.product.level)
        write(period.product.period)
        writer.write(period.product.price)
        write(period.product.isFamilyShareable)
        write(period.start)
        writer.write(period.price)
        writeOptional(period.offer) { $0.write($1) }
    }

    private mutating func write(_ offer: ActiveOffer) {
        write(offer.terms)
        writer.write(offer.periodsLeft)
    }

    private mutating func write(_ terms: OfferTerms) {
        writer.write(terms.kind)
        writer.write(terms.id)
        writer.write(terms.paymentMode)
        write(terms.period)
        writer.write(terms.periodCount)
        writer.write(terms.price)
    }

    private mutating func write(_ failure: Subscription.BillingFailure) {
        write(failure.expired)
        write(failure.nextAttempt)
        write(failure.retryUntil)
    }

    private mutating func write(_ state: Subscription.State) {
        switch state {
        case .active(let until, let chargeAt):
            writer.write("active")
            write(until)
            write(chargeAt)
        case .gracePeriod(let failure, let until):
            writer.write("gracePeriod")
            write(failure)
            write(until)
        case .billingRetry(let failure, let graceEnded):
            writer.write("billingRetry")
            write(failure)
            writeOptional(graceEnded) { $0.write($1) }
        case .expired(let at, let paidUntil, let intent):
            writer.write("expired")
            write(at)
            write(paidUntil)
            writer.write(intent)
        case .revoked(let at, let revocation):
            writer.write("revoked")
            write(at)
            writer.write(revocation.cause)
            write(revocation.paidUntil)
            writer.write(revocation.ended)
        }
    }
}
