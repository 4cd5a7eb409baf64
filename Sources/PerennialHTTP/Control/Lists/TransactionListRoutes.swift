import HTTPTypes
import Perennial
import PerennialStore

/// The lists of an app's transactions and subscriptions.
struct TransactionListRoutes {
    private struct TransactionsAnswer: AnswerModel {
        var transactions: [ListedTransactionModel]
        /// The `after` of the next page; missing on the last.
        var next: String?
    }

    private struct SubscriptionsAnswer: AnswerModel {
        var subscriptions: [Item]
        /// The `after` of the next page; missing on the last.
        var next: String?

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
    }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get(
            "apps/:bundleId/transactions", "An app's transactions, the newest purchase dates first",
            query: [
                .listAccount, .listProduct, .productType, .transactionState, .fromDate, .untilDate, .pageLimit,
                .afterPair,
            ], use: transactions)
        routes.get(
            "apps/:bundleId/subscriptions", "An app's subscriptions, newest first",
            query: [.listAccount, .listProduct, .subscriptionStatus, .pageLimit, .afterNumber], use: subscriptions)
    }

    private func transactions(_ call: Call<NoBody>, _ context: ControlContext) async throws -> TransactionsAnswer {
        let filter = TransactionFilter(
            account: call.query(.listAccount), product: call.query(.listProduct).map(Product.ID.init(rawValue:)),
            type: try call.query(.productType).map { try ControlFields.value($0, field: "type") },
            state: try call.query(.transactionState).map { try ControlFields.value($0, field: "state") },
            from: try call.query(.fromDate).map { try ControlFields.time($0, field: "fromDate") },
            until: try call.query(.untilDate).map { try ControlFields.time($0, field: "untilDate") })
        let (page, now) = try await context.store.transactions.list(
            of: context.bundleID, filter, after: call.query(.afterPair), limit: try call.pageLimit())
        return TransactionsAnswer(
            transactions: page.items.map { ListedTransactionModel($0, at: now) }, next: page.next)
    }

    private func subscriptions(_ call: Call<NoBody>, _ context: ControlContext) async throws -> SubscriptionsAnswer {
        let status = try call.query(.subscriptionStatus).map { text -> SubscriptionStatus in
            guard let status = Int64(text).flatMap(SubscriptionStatus.init(rawValue:)) else {
                let allowed = SubscriptionStatus.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
                throw APIError(.badRequest, "malformedRequest", "status is one of: \(allowed)", field: "status")
            }
            return status
        }
        let filter = SubscriptionFilter(
            account: call.query(.listAccount), product: call.query(.listProduct).map(Product.ID.init(rawValue:)),
            status: status)
        let (page, now) = try await context.store.subscriptions.list(
            of: context.bundleID, filter, after: call.query(.afterNumber), limit: try call.pageLimit())
        return SubscriptionsAnswer(
            subscriptions: page.items.map { SubscriptionsAnswer.Item($0, at: now) }, next: page.next)
    }
}

/// A transaction in a list of operators.
struct ListedTransactionModel: Model, Encodable {
    var transactionId: String
    var originalTransactionId: String
    var account: String
    var productId: String
    var type: String
    var quantity: Int
    var price: Int64
    var currency: String
    var storefront: String
    var purchaseDate: String
    var expiresDate: String?
    var revocationDate: String?
    var revocationReason: Int64?
    /// Missing where the refunded share isn't known.
    var revocationPercentage: Int64?
    var isUpgraded: Bool
    var isFinished: Bool
    var state: String

    static let constraints: [String: Constraint] = [
        "type": .oneOf(ProductType.self), "price": .milliunits, "purchaseDate": .time, "expiresDate": .time,
        "revocationDate": .time, "state": .oneOf(TransactionState.self), "storefront": .storefront,
        "revocationReason": .oneOf(Transaction.Revocation.Reason.allCases.map(\.rawValue)),
        "revocationPercentage": .described("The refunded share in thousandths of a percent"),
    ]

    init(_ listed: Listed<Transaction>, at now: Instant) {
        let transaction = listed.value
        transactionId = transaction.id.description
        originalTransactionId = transaction.originalID.description
        account = listed.account
        productId = transaction.productID.rawValue
        type = transaction.type.rawValue
        quantity = transaction.quantity
        price = transaction.price.milliunits
        currency = transaction.price.currency.rawValue
        storefront = transaction.storefront.rawValue
        purchaseDate = transaction.purchaseDate.rfc3339()
        expiresDate = transaction.expiresDate?.rfc3339()
        revocationDate = transaction.revocation?.date.rfc3339()
        revocationReason = transaction.revocation?.reason.rawValue
        revocationPercentage = transaction.revocation?.percentage
        isUpgraded = transaction.isUpgraded
        isFinished = transaction.isFinished
        state = TransactionState(transaction, at: now).rawValue
    }
}

extension QueryParameter {
    static let listProduct = QueryParameter("productId", .described("Only this product's"))
    fileprivate static let transactionState = QueryParameter("state", .oneOf(TransactionState.self))
    fileprivate static let subscriptionStatus = QueryParameter(
        "status", .oneOf(SubscriptionStatus.allCases.map(\.rawValue)), type: "integer")
    fileprivate static let fromDate = QueryParameter(
        "fromDate", .moment.and(.described("The earliest purchase date")))
    fileprivate static let untilDate = QueryParameter(
        "untilDate", .moment.and(.described("The end of purchase dates, itself excluded")))
}
