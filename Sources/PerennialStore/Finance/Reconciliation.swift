import Perennial

/// The comparison of sales with payments and what is owed, on three paths: the postings entry by entry, the roll-ups, and the
/// closings with what is open.
package struct Reconciliation: Sendable {
    /// The amounts of one currency in the span.
    package struct Total: Hashable, Sendable {
        package var currency: Currency
        /// Proceeds by the postings of the journal.
        package var sales: Int64 = 0
        /// Proceeds by the roll-ups of days.
        package var rollUps: Int64 = 0
        /// The part of the sales that is in closed months.
        package var closed: Int64 = 0
        /// The part that is still owed, because its months are open.
        package var open: Int64 = 0
    }

    /// The payments of one bank currency, over all closings.
    package struct Payments: Hashable, Sendable {
        package var currency: Currency
        /// The proceeds of all lines, exchanged.
        package var proceeds: Int64 = 0
        package var paid: Int64 = 0
        /// The balance carried forward; in the currency of the last closing only.
        package var balance: Int64 = 0
        /// The balance that a closing exchanged to or from another currency.
        package var exchanged: Int64 = 0
    }

    /// Two paths that don't agree.
    package struct Difference: Hashable, Sendable, CustomStringConvertible {
        /// The two sides, with their amounts.
        package var text: String
        /// The app of the first transaction behind the figure; `nil` if there is none.
        package var bundleID: App.BundleID?
        package var transactionID: TransactionID?
        /// The position of its entry in the app's journal.
        package var position: Int64?

        package init(
            _ text: String, bundleID: App.BundleID? = nil, transactionID: TransactionID? = nil, position: Int64? = nil
        ) {
            self.text = text
            self.bundleID = bundleID
            self.transactionID = transactionID
            self.position = position
        }

        package var description: String {
            guard let position else { return text }
            let subject = transactionID.map { "transaction \($0)" } ?? "the entry"
            return "\(subject) at position \(position)\(bundleID.map { " of \($0)" } ?? ""): \(text)"
        }
    }

    /// The days compared; `nil` for all.
    package var days: ClosedRange<PacificDay>?
    /// The journal entries that were read.
    package var entries: Int64
    package var totals: [Total]
    package var payments: [Payments]
    /// The first ones, those with a transaction in front.
    package var differences: [Difference]

    package var agrees: Bool { differences.isEmpty }
}

/// Sums of sales that the paths compare, by group.
struct ReconciledSums: Sendable {
    /// Sales with the same period, product, storefront and proceeds of one unit.
    struct Group: Hashable, Sendable {
        var grain: SalesGrain
        var period: Int64
        var isAdjustment: Bool
        var product: Product.ID?
        var storefront: Storefront
        var currency: Currency
        var unitProceeds: Int64
        var isRefund: Bool

        init(_ grain: SalesGrain, _ period: Int64, isAdjustment: Bool, _ key: SalesKey) {
            self.grain = grain
            self.period = period
            self.isAdjustment = isAdjustment
            product = key.product
            storefront = key.storefront
            currency = key.proceeds.currency
            unitProceeds = key.proceeds.milliunits
            isRefund = key.isRefund
        }
    }

    enum SalesGrain: Hashable, Sendable { case day, fiscalMonth }

    struct Sums: Hashable, Sendable {
        var units: Int64 = 0
        var proceeds: Int64 = 0
        var price: Int64 = 0
        var tax: Int64 = 0
        var commission: Int64 = 0

        mutating func add(_ total: SalesTotal) {
            func added(_ sum: Int64, _ money: Money) -> Int64 {
                sum.clampedAdding(money.milliunits.clampedMultiplied(by: total.units))
            }
            units = units.clampedAdding(total.units)
            proceeds = added(proceeds, total.key.proceeds)
            price = added(price, total.key.customerPrice)
            tax = added(tax, total.key.tax)
            commission = added(commission, total.key.commission)
        }
    }

    /// The first entry of a group.
    struct First: Sendable {
        var position: Int64
        var transactionID: TransactionID?
    }

    var sums: [Group: Sums] = [:]
    var firsts: [Group: First] = [:]

    mutating func add(_ total: SalesTotal, to group: Group, _ first: First? = nil) {
        sums[group, default: Sums()].add(total)
        if let first, firsts[group] == nil { firsts[group] = first }
    }

    /// Returns the differences of the journal's sums from those of the roll-ups.
    func differences(from rollUps: ReconciledSums, of app: App) -> [Reconciliation.Difference] {
        var found: [Reconciliation.Difference] = []
        for group in Set(sums.keys).union(rollUps.sums.keys) {
            let (own, other) = (sums[group] ?? Sums(), rollUps.sums[group] ?? Sums())
            guard own != other else { continue }
            let first = firsts[group]
            let place = first == nil ? "a row of the roll-ups that no transaction makes: " : ""
            found.append(
                Reconciliation.Difference(
                    "\(place)\(group): the journal has \(own.text(group.currency)), the roll-ups have "
                        + other.text(group.currency),
                    bundleID: app.bundleID, transactionID: first?.transactionID, position: first?.position))
        }
        return found
    }
}

extension ReconciledSums.Group: CustomStringConvertible {
    var description: String {
        let name = product?.rawValue ?? "the app"
        let sales = "\(isRefund ? "refunds" : "sales") of \(name) in \(storefront)"
        return switch grain {
        case .day: "\(sales) on \(PacificDay(number: period))"
        case .fiscalMonth:
            "\(sales) in the fiscal month \(FiscalMonth(number: period))\(isAdjustment ? ", late entries" : "")"
        }
    }
}

extension ReconciledSums.Sums {
    func text(_ currency: Currency) -> String {
        "\(units) units with proceeds of \(Money(milliunits: proceeds, currency))"
    }
}
