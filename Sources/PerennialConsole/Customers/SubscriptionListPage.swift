import Perennial
import PerennialStore

/// The list of an app's subscriptions, with filters.
struct SubscriptionListPage {
    private let request: PageRequest
    private let account: String
    private let product: String
    private let status: SubscriptionStatus?

    init(_ request: PageRequest) {
        self.request = request
        account = request.query["account"] ?? ""
        product = request.query["product"] ?? ""
        status = request.query["status"].flatMap { Int64($0) }.flatMap(SubscriptionStatus.init(rawValue:))
    }

    func page() async throws -> Page {
        let bundleID = try request.bundleID()
        let filter = SubscriptionFilter(
            account: account.isEmpty ? nil : account, product: product.isEmpty ? nil : Product.ID(rawValue: product),
            status: status)
        let (page, now) = try await CustomerPage.listed(at: request.now) {
            try await request.store.subscriptions.list(
                of: bundleID, filter, after: request.query["after"], limit: CustomersChapter.pageSize)
        }
        let table = Table(
            caption: .phrase(Words.subscriptions),
            columns: [
                .init(.phrase(TransactionPhrases.original), .leading, .primary), .init(.phrase(Words.product)),
                .init(.phrase(Words.customer)), .init(.phrase(Words.status), .leading, .primary),
                .init(.phrase(TransactionPhrases.expires), .trailing), .init(.phrase(SubscriptionListPhrases.renews)),
            ],
            rows: page.items.map { row($0, at: now) },
            next: page.next.map { path(after: $0) }, first: request.query["after"].map { _ in path(after: "") },
            empty: page.next != nil
                ? EmptyState(text: .phrase(TransactionPhrases.noSubscriptionsHere))
                : .noneMatch(
                    .phrase(TransactionPhrases.noSubscriptions), clearedAt: request.path("subscriptions/list")))
        return Page(
            .phrase(Words.subscriptions), .subscriptions,
            [
                .filter(self.filter), .table(table),
                .same(
                    request.sameList(
                        "subscriptions list", "control/v1/apps/\(bundleID.rawValue)/subscriptions", namesApp: true,
                        [
                            .init("account", "account", account), .init("product", "productId", product),
                            .init(
                                "state", "status", option: status?.commandName ?? "",
                                field: status.map { "\($0.rawValue)" } ?? ""),
                        ])),
            ])
    }

    private func row(_ listed: Listed<Subscription>, at now: Instant) -> Table.Row {
        let subscription = listed.value
        let status = subscription.status(at: now)
        return Table.Row([
            request.transactionCell(subscription.id), request.productCell(subscription.product.id),
            request.customerCell(listed.account),
            Cell(.phrase(TransactionPhrases.name(of: status)), status: TransactionPhrases.status(of: status)),
            Cell(.time(subscription.paidUntil)),
            Cell(.phrase(subscription.autoRenewStatus == 1 ? Words.yes : Words.no)),
        ])
    }

    private var filter: Filter {
        Filter(
            choices: [
                .init(
                    label: .phrase(Words.status), parameter: "status",
                    options: [("", .phrase(Words.all))]
                        + SubscriptionStatus.allCases.map {
                            ("\($0.rawValue)", .phrase(TransactionPhrases.name(of: $0)))
                        }, selected: status.map { "\($0.rawValue)" } ?? "")
            ],
            searches: [
                .init(label: .phrase(Words.product), parameter: "product", value: product),
                .init(label: .phrase(Words.customer), parameter: "account", value: account),
            ])
    }

    private func path(after cursor: String) -> String {
        request.path(
            "subscriptions/list",
            [
                "account": account, "product": product, "status": status.map { "\($0.rawValue)" } ?? "",
                "after": cursor,
            ])
    }
}

extension SubscriptionStatus {
    /// The value of the command line's option `--state`.
    fileprivate var commandName: String {
        switch self {
        case .active: "active"
        case .expired: "expired"
        case .billingRetry: "billing-retry"
        case .gracePeriod: "grace-period"
        case .revoked: "revoked"
        }
    }
}
