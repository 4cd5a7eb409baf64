/// The direction in which a journal entry moves the units of Sales and Trends.
package enum SalesMovement: Sendable, Hashable {
    case sale
    /// An owned product was bought again without a charge.
    case restored
    case refund
    /// A refund was reversed: the sale counts again.
    case reversal
}

extension JournalEntry.Kind {
    /// The entry's part in Sales and Trends; `nil` if it sells nothing and takes nothing back.
    ///
    /// The same kinds are recorded for family members, whose transactions aren't sales.
    package var salesMovement: SalesMovement? {
        switch self {
        case .purchased: .sale
        case .boughtAgain: .restored
        case .refunded: .refund
        case .purchaseRefundReversed: .reversal
        case .subscription(let event):
            switch event {
            case .subscribed, .resubscribed, .upgraded, .upgradedWithOffer, .renewed, .recovered: .sale
            case .subscriptionRefunded, .upgradeRefunded: .refund
            case .subscriptionRefundReversed: .reversal
            default: nil
            }
        default: nil
        }
    }

    /// True if the entry refers to an earlier sale, whose facts the reports use.
    package var refersToSale: Bool {
        let movement = salesMovement
        return movement == .refund || movement == .reversal
    }
}

extension SalesTotal {
    /// Returns what a journal entry adds to the rows of Sales and Trends; empty for an entry that sells nothing.
    ///
    /// - Parameters:
    ///   - transaction: The entry's transaction. Only its properties that never change are read.
    ///   - refunding: The facts of the sale that a refund takes back or a reversal restores.
    ///   - app: The app, for the durations of its subscriptions.
    package static func totals(
        of entry: JournalEntry, _ transaction: Transaction?, refunding: SaleFacts?, in app: App
    ) -> [SalesTotal] {
        SalesClassifier(app).totals(of: entry, transaction, refunding: refunding)
    }
}

