import HTTPTypes
import Perennial
import PerennialStore

/// control/v1/apps and what is below: lists of apps, products, accounts, transactions and subscriptions.
struct ListRoutes {
    private struct AppsAnswer: AnswerModel {
        struct Item: Model, Encodable {
            var bundleId: String
            var appAppleId: Int64
            var name: String
            var productCount: Int
        }

        var apps: [Item]
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
            /// Of an auto-renewable subscription.
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
    }

    private struct TransactionsAnswer: AnswerModel {
        struct Item: Model, Encodable {
            var transactionId: String
            var originalTransactionId: String
            var account: String
            var productId: String
            var type: String
            var quantity: Int
            var price: Int64
            var currency: String
            var purchaseDate: String
            var expiresDate: String?
            var revocationDate: String?
            var isUpgraded: Bool

            static let constraints: [String: Constraint] = [
                "type": .oneOf(ProductType.self), "price": .milliunits, "purchaseDate": .time, "expiresDate": .time,
                "revocationDate": .time,
            ]

            init(_ listed: Listed<Transaction>) {
                let transaction = listed.value
                transactionId = transaction.id.description
                originalTransactionId = transaction.originalID.description
                account = listed.account
                productId = transaction.productID.rawValue
                type = transaction.type.rawValue
                quantity = transaction.quantity
                price = transaction.price.milliunits
                currency = transaction.price.currency.rawValue
                purchaseDate = transaction.purchaseDate.rfc3339()
                expiresDate = transaction.expiresDate?.rfc3339()
                revocationDate = transaction.revocation?.date.rfc3339()
                isUpgraded = transaction.isUpgraded
            }
        }

        var transactions: [Item]
    }

    private struct SubscriptionsAnswer: AnswerModel {
        struct Item: Model, Encodable {
            var originalTransactionId: String
            var account: String
            var productId: String
            var status: Int64
            var expiresDate: String
            var autoRenewStatus: Bool

            static let constraints: [String: Constraint] = [
                "status": .oneOf(SubscriptionStatus.allCases.map(\.rawValue)), "expiresDate": .time,
            ]

            init(_ listed: Listed<Subscription>, at now: Instant) {
                let subscription = listed.value
                originalTransactionId = subscription.id.description
                account = listed.account
                productId = subscription.product.id.rawValue
                status = subscription.status(at: now).rawValue
                expiresDate = subscription.paidUntil.rfc3339()
                autoRenewStatus = subscription.autoRenewStatus == 1
            }
        }

        var subscriptions: [Item]
    }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get("apps", "The apps of the store", use: apps)
        routes.get("apps/:bundleId/products", "An app's products, with the environment's prices", use: products)
        routes.get(
            "apps/:bundleId/transactions", "An app's transactions, newest first", query: [.listAccount, .listLimit],
            use: transactions)
        routes.get(
            "apps/:bundleId/subscriptions", "An app's subscriptions, oldest first", query: [.listAccount, .listLimit],
            use: subscriptions)
    }

    private func apps(_ call: Call<NoBody>, _ context: ControlContext) async throws -> AppsAnswer {
        AppsAnswer(
            apps: try await context.store.products.apps().map {
                AppsAnswer.Item(
                    bundleId: $0.bundleID.rawValue, appAppleId: $0.appleID, name: $0.name,
                    productCount: $0.products.count)
            })
    }

    private func products(_ call: Call<NoBody>, _ context: ControlContext) async throws -> ProductsAnswer {
        let app = try await context.store.app(context.bundleID)
        return ProductsAnswer(products: app.products.map { ProductsAnswer.Item($0, in: app) })
    }

    private func transactions(_ call: Call<NoBody>, _ context: ControlContext) async throws -> TransactionsAnswer {
        let listed = try await context.store.transactions.list(
            of: context.bundleID, account: call.query(.listAccount), limit: try call.listLimit())
        return TransactionsAnswer(transactions: listed.map(TransactionsAnswer.Item.init))
    }

    private func subscriptions(_ call: Call<NoBody>, _ context: ControlContext) async throws -> SubscriptionsAnswer {
        let listed = try await context.store.subscriptions.list(
            of: context.bundleID, account: call.query(.listAccount), limit: try call.listLimit())
        let now = try await context.store.now()
        return SubscriptionsAnswer(subscriptions: listed.map { SubscriptionsAnswer.Item($0, at: now) })
    }
}

extension QueryParameter {
    private static let limits = 1...1000
    private static let usualLimit = 100

    static let listAccount = QueryParameter("account", .described("Only this customer's"))
    static let listLimit = QueryParameter("limit", .range(limits), type: "integer")

    /// Reads the limit of a list; 100 if there is none.
    ///
    /// - Throws: ``APIError`` `malformedRequest`.
    fileprivate static func checkListLimit(_ text: String?) throws -> Int {
        guard let text else { return usualLimit }
        guard let limit = Int(text), limits.contains(limit) else {
            throw APIError(
                .badRequest, "malformedRequest", "limit is \(limits.lowerBound) to \(limits.upperBound)", field: "limit"
            )
        }
        return limit
    }
}

extension Call {
    /// The limit of a list in the query.
    ///
    /// - Throws: ``APIError`` `malformedRequest`.
    func listLimit() throws -> Int { try QueryParameter.checkListLimit(query(.listLimit)) }
}
