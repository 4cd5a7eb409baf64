import Foundation
import Perennial
import PerennialStore

/// control/v1/accounts: the customers of an environment.
struct AccountRoutes {
    private struct AccountBody: RequestModel {
        var account: String
        var storefront: String?
        var paymentMethod: String?
        var canMakePayments: Bool?
        var password: String?
        var interruptsPurchases: Bool?
        var renewalRate: String?
        var asksToBuy: Bool?

        static let constraints: [String: Constraint] = [
            "account": .accountName, "storefront": .storefront, "paymentMethod": .oneOf(Account.PaymentMethod.self),
            "password": .password,
            "renewalRate": .oneOf(TimeRate.self, and: [environmentRate]).and(
                .described("In Sandbox only; `\(environmentRate)` for the environment's")),
            "asksToBuy": .described("In Sandbox only: purchases on the tester's devices wait for approval"),
        ]
    }

    private struct AccountModel: AnswerModel {
        var account: String
        var storefront: String
        var paymentMethod: String
        var canMakePayments: Bool
        var interruptsPurchases: Bool
        var renewalRate: String?
        var asksToBuy: Bool

        static let constraints: [String: Constraint] = [
            "storefront": .storefront, "paymentMethod": .oneOf(Account.PaymentMethod.self),
            "renewalRate": .oneOf(TimeRate.self),
        ]

        init(_ account: Account) {
            self.account = account.name
            storefront = account.storefront.rawValue
            paymentMethod = account.paymentMethod.rawValue
            canMakePayments = account.canMakePayments
            interruptsPurchases = account.interruptsPurchases
            renewalRate = account.renewalRate?.rawValue
            asksToBuy = account.asksToBuy
        }
    }

    /// The rate by which a tester gives the choice back to the environment.
    private static let environmentRate = "environment"

    private struct AccountsAnswer: AnswerModel {
        var accounts: [AccountModel]
        /// The `after` of the next page; missing on the last.
        var next: String?
    }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get(
            "accounts", "The accounts of the environment, by name", query: [.namePrefix, .pageLimit, .afterName],
            use: accounts)
        routes.post("accounts", "Make or change an account", errors: [429], use: put)
        routes.get("accounts/:account", "An account", use: account)
    }

    private func put(_ call: Call<AccountBody>, _ context: ControlContext) async throws -> AccountModel {
        let body = try await call.body()
        return AccountModel(
            try await context.store.accounts.put(
                body.account, storefront: body.storefront.map(Storefront.init(rawValue:)),
                paymentMethod: try body.paymentMethod.map {
                    try ControlFields.value($0, field: "paymentMethod")
                },
                canMakePayments: body.canMakePayments, password: body.password,
                interruptsPurchases: body.interruptsPurchases,
                renewalRate: try body.renewalRate.map { try Self.rate($0) }, asksToBuy: body.asksToBuy))
    }

    private static func rate(_ text: String) throws -> TimeRate? {
        text == environmentRate ? nil : try ControlFields.value(text, field: "renewalRate")
    }

    private func accounts(_ call: Call<NoBody>, _ context: ControlContext) async throws -> AccountsAnswer {
        let page = try await context.store.accounts.list(
            prefix: call.query(.namePrefix) ?? "", after: call.query(.afterName), limit: try call.pageLimit())
        return AccountsAnswer(accounts: page.items.map(AccountModel.init), next: page.next)
    }

    private func account(_ call: Call<NoBody>, _ context: ControlContext) async throws -> AccountModel {
        AccountModel(try await context.store.accounts.account(named: context.name("account")))
    }
}

extension QueryParameter {
    fileprivate static let namePrefix = QueryParameter("prefix", .described("The beginning of the names"))
}

extension Constraint {
    static let accountName = text(bytes: 1...Accounts.maximumAccountNameLength)
    static let idempotencyKey = text(bytes: 1...PurchaseRequest.maximumKeyLength)
}
