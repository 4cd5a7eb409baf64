import Perennial
import PerennialStore

/// Lists of transactions and of subscriptions, and one transaction's page.
struct TransactionsChapter: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.page("transactions", .support) { try await TransactionListPage($0).page() }
        routes.page("transactions/:id", .support) { try await TransactionPage.page($0) }
        routes.page("subscriptions/list", .support) { try await SubscriptionListPage($0).page() }
    }
}

/// The list of an app's transactions, with filters.
struct TransactionListPage {
    private let request: PageRequest
    private let account: String
    private let product: String
    private let type: ProductType?
    private let state: TransactionState?
    private let span: Span?

    /// The spans of time to choose from, before now.
    private enum Span: String, CaseIterable {
        case day, week, month

        var milliseconds: Int64 {
            switch self {
            case .day: .days(1)
            case .week: .days(7)
            case .month: .days(30)
            }
        }

        var phrase: Phrase {
            switch self {
            case .day: TransactionPhrases.day
            case .week: TransactionPhrases.week
            case .month: TransactionPhrases.month
            }
        }
    }

    init(_ request: PageRequest) {
        self.request = request
        account = request.query["account"] ?? ""
        product = request.query["product"] ?? ""
        type = request.query["type"].flatMap(ProductType.init(rawValue:))
        state = request.query["state"].flatMap(TransactionState.init(rawValue:))
        span = request.query["span"].flatMap(Span.init(rawValue:))
    }

    /// The beginning of the span.
    private var start: Instant? { span.map { request.now + -$0.milliseconds } }

    func page() async throws -> Page {
        let bundleID = try request.bundleID()
        let filter = TransactionFilter(
            account: account.isEmpty ? nil : account, product: product.isEmpty ? nil : Product.ID(rawValue: product),
            type: type, state: state, from: start)
        let (page, now) = try await CustomerPage.listed(at: request.now) {
            try await request.store.transactions.list(
                of: bundleID, filter, after: request.query["after"], limit: CustomersChapter.pageSize)
        }
        let isFiltered = filter != TransactionFilter()
        let table = Table(
            caption: .phrase(Words.transactions),
            columns: [
                .init(.phrase(Words.transaction), .leading, .primary), .init(.phrase(Words.product)),
                .init(.phrase(Words.customer)), .init(.phrase(Words.price), .trailing, .primary),
                .init(.phrase(TransactionPhrases.purchased), .trailing), .init(.phrase(Words.status)),
            ],
            rows: page.items.map { row($0, at: now) },
            next: page.next.map { path(after: $0) }, first: request.query["after"].map { _ in path(after: "") },
            empty: page.next != nil
                ? EmptyState(text: .phrase(TransactionPhrases.noneMatchHere))
                : isFiltered
                    ? .noneMatch(.phrase(TransactionPhrases.noneMatch), clearedAt: request.path("transactions"))
                    : EmptyState(
                        text: .phrase(TransactionPhrases.none),
                        same: request.sameHere("buy PRODUCT --account ann@example.com", namesApp: true)))
        return Page(
            .phrase(Words.transactions), .transactions, [.filter(self.filter), .table(table), .same(same(bundleID))])
    }

    private func row(_ listed: Listed<Transaction>, at now: Instant) -> Table.Row {
        let transaction = listed.value
        let state = TransactionState(transaction, at: now)
        return Table.Row([
            request.transactionCell(transaction.id), request.productCell(transaction.productID),
            request.customerCell(listed.account), Cell(.money(transaction.price)),
            Cell(.time(transaction.purchaseDate)),
            Cell(.phrase(TransactionPhrases.name(of: state)), status: TransactionPhrases.status(of: state)),
        ])
    }

    private var filter: Filter {
        Filter(
            choices: [
                .init(
                    label: .phrase(Words.status), parameter: "state",
                    options: [("", .phrase(Words.all))]
                        + TransactionState.allCases.map { ($0.rawValue, .phrase(TransactionPhrases.name(of: $0))) },
                    selected: state?.rawValue ?? ""),
                .init(
                    label: .phrase(Words.type), parameter: "type",
                    options: [("", .phrase(Words.all))]
                        + ProductType.allCases.map { ($0.rawValue, .phrase($0.phrase)) },
                    selected: type?.rawValue ?? ""),
                .init(
                    label: .phrase(TransactionPhrases.span), parameter: "span",
                    options: [("", .phrase(Words.all))] + Span.allCases.map { ($0.rawValue, .phrase($0.phrase)) },
                    selected: span?.rawValue ?? ""),
            ],
            searches: [
                .init(label: .phrase(Words.product), parameter: "product", value: product),
                .init(label: .phrase(Words.customer), parameter: "account", value: account),
            ])
    }

    private func path(after cursor: String) -> String {
        request.path(
            "transactions",
            [
                "account": account, "product": product, "type": type?.rawValue ?? "", "state": state?.rawValue ?? "",
                "span": span?.rawValue ?? "", "after": cursor,
            ])
    }

    private func same(_ bundleID: App.BundleID) -> SameCommand {
        request.sameList(
            "transactions list", "control/v1/apps/\(bundleID.rawValue)/transactions", namesApp: true,
            [
                .init("account", "account", account), .init("product", "productId", product),
                .init("type", "type", option: type?.option ?? "", field: type?.rawValue ?? ""),
                .init("state", "state", state?.rawValue ?? ""),
                .init("from", "fromDate", start?.rfc3339() ?? ""),
            ])
    }
}