/// Turns journal entries of an app into rows of Sales and Trends.
package struct SalesClassifier: Sendable {
    private let periods: [Product.ID: Period]
    private let terms: SaleTerms
    private let defaultStorefront: Storefront

    package init(_ app: App) {
        terms = app.saleTerms
        defaultStorefront = app.defaultStorefront
        periods = Dictionary(
            app.reportedProducts.compactMap { product in product.subscription.map { (product.id, $0.period) } }
        ) { first, _ in first }
    }

    /// Returns what a journal entry adds, with the parameters of ``SalesTotal/totals(of:_:refunding:in:)``.
    ///
    /// A free purchase is a row of price 0. A refund moves units down, at a negative price and the positive amounts that it
    /// takes back; the refund of a purchase that cost nothing is no row. A refund's reversal is a sale again.
    package func totals(
        of entry: JournalEntry, _ transaction: Transaction?, refunding: SaleFacts?
    ) -> [SalesTotal] {
        if let acquisition = AppAcquisition(entry.kind) { return [total(of: entry, acquisition)] }
        guard let movement = entry.kind.salesMovement, let transaction, transaction.ownership == .purchased else {
            return []
        }
        if entry.postings.isEmpty, movement == .refund || movement == .reversal { return [] }
        let facts = movement == .refund || movement == .reversal ? refunding ?? entry.facts : entry.facts
        let isRefund = movement == .refund
        let currency = entry.postings.first?.amount.currency ?? transaction.price.currency
        var amounts = SaleAmounts(entry.postings, isRefund: isRefund)
        if addsTax(to: amounts, transaction) { amounts.price -= amounts.tax }
        return amounts.units(Int64(max(transaction.quantity, 1))).map { each, count in
            func money(_ milliunits: Int64) -> Money { Money(milliunits: milliunits, currency) }
            let key = SalesKey(
                product: transaction.productID,
                type: ProductTypeIdentifier(transaction.type, isRepeat: movement == .restored, on: facts?.device),
                proceeds: money(each.proceeds), customerPrice: money(isRefund ? -each.price : each.price),
                tax: money(each.tax), commission: money(each.commission), storefront: transaction.storefront,
                promoCode: promoCode(of: transaction), subscription: sale(of: transaction),
                period: transaction.type == .autoRenewable ? periods[transaction.productID] : nil,
                device: facts?.device, proceedsReason: facts?.proceedsReason,
                isPricePreserved: facts?.isPricePreserved ?? false)
            return SalesTotal(key, units: isRefund ? -count : count)
        }
    }

    /// Returns the row of a download or an update of the app itself. An update of a free app has units, too.
    private func total(of entry: JournalEntry, _ acquisition: AppAcquisition) -> SalesTotal {
        let storefront = entry.facts?.storefront ?? defaultStorefront
        let currency = entry.postings.first?.amount.currency ?? storefront.currency ?? .usd
        var amounts = SaleAmounts(entry.postings, isRefund: false)
        if !terms.tax(in: storefront).isIncluded { amounts.price -= amounts.tax }
        func money(_ milliunits: Int64) -> Money { Money(milliunits: milliunits, currency) }
        let key = SalesKey(
            product: nil, version: entry.facts?.appVersion ?? "", type: acquisition.type(on: entry.facts?.device),
            proceeds: money(amounts.proceeds), customerPrice: money(amounts.price), tax: money(amounts.tax),
            commission: money(amounts.commission), storefront: storefront, device: entry.facts?.device)
        return SalesTotal(key, units: 1)
    }

    /// Returns true if the customer paid the tax on top of the price: a row's price is then the one without it.
    ///
    /// A whole sale or refund shows that by the transaction's price. Of a part the app's terms tell.
    private func addsTax(to amounts: SaleAmounts, _ transaction: Transaction) -> Bool {
        let price = transaction.price.milliunits
        if amounts.tax == 0 || amounts.price == price { return false }
        return amounts.price - amounts.tax == price || !terms.tax(in: transaction.storefront).isIncluded
    }

    /// A code redeemed for a product that doesn't renew counts as a promo code (`CR-RW`). Offers of subscriptions have columns
    /// of their own in the reports of subscriptions.
    private func promoCode(of transaction: Transaction) -> String {
        transaction.type != .autoRenewable && transaction.offer?.kind == .code ? "CR-RW" : ""
    }

    private func sale(of transaction: Transaction) -> SalesKey.SubscriptionSale? {
        guard transaction.type == .autoRenewable else { return nil }
        return transaction.reason == .renewal ? .renewal : .new
    }
}

/// The amounts of a sale or a refund in milliunits, none of them negative.
struct SaleAmounts: Hashable {
    var price: Int64
    var tax: Int64
    var proceeds: Int64
    var commission: Int64

    /// Adds up the postings of an entry.
    init(_ postings: [Posting], isRefund: Bool) {
        func sum(_ account: Posting.Account) -> Int64 {
            postings.reduce(0) { $1.account == account ? $0 + $1.amount.milliunits : $0 }
        }
        let sign: Int64 = isRefund ? -1 : 1
        price = -sign * sum(.customer)
        tax = sign * sum(.tax)
        proceeds = sign * sum(.proceeds)
        commission = sign * sum(.commission)
    }

    private init(price: Int64, tax: Int64, proceeds: Int64, commission: Int64) {
        (self.price, self.tax, self.proceeds, self.commission) = (price, tax, proceeds, commission)
    }

    /// Divides the amounts among units, so that units times amounts are the exact sum.
    ///
    /// Sales are rounded for one unit, so they divide. Where they don't, such as in a partial refund of several units, the last
    /// unit has the rest and is a row of its own.
    func units(_ count: Int64) -> [(each: SaleAmounts, count: Int64)] {
        let each = SaleAmounts(
            price: price / count, tax: tax / count, proceeds: proceeds / count, commission: commission / count)
        let others = count - 1
        let last = SaleAmounts(
            price: price - each.price * others, tax: tax - each.tax * others,
            proceeds: proceeds - each.proceeds * others, commission: commission - each.commission * others)
        if last == each { return [(each: each, count: count)] }
        return [(each: each, count: others), (each: last, count: Int64(1))]
    }
}
