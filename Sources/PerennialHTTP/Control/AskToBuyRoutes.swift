import Perennial
import PerennialStore

/// control/v1/approvals: Ask to Buy, as a parent answers it.
struct AskToBuyRoutes {
    private struct List: AnswerModel {
        var approvals: [WaitingPurchase]
        /// The `after` of the next page; missing on the last.
        var next: String?
    }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get(
            "approvals", "Purchases that wait for a parent", query: [.bundleID, .pageLimit, .afterNumber], use: list)
        routes.post("approvals/:id/approve", "Say yes to a purchase", errors: PurchaseRoutes.refusals) {
            (call: Call<NoBody>, context) in
            try await Self.answer(true, context)
        }
        routes.post("approvals/:id/decline", "Say no to a purchase", errors: PurchaseRoutes.refusals) {
            (call: Call<NoBody>, context) in
            try await Self.answer(false, context)
        }
    }

    private func list(_ call: Call<NoBody>, _ context: ControlContext) async throws -> List {
        let waiting = try await context.store.askToBuy.approvals(
            bundleID: try call.bundleIDOfQuery(), after: call.query(.afterNumber), limit: try call.pageLimit())
        return List(approvals: waiting.items.map { WaitingPurchase($0) }, next: waiting.next)
    }

    private static func answer(_ approved: Bool, _ context: ControlContext) async throws -> WaitingPurchaseAnswer {
        let id = try context.namedNumber(orThrow: "approvalNotFound", "a request is named by its number")
        let transaction = try await context.store.askToBuy.answer(id, approved: approved)
        return WaitingPurchaseAnswer(transactionId: transaction?.id.description)
    }
}

/// A purchase that waits for a parent or for its customer.
struct WaitingPurchase: Model, Encodable {
    var id: String
    var account: String
    var productId: String
    var quantity: Int

    init(_ waiting: PurchaseApproval) {
        id = "\(waiting.id)"
        account = waiting.account
        productId = waiting.request.productID.rawValue
        quantity = waiting.request.quantity
    }
}

/// The outcome of a purchase that has waited.
struct WaitingPurchaseAnswer: AnswerModel {
    /// Left out where nothing was bought: declined, given up, or answered too late.
    var transactionId: String?
}
