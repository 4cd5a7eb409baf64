import AppStoreFormats
import Perennial
import PerennialStorage

/// The rows of Subscription Offer Code Redemption.
enum OfferCodeReportRows {
    /// Returns a row for each offer, code and storefront. Codes for one customer each are counted together.
    static func rows(
        on day: PacificDay, _ apps: [ReportedApp], _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [[ReportValue]] {
        try apps.flatMap { app in
            let found = try OfferCodesTable.redemptionCounts(
                from: day.start, until: day.end, app: app.app.appleID, environment, on: connection)
            return found.compactMap { row($0, on: day, app) }
        }
    }

    private static func row(
        _ found: OfferCodesTable.RedemptionCount, on day: PacificDay, _ app: ReportedApp
    ) -> [ReportValue]? {
        let product = app.app.reportedProducts.first { $0.id == found.productID }
        guard let subscription = product?.subscription else { return nil }
        let offer = subscription.codeOffers.first { $0.id == found.offerID }
        let name = offer.map(\.referenceName) ?? ""
        return [
            .date(day), .text(app.app.name), .integer(app.app.appleID), .text(app.name(of: found.productID)),
            ReportValue(app.appleID(of: found.productID)), .text(name.isEmpty ? found.offerID : name),
            ReportValue(found.code), .text(found.storefront.alpha2), .integer(found.count),
        ]
    }
}
