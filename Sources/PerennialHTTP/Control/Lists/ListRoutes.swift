import HTTPTypes
import Perennial
import PerennialStore

/// control/v1/apps and the lists below: products, transactions, subscriptions, the journal.
struct ListRoutes {
    private struct AppsAnswer: AnswerModel {
        struct Item: Model, Encodable {
            var bundleId: String
            var appAppleId: Int64
            var name: String
            var productCount: Int
        }

        var apps: [Item]
        /// The `after` of the next page; missing on the last.
        var next: String?
    }

    private struct ProductsAnswer: AnswerModel {
        struct Item: Model, Encodable {
            var productId: String
            var type: String
            var name: String
            var price: Int64
            var currency: String
            var proceeds: Int64
            var proceedsAfterOneYear: Int64
            var clearedForSale: Bool
            /// The fields of an auto-renewable subscription.
            var subscription: Subscription?
            /// The offers that codes grant.
            var codeOffers: [String]?

            static let constraints: [String: Constraint] = [
                "type": .oneOf(ProductType.self), "price": .milliunits,
                "proceeds": .described("Of the base price in the default storefront, in thousandths"),
                "proceedsAfterOneYear": .described("Of renewals after one year of paid service"),
            ]

            init(_ product: Product, in app: App) {
                let proceeds = app.saleTerms.proceeds(of: product.basePrice, in: app.defaultStorefront)
                self.proceeds = proceeds.standard.milliunits
                proceedsAfterOneYear = proceeds.afterOneYear.milliunits
                productId = product.id.rawValue
                type = product.type.rawValue
                name = product.referenceName
                price = product.basePrice.milliunits
                currency = product.basePrice.currency.rawValue
                clearedForSale = product.isClearedForSale
                subscription = product.subscription.map(Subscription.init)
                let offers =
                    product.codeOffers.map(\.id) + (product.subscription?.codeOffers ?? []).compactMap(\.id)
                codeOffers = offers.isEmpty ? nil : offers
            }
        }

        struct Subscription: Model, Encodable {
            var groupId: String
            /// 1 is the highest.
            var level: Int
            var period: String
            /// The duration of the introductory offer.
            var introductoryPeriod: String?

            init(_ subscription: Product.Subscription) {
                groupId = subscription.groupID
                level = subscription.level
                period = subscription.period.iso8601
                introductoryPeriod = subscription.introductoryOffer.map {
                    Period($0.period.count * $0.periodCount, $0.period.unit).iso8601
                }
            }
        }

        var products: [Item]
        /// The `after` of the next page; missing on the last.
        var next: String?
    }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get("apps", "The apps of the store, by bundle ID", query: [.search, .pageLimit, .afterName], use: apps)
        routes.get(
            "apps/:bundleId/products", "An app's products, with the environment's prices, by ID",
            query: [.productType, .search, .pageLimit, .afterName], use: products)
        TransactionListRoutes().add(to: routes)
        RefundListRoutes().add(to: routes)
        JournalRoutes().add(to: routes)
        StatusListRoutes().add(to: routes)
    }

    private func apps(_ call: Call<NoBody>, _ context: ControlContext) async throws -> AppsAnswer {
        let page = try await context.store.products.listApps(
            search: call.query(.search) ?? "", after: call.query(.afterName), limit: try call.givenPageLimit())
        return AppsAnswer(
            apps: page.items.map {
                AppsAnswer.Item(
                    bundleId: $0.bundleID.rawValue, appAppleId: $0.appleID, name: $0.name,
                    productCount: $0.products.count)
            }, next: page.next)
    }

    private func products(_ call: Call<NoBody>, _ context: ControlContext) async throws -> ProductsAnswer {
        let app = try await context.store.app(context.bundleID)
        let page = try context.store.products.list(
            of: app, type: try call.query(.productType).map { try ControlFields.value($0, field: "type") },
            search: call.query(.search) ?? "", after: call.query(.afterName), limit: try call.givenPageLimit())
        return ProductsAnswer(products: page.items.map { ProductsAnswer.Item($0, in: app) }, next: page.next)
    }
}
