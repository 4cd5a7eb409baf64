import Perennial
import PerennialStore

/// The table of what falls due next: work on subscriptions, scheduled prices and, of one app, notifications.
struct UpcomingTable {
    private let request: PageRequest
    private let apps: Set<App.BundleID>

    private struct Row {
        var due: Instant
        var event: Text
        var customer = Cell(.none)
        var product = Cell(.none)
        var id = Cell(.none)
    }

    init(_ request: PageRequest) {
        self.request = request
        apps = Set(request.app.map { [$0.bundleID] } ?? request.apps.map(\.bundleID))
    }

    func table(limit: Int) async throws -> Table {
        let rows = try await subscriptions(limit) + prices(limit) + notifications(limit)
        let canAdvance = request.environment.clock == .manual && request.allows(.operate)
        return Table(
            caption: .phrase(ClockPhrases.next),
            columns: [
                .init(.phrase(ClockPhrases.due), .leading, .primary),
                .init(.phrase(ClockPhrases.event), .leading, .primary),
                .init(.phrase(Words.customer)), .init(.phrase(Words.product)),
                .init(.phrase(Words.subscription), .leading, .wideOnly),
            ],
            rows: rows.sorted { $0.due < $1.due }.prefix(limit).map { row in
                let advance = Action.post(
                    .phrase(ClockPhrases.advanceTo), path: request.path("clock"),
                    fields: ["to": row.due.rfc3339(fraction: true)],
                    same: request.sameHere(
                        "clock advance --to \(row.due.rfc3339(fraction: true))",
                        .init(
                            "POST", "control/v1/clock/advance",
                            JSONText.object(["to": row.due.rfc3339(fraction: true)]))))
                return Table.Row(
                    [Cell(.exact(row.due)), Cell(row.event), row.customer, row.product, row.id],
                    actions: canAdvance && row.due > request.now ? [advance] : [])
            }, empty: EmptyState(text: .phrase(ClockPhrases.nothingDue)))
    }

    private func product(_ id: Product.ID, _ app: App.BundleID, _ page: String = "") -> Cell {
        Cell(.data(id.rawValue), path: request.path(to: "products/\(ConsolePath.encoded(id.rawValue))\(page)", of: app))
    }

    private func subscriptions(_ limit: Int) async throws -> [Row] {
        try await request.store.renewals.upcoming(limit: limit).filter { apps.contains($0.bundleID) }.map { work in
            Row(
                due: work.due, event: .phrase(Words.subscription),
                customer: request.customerCell(work.account, of: work.bundleID),
                product: product(work.productID, work.bundleID),
                id: request.transactionCell(work.subscriptionID, of: work.bundleID))
        }
    }

    private func prices(_ limit: Int) async throws -> [Row] {
        try await request.store.products.upcomingPrices(limit: limit).filter { apps.contains($0.bundleID) }.map { due in
            let price: Text =
                due.prices.count == 1
                ? .money(due.prices[0].price) : .phrase(ClockPhrases.storefronts, .number(due.prices.count))
            return Row(
                due: due.due, event: .list([.phrase(PricePhrases.change), price]),
                product: product(due.productID, due.bundleID, "/prices"))
        }
    }

    /// Returns the attempts of the page's app. A list of all apps has none, because each app's are read by themselves.
    private func notifications(_ limit: Int) async throws -> [Row] {
        guard let app = request.app?.bundleID else { return [] }
        return try await request.store.notifications.upcoming(of: app, limit: limit).map { notification in
            Row(
                due: notification.due,
                event: .list(
                    [.phrase(Words.notification), .data(notification.type)]
                        + (notification.attempts > 0
                            ? [.phrase(ClockPhrases.attempt, .number(notification.attempts + 1))] : [])),
                customer: request.customerCell(notification.account ?? "", of: app),
                id: .id(notification.uuid, path: request.path(to: "notifications/\(notification.uuid)", of: app)))
        }
    }
}
