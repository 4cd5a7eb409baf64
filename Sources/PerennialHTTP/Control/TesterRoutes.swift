import Perennial
import PerennialStore

/// control/v1/testers: the accounts of a sandbox environment as testers.
struct TesterRoutes {
    private struct NameBody: RequestModel {
        var firstName: String?
        var lastName: String?

        static let constraints: [String: Constraint] = [
            "firstName": TeamFields.nameOrNone, "lastName": TeamFields.nameOrNone,
        ]
    }

    private struct TestersAnswer: AnswerModel {
        var testers: [TesterModel]
        /// The `after` of the next page; missing on the last.
        var next: String?
    }

    private struct TesterModel: AnswerModel {
        /// The ID in the App Store Connect API.
        var id: String
        var account: String
        var firstName: String?
        var lastName: String?
        var storefront: String
        var interruptsPurchases: Bool
        var renewalRate: String?
        var asksToBuy: Bool

        static let constraints: [String: Constraint] = [
            "storefront": .storefront, "renewalRate": .oneOf(TimeRate.self),
        ]

        init(_ tester: SandboxTester) {
            (id, account) = (String(tester.id), tester.account.name)
            (firstName, lastName) = (tester.firstName, tester.lastName)
            storefront = tester.account.storefront.rawValue
            interruptsPurchases = tester.account.interruptsPurchases
            renewalRate = tester.account.renewalRate?.rawValue
            asksToBuy = tester.account.asksToBuy
        }
    }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get(
            "testers", "The sandbox testers of the environment, by account", query: [.pageLimit, .afterName]
        ) { (call: Call<NoBody>, context) in
            let page = try await context.store.testers.list(after: call.query(.afterName), limit: call.pageLimit())
            return TestersAnswer(testers: page.items.map(TesterModel.init), next: page.next)
        }
        routes.get("testers/:account", "A sandbox tester") { (_: Call<NoBody>, context) in
            TesterModel(try await context.store.testers.tester(named: context.name("account")))
        }
        routes.post("testers/:account", "Set a tester's name; accounts has the other settings") {
            (call: Call<NameBody>, context) in
            let body = try await call.body()
            return TesterModel(
                try await context.store.testers.rename(
                    context.name("account"), firstName: body.firstName, lastName: body.lastName))
        }
        routes.post(
            "testers/:account/clear-purchase-history", "Forget what a tester has bought", errors: [409]
        ) { (_: Call<NoBody>, context) in
            let testers = context.store.testers
            let tester = try await testers.tester(named: context.name("account"))
            try await testers.clearPurchaseHistories(of: [tester.id])
            return TesterModel(try await testers.tester(named: context.name("account")))
        }
    }
}
