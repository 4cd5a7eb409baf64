/// One sold period. It ends where the next begins, or at the subscription's `paidUntil`.
///
/// Immutable, so copies of its subscription share it.
package final class BillingPeriod: Sendable {
    /// The number of the period in its subscription, from 1. A renewal's idempotency key is subscription and number.
    package let number: Int
    package let transactionID: TransactionID
    package let product: SubscribedProduct
    package let start: Instant
    /// The amount paid.
    package let price: Money
    package let offer: ActiveOffer?

    init(
        number: Int, transactionID: TransactionID, product: SubscribedProduct, start: Instant, price: Money,
        offer: ActiveOffer?
    ) {
        self.number = number
        self.transactionID = transactionID
        self.product = product
        self.start = start
        self.price = price
        self.offer = offer
    }
}

extension BillingPeriod: Hashable {
    package static func == (one: BillingPeriod, other: BillingPeriod) -> Bool {
        one === other
            || one.number == other.number && one.transactionID == other.transactionID && one.product == other.product
                && one.start == other.start && one.price == other.price && one.offer == other.offer
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(number)
        hasher.combine(transactionID)
    }
}
