import Perennial
import PerennialStore

/// Customers: the list, and one customer's page.
struct CustomersChapter: ConsoleChapter {
    /// The rows of a page.
    static let pageSize = 50

    func add(to routes: ConsoleRoutes) {
        routes.page("customers", .support, ofAllApps: true) { try await list($0) }
        routes.page("customers/:account", .support) { try await CustomerPage.page($0) }
    }

    private func list(_ request: PageRequest) async throws -> Page {
        let prefix = request.query["prefix"] ?? ""
        let page = try await request.store.accounts.list(
            prefix: prefix, after: request.query["after"], limit: Self.pageSize)
        let filter = Filter(searches: [
            Filter.Search(label: .phrase(CustomerPhrases.prefix), parameter: "prefix", value: prefix)
        ])
        let table = Table(
            caption: .phrase(Words.customers),
            columns: [
                .init(.phrase(Words.name), .leading, .primary),
                .init(.phrase(CustomerPhrases.payment), .leading, .primary),
                .init(.phrase(Words.storefront)), .init(.phrase(CustomerPhrases.created), .trailing),
            ],
            rows: page.items.map { account in
                Table.Row([
                    request.customerCell(account.name), Self.payment(account),
                    Cell(.storefront(account.storefront, request.language)), Cell(.time(account.created)),
                ])
            },
            next: page.next.map { request.path("customers", ["prefix": prefix, "after": $0]) },
            first: request.query["after"].map { _ in request.path("customers", ["prefix": prefix]) },
            empty: prefix.isEmpty
                ? EmptyState(
                    text: .phrase(CustomerPhrases.noCustomers),
                    same: request.sameHere("buy PRODUCT --account ann@example.com", namesApp: true))
                : .noneMatch(.phrase(CustomerPhrases.noneNamed), clearedAt: request.path("customers")))
        return Page(
            .phrase(Words.customers), .customers,
            [
                .filter(filter), .table(table),
                .same(
                    request.sameList("accounts list", "control/v1/accounts", [.init("prefix", "prefix", prefix)])),
            ])
    }

    /// The result of charges to an account.
    static func payment(_ account: Account) -> Cell {
        guard account.canMakePayments else { return Cell(.phrase(CustomerPhrases.mayNotBuy), status: .warning) }
        let isValid = account.paymentMethod == .valid
        return Cell(
            .phrase(isValid ? CustomerPhrases.valid : CustomerPhrases.declined), status: isValid ? .neutral : .warning)
    }
}
