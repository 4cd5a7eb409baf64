/// One period that was sold; it ends where the next begins, or with the subscription's `paidUntil`.
///
/// A value that never changes: the copies of its subscription share it.
package final class SoldPeriod: Sendable {
    /// Counts a subscription's periods from 1. Renewals are keyed by subscription and number.
    package let number: Int
    package let transactionID: TransactionID
    package let product: SubscribedProduct
    package let start: Instant
    /// What was paid.
    package let price: Money
    package let offer: OfferInForce?

    init(
        number: Int, transactionID: TransactionID, product: SubscribedProduct, start: Instant, price: Money,
        offer: OfferInForce?
    ) {
        self.number = number
        self.transactionID = transactionID
        self.product = product
        self.start = start
        self.price = price
        self.offer = offer
    }
}

extension SoldPeriod: Hashable {
    package static func == (one: SoldPeriod, other: SoldPeriod) -> Bool {
        one === other
            || one.number == other.number && one.transactionID == other.transactionID && one.product == other.product
                && one.start == other.start && one.price == other.price && one.offer == other.offer
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(number)
        hasher.combine(transactionID)
    }
}
