/// A rule by which the amounts of a journal entry came about. docs/reference/money.md has a heading for each.
package enum MoneyRule: String, Sendable, CaseIterable {
    case price
    case preservedPrice
    case offer
    case rounding
    case tax
    case commission
    case smallBusiness
    case rateAfterOneYear
    case refund
    case proratedRefund
    case refundReversal
    case appDownload

    /// The title for people.
    package var title: String {
        switch self {
        case .price: "Prices"
        case .preservedPrice: "Preserved prices"
        case .offer: "Offers"
        case .rounding: "Rounding"
        case .tax: "Taxes"
        case .commission: "Commission"
        case .smallBusiness: "Small Business Program"
        case .rateAfterOneYear: "Rate after one year"
        case .refund: "Refunds"
        case .proratedRefund: "Upgrades"
        case .refundReversal: "Refund reversals"
        case .appDownload: "Apps"
        }
    }

    /// The place of its description: a heading of the project's documentation.
    package var page: String {
        let heading =
            switch self {
            case .price: "price-points"
            case .preservedPrice: "preserved-prices"
            case .offer: "offers"
            case .rounding: "rounding"
            case .tax: "taxes"
            case .commission, .smallBusiness, .rateAfterOneYear: "commission"
            case .refund, .proratedRefund, .refundReversal: "refunds"
            case .appDownload: "apps"
            }
        return "docs/reference/money.md#\(heading)"
    }

    /// Returns the rules that made the postings of an entry.
    ///
    /// - Parameters:
    ///   - transaction: The entry's transaction; `nil` for the downloads of apps.
    ///   - sale: The facts of the sale that a refund takes back.
    package static func rules(
        of entry: JournalEntry, _ transaction: Transaction?, sale: SaleFacts?, in app: App
    ) -> [MoneyRule] {
        var rules: [MoneyRule] = []
        let facts = entry.kind.refersToSale ? sale ?? entry.facts : entry.facts
        switch entry.kind {
        case .appDownloaded, .appRedownloaded, .appUpdated: rules.append(.appDownload)
        case .subscription(.upgradeRefunded): rules.append(.proratedRefund)
        default:
            switch entry.kind.salesMovement {
            case .refund?: rules.append(.refund)
            case .reversal?: rules.append(.refundReversal)
            case .sale?, .restored?: rules.append(.price)
            case nil: return []
            }
        }
        if transaction?.offer != nil { rules.append(.offer) }
        if facts?.isPricePreserved == true { rules.append(.preservedPrice) }
        guard !entry.postings.isEmpty else { return rules }
        if entry.postings.contains(where: { $0.account == .tax && $0.amount.milliunits != 0 }) { rules.append(.tax) }
        if facts?.proceedsReason == .rateAfterOneYear {
            rules.append(.rateAfterOneYear)
        } else {
            rules.append(app.saleTerms.isSmallBusiness ? .smallBusiness : .commission)
        }
        rules.append(.rounding)
        return rules
    }
}
