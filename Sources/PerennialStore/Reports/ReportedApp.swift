import AppStoreFormats
import Perennial
import PerennialStorage

/// An app of a report, with the cells that its rows share.
struct ReportedApp: Sendable {
    let app: App
    /// The key of the app's roll-ups.
    let key: RollUpKey
    private let products: [Product.ID: Product]

    init(_ entry: CatalogCache.Entry, key: RollUpKey) {
        app = entry.app
        products = Dictionary(entry.app.reportedProducts.map { ($0.id, $0) }) { first, _ in first }
        self.key = key
    }

    /// Returns the name of a product; its ID, if the catalog doesn't have it any more.
    func name(of id: Product.ID) -> String { products[id]?.referenceName ?? id.rawValue }

    func appleID(of id: Product.ID) -> Int64? { products[id]?.appleID }

    /// Returns the six cells that name a subscription.
    func subscriptionCells(_ id: Product.ID, group: String?, period: Period?) -> [ReportValue] {
        [
            .text(app.name), .integer(app.appleID), .text(name(of: id)), ReportValue(appleID(of: id)),
            ReportValue(group ?? products[id]?.subscription?.groupID),
            ReportValue((period ?? products[id]?.subscription?.period)?.reportText),
        ]
    }

    /// Returns the cells `Subscription Offer Name` and `Promotional Offer ID`. Introductory offers have neither, and
    /// offer codes no ID.
    func offerCells(_ offer: AppliedOffer?, of id: Product.ID) -> [ReportValue] {
        guard let offer, let offerID = offer.id else { return [.blank, .blank] }
        let subscription = products[id]?.subscription
        let offers: [Offer]? =
            switch offer.kind {
            case .introductory: nil
            case .promotional: subscription?.promotionalOffers
            case .code: subscription?.codeOffers
            case .winBack: subscription?.winBackOffers
            }
        let name = offers?.first { $0.id == offerID }?.referenceName ?? ""
        return [
            .text(name.isEmpty ? offerID : name),
            offer.kind == .promotional || offer.kind == .winBack ? .text(offerID) : .blank,
        ]
    }

    /// Returns the cells `Subscription Offer Type` and `Subscription Offer Duration`.
    func offerTermsCells(_ offer: AppliedOffer?) -> [ReportValue] {
        [ReportValue(offer?.paymentMode.reportText), ReportValue(offer?.period?.reportText)]
    }

    /// Returns the eight cells from `Customer Price` to `Device`. No sale comes from Apple News, so `Client` is blank.
    func moneyCells(
        _ price: Money, _ proceeds: Money, isPreserved: Bool, _ reason: ProceedsReason?, _ device: DeviceFamily?
    ) -> [ReportValue] {
        [
            .amount(price), .text(price.currency.rawValue), .amount(proceeds), .text(proceeds.currency.rawValue),
            ReportValue(isPreserved), ReportValue(reason?.rawValue), .blank, ReportValue(device?.rawValue),
        ]
    }
}
