import Perennial
import PerennialStore

/// control/v1/interruptions: purchases that failed until their customers act.
struct InterruptionRoutes {
    private struct List: AnswerModel {
        var interruptions: [WaitingPurchase]
        /// The `after` of the next page; missing on the last.
        var next: String?
    }

    private struct ResolveBody: RequestModel { var completed: Bool? }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get(
            "interruptions", "Purchases that wait for their customers", query: [.bundleID, .pageLimit, .afterNumber],
            use: list)
        routes.post(
            "interruptions/:id/resolve", "Do for the customer what interrupted a purchase",
            errors: PurchaseRoutes.refusals, use: resolve)
    }

    private func list(_ call: Call<NoBody>, _ context: ControlContext) async throws -> List {
        let waiting = try await context.store.purchases.interruptions(
            bundleID: try call.bundleIDOfQuery(), after: call.query(.afterNumber), limit: try call.pageLimit())
        return List(interruptions: waiting.items.map { WaitingPurchase($0) }, next: waiting.next)
    }

    private func resolve(
        _ call: Call<ResolveBody?>, _ context: ControlContext
    ) async throws -> WaitingPurchaseAnswer {
        let id = try context.namedNumber(
            orThrow: "approvalNotFound", "an interrupted purchase is named by its number")
        let isCompleted = try await call.body()?.completed ?? true
        let transaction = try await context.store.purchases.resolveInterruption(id, completed: isCompleted)
        return WaitingPurchaseAnswer(transactionId: transaction?.id.description)
    }
}
