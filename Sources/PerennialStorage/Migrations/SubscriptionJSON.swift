import Foundation
import Perennial

/// Reads subscriptions as JSON, which versions until 21 November 2026, 08:37, stored.
///
/// It writes them as a document of version 1, which has the same parts in a text of its own, and reads that.
enum SubscriptionJSON {
    /// - Throws: `DecodingError` or `RecordDecodingError`.
    static func subscription(_ json: String) throws -> Subscription {
        var document = Version1()
        document.write(try JSONDecoder().decode(Stored.self, from: Data(json.utf8)))
        return try Subscription(document: document.text)
    }

    /// A subscription with the names of the JSON.
    private struct Stored: Decodable {
        let id: TransactionID
        let accountID: Account.ID
        let groupID: String
        let ownership: Transaction.Ownership
        let originalPurchaseDate: Instant
        let storefront: Storefront
        let applicationUsername: String?
        let current: BillingPeriod
        let previous: BillingPeriod?
        let anchor: PeriodAnchor
        let state: State
        let renewal: Renewal
        let offersUsed: [OfferUse]
        let renewals: Int
        let paidDays: Int
        let extensions: [GrantedExtension]
        let lastPriceIncrease: Instant?
        let recentSubscriptionStartDate: Instant

        struct BillingPeriod: Decodable {
            let number: Int
            let transactionID: TransactionID
            let product: SubscribedProduct
            let start: Instant
            let price: Money
            let offer: ActiveOffer?
        }

        struct SubscribedProduct: Decodable {
            let id: Product.ID
            let level: Int
            let period: Period
            let price: Money
            let isFamilyShareable: Bool
        }

        struct ActiveOffer: Decodable {
            let terms: OfferTerms
            let periodsLeft: Int
        }

        struct Renewal: Decodable {
            let isOn: Bool
            let productID: Product.ID
            let price: Money
            let offer: OfferTerms?
            let priceIncrease: String?
        }

        /// The cases' associated values have the labels that the JSON has as keys.
        enum State: Decodable {
            case active(until: Instant, chargeAt: Instant)
            case gracePeriod(BillingFailure, until: Instant)
            case billingRetry(BillingFailure, graceEnded: Instant?)
            case expired(at: Instant, paidUntil: Instant, Int64)
            case revoked(at: Instant, Withdrawal)
        }

        struct BillingFailure: Decodable {
            let expired: Instant
            let nextAttempt: Instant
            let retryUntil: Instant
        }

        struct Withdrawal: Decodable {
            let cause: String
            let paidUntil: Instant
            let ended: Int64?
        }
    }

    /// Writes a document of version 1: numbers end with a semicolon, texts begin with their length.
    private struct Version1 {
        private(set) var text = "1;"

        mutating func write(_ subscription: Stored) {
            write(subscription.id.rawValue)
            write(subscription.accountID.rawValue)
            write(subscription.groupID)
            write(subscription.ownership.rawValue)
            write(subscription.originalPurchaseDate)
            write(subscription.storefront.rawValue)
            write(optional: subscription.applicationUsername) { $0.write($1) }
            write(subscription.current)
            write(optional: subscription.previous) { $0.write($1) }
            write(subscription.anchor.origin)
            write(Int64(subscription.anchor.months))
            write(subscription.state)
            write(subscription.renewal)
            write(Int64(subscription.offersUsed.count))
            for use in subscription.offersUsed { write(use) }
            write(Int64(subscription.renewals))
            write(Int64(subscription.paidDays))
            write(Int64(subscription.extensions.count))
            for granted in subscription.extensions { write(granted) }
            write(optional: subscription.lastPriceIncrease) { $0.write($1) }
            write(subscription.recentSubscriptionStartDate)
        }

        private mutating func write(_ number: Int64) { text += "\(number);" }
        private mutating func write(_ value: String) { text += "\(value.utf8.count):\(value)" }
        private mutating func write(_ value: Bool) { write(value ? 1 : 0) }
        private mutating func write(_ instant: Instant) { write(instant.milliseconds) }

        private mutating func write<Value>(optional value: Value?, _ write: (inout Self, Value) -> Void) {
            text += value == nil ? "~" : "+"
            if let value { write(&self, value) }
        }

        private mutating func write(_ money: Money) {
            write(money.milliunits)
            write(money.currency.rawValue)
        }

        private mutating func write(_ period: Period) {
            write(Int64(period.count))
            write(period.unit.rawValue)
        }

        private mutating func write(_ period: Stored.BillingPeriod) {
            write(Int64(period.number))
            write(period.transactionID.rawValue)
            write(period.product.id.rawValue)
            write(Int64(period.product.level))
            write(period.product.period)
            write(period.product.price)
            write(period.product.isFamilyShareable)
            write(period.start)
            write(period.price)
            write(optional: period.offer) { document, offer in
                document.write(offer.terms)
                document.write(Int64(offer.periodsLeft))
            }
        }

        private mutating func write(_ terms: OfferTerms) {
            write(terms.kind.rawValue)
            write(optional: terms.id) { $0.write($1) }
            write(terms.paymentMode.rawValue)
            write(terms.period)
            write(Int64(terms.periodCount))
            write(terms.price)
        }

        private mutating func write(_ renewal: Stored.Renewal) {
            write(renewal.isOn)
            write(renewal.productID.rawValue)
            write(renewal.price)
            write(optional: renewal.offer) { $0.write($1) }
            write(optional: renewal.priceIncrease) { $0.write($1) }
        }

        private mutating func write(_ use: OfferUse) {
            write(use.kind.rawValue)
            write(optional: use.id) { $0.write($1) }
            write(use.lastUsed)
        }

        private mutating func write(_ granted: GrantedExtension) {
            write(granted.at)
            write(granted.requestID)
            write(granted.until)
        }

        private mutating func write(_ state: Stored.State) {
            switch state {
            case .active(let until, let chargeAt):
                write("active")
                write(until)
                write(chargeAt)
            case .gracePeriod(let failure, let until):
                write("gracePeriod")
                write(failure)
                write(until)
            case .billingRetry(let failure, let graceEnded):
                write("billingRetry")
                write(failure)
                write(optional: graceEnded) { $0.write($1) }
            case .expired(let at, let paidUntil, let intent):
                write("expired")
                write(at)
                write(paidUntil)
                write(intent)
            case .revoked(let at, let withdrawal):
                write("revoked")
                write(at)
                write(withdrawal.cause)
                write(withdrawal.paidUntil)
                write(optional: withdrawal.ended) { $0.write($1) }
            }
        }

        private mutating func write(_ failure: Stored.BillingFailure) {
            write(failure.expired)
            write(failure.nextAttempt)
            write(failure.retryUntil)
        }
    }
}
