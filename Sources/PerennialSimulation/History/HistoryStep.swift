import Perennial

/// A customer's action at an instant of an invented history.
package struct HistoryStep: Sendable, Hashable {
    package let at: Instant
    /// The customer's number, from 0.
    package let customer: Int
    package let action: HistoryAction
}

/// The actions of invented customers.
package enum HistoryAction: Sendable, Hashable {
    /// An account is made.
    case join(Storefront)
    /// The app comes to a device: a download, a re-download or an update.
    case download(HistoryDevice, version: String)
    case buy(product: String, quantity: Int, HistoryDevice, version: String)
    /// Buys a subscription: the first of its group, another plan, or one again.
    case subscribe(HistoryCatalog.Subscription, HistoryDevice, version: String)
    /// Redeems the code of a subscription's offer.
    case redeem(HistoryCatalog.Subscription)
    case turnAutoRenewOff
    case declinePayments
    case acceptPayments
    /// Takes back the last purchase that isn't a subscription.
    case refundPurchase
    case refundSubscription
}

/// A device of an invented customer.
package struct HistoryDevice: Sendable, Hashable {
    /// A UUID.
    package let id: String
    package let family: DeviceFamily
}
