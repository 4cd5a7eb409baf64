import Perennial
import PerennialStore

/// control/v1/apps/BUNDLE_ID/products/PRODUCT_ID/prices and price-points: prices with the seller's proceeds.
struct PriceRoutes {
    /// A price with what the seller gets of it.
    private struct Price: Model, Encodable {
        var storefront: String?
        var price: Int64
        var currency: String
        var proceeds: Int64
        var proceedsAfterOneYear: Int64
        var taxBasisPoints: Int64
        var taxIncluded: Bool

        static let constraints: [String: Constraint] = [
            "storefront": .described("Missing for the base price"), "price": .milliunits, "proceeds": .milliunits,
            "proceedsAfterOneYear": .milliunits, "taxBasisPoints": .described("Of the price without tax"),
        ]

        init(_ money: Money, in storefront: Storefront?, default: Storefront, _ terms: SaleTerms) {
            let (place, tax) = (storefront ?? `default`, terms.tax(in: storefront ?? `default`))
            self.storefront = storefront?.rawValue
            price = money.milliunits
            currency = money.currency.rawValue
            let proceeds = terms.proceeds(of: money, in: place)
            self.proceeds = proceeds.standard.milliunits
            proceedsAfterOneYear = proceeds.afterOneYear.milliunits
            taxBasisPoints = tax.basisPoints
            taxIncluded = tax.isIncluded
        }
    }

    private struct Scheduled: Model, Encodable {
        var at: String
        var storefront: String?
        var price: Int64
        var currency: String
        var preserve: Bool
        var consent: Bool?

        static let constraints: [String: Constraint] = ["at": .time, "price": .milliunits]

        init(_ scheduled: ScheduledPrice) {
            at = scheduled.at.rfc3339()
            storefront = scheduled.storefront?.rawValue
            price = scheduled.price.milliunits
            currency = scheduled.price.currency.rawValue
            preserve = scheduled.preservesSubscribers
            consent = scheduled.needsConsent
        }
    }

    private struct Change: Model, Encodable {
        var at: String
        var storefront: String?
        var previousPrice: Int64
        var previousCurrency: String
        var price: Int64
        var currency: String
        var preserve: Bool

        static let constraints: [String: Constraint] = [
            "at": .time, "price": .milliunits, "previousPrice": .milliunits,
        ]

        init(_ change: PerformedPriceChange) {
            at = change.at.rfc3339()
            storefront = change.storefront?.rawValue
            previousPrice = change.previous.milliunits
            previousCurrency = change.previous.currency.rawValue
            price = change.price.milliunits
            currency = change.price.currency.rawValue
            preserve = change.preservesSubscribers
        }
    }

    private struct PricesAnswer: AnswerModel {
        var productId: String
        var prices: [Price]
        var schedule: [Scheduled]
        var changes: [Change]
    }

    private struct PointsAnswer: AnswerModel {
        struct Point: Model, Encodable {
            var number: Int
            var price: Int64
            var proceeds: Int64
            var proceedsAfterOneYear: Int64
            var onRequest: Bool

            static let constraints: [String: Constraint] = [
                "price": .milliunits, "proceeds": .milliunits, "proceedsAfterOneYear": .milliunits,
            ]
        }

        var storefront: String
        var currency: String
        var points: [Point]
    }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get(
            "apps/:bundleId/products/:productId/prices", "A product's prices: now, later and before, with the proceeds",
            use: prices)
        routes.get(
            "apps/:bundleId/price-points", "The prices that the App Store offers in a storefront", query: [.storefront],
            use: points)
    }

    private func prices(_ call: Call<NoBody>, _ context: ControlContext) async throws -> PricesAnswer {
        let found = try await context.store.products.prices(of: context.productID, bundleID: context.bundleID)
        let base = try await context.store.app(context.bundleID).defaultStorefront
        let own = found.product.prices.sorted { $0.key.rawValue < $1.key.rawValue }
        return PricesAnswer(
            productId: found.product.id.rawValue,
            prices: [Price(found.product.basePrice, in: nil, default: base, found.terms)]
                + own.map { Price($0.value, in: $0.key, default: base, found.terms) },
            schedule: found.pending.map(Scheduled.init), changes: found.changes.map(Change.init))
    }

    private func points(_ call: Call<NoBody>, _ context: ControlContext) async throws -> PointsAnswer {
        let app = try await context.store.app(context.bundleID)
        let storefront = call.query(.storefront).map(Storefront.init(rawValue:)) ?? app.defaultStorefront
        guard let currency = storefront.currency else {
            throw StoreError(.storefrontUnknown, storefront.rawValue, "a storefront is a three-letter code such as USA")
        }
        return PointsAnswer(
            storefront: storefront.rawValue, currency: currency.rawValue,
            points: PricePoint.all(in: currency).map { point in
                let proceeds = app.saleTerms.proceeds(of: point.price, in: storefront)
                return PointsAnswer.Point(
                    number: point.number, price: point.price.milliunits, proceeds: proceeds.standard.milliunits,
                    proceedsAfterOneYear: proceeds.afterOneYear.milliunits, onRequest: point.isOnRequest)
            })
    }
}

extension QueryParameter {
    static let storefront = QueryParameter("storefront", .storefront)
}
