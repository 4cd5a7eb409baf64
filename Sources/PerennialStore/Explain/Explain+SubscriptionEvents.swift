import Perennial
import PerennialStorage

/// A figure of the Subscription Event report: the number of events of one name on a day.
package struct SubscriptionEventFigure: Sendable {
    package var bundleID: App.BundleID
    /// `2026-10-03`; `nil` for yesterday.
    package var date: String?
    /// The text of the report's `Event` column, such as `Renew`; `nil` for all.
    package var event: String?
    package var product: String?
    /// A country's code with two or three letters; `nil` for all.
    package var country: String?

    package init(
        bundleID: App.BundleID, date: String? = nil, event: String? = nil, product: String? = nil,
        country: String? = nil
    ) {
        self.bundleID = bundleID
        self.date = date
        self.event = event
        self.product = product
        self.country = country
    }
}

extension Explain {
    /// Explains a number of events of subscriptions. Each is one journal entry.
    ///
    /// - Throws: ``ExplainError``, ``StoreError`` `.appNotFound`.
    package func subscriptionEvents(
        _ figure: SubscriptionEventFigure, _ page: Explanation.Page = .init()
    ) async throws -> Explanation {
        let today = PacificDay(try await now())
        guard let day = figure.date.map({ PacificDay($0) }) ?? today.adding(-1) else {
            throw ExplainError(.malformed, "date", "a day such as 2026-10-03")
        }
        let storefront = try figure.country.map(Self.storefront)
        let (app, key) = try await upToDate(figure.bundleID)
        let rows = try await database.read { try SubscriptionEventsTable.events(on: day, key, on: $0) }
        let matching = rows.filter { row in
            (figure.event == nil || row.event.name.rawValue.lowercased() == figure.event?.lowercased())
                && (figure.product == nil || row.event.product.rawValue == figure.product)
                && (storefront == nil || row.event.storefront == storefront)
        }
        let title = [
            "events", figure.event.map { "\"\($0)\"" }, "of \(figure.product ?? "all products of \(app.bundleID)")",
            storefront.map { "in \($0)" }, "on \(day)",
        ].compactMap { $0 }.joined(separator: " ")
        guard !matching.isEmpty else {
            throw ExplainError.notFound(
                title,
                there: [
                    ("events", Set(rows.map(\.event.name.rawValue))),
                    ("products", Set(rows.map(\.event.product.rawValue))),
                    ("countries", Set(rows.map(\.event.storefront.alpha2))),
                ])
        }
        let reported = Explanation.Figure(units: matching.reduce(0) { $0.clampedAdding($1.quantity) })
        var builder = ExplanationBuilder(page, counts: true)
        try await replayEvents(matching.map(\.event), on: day, of: app, key) { entry, units in
            builder.add(Explanation.Contribution(of: entry, in: app, units: units))
        }
        return builder.explanation(title, reported: reported)
    }

    /// Computes the events of a day again from the lifecycles of their subscriptions, and passes the entries that make one of the
    /// wanted ones to a closure, in order.
    private func replayEvents(
        _ wanted: [SubscriptionReportEvent], on day: PacificDay, of app: App, _ key: RollUpKey,
        _ body: (RollUpBatch.Entry, Int64) throws -> Void
    ) async throws {
        let listed = try await database.read { connection in
            try Set(wanted.flatMap { try SubscriptionEventsTable.positions(of: $0, on: day, key, on: connection) })
                .sorted()
        }
        var subscriptions: Set<TransactionID> = []
        try await stream(at: listed, of: app, key) { entry in
            if let id = entry.subscriptionID { subscriptions.insert(id) }
        }
        guard let last = listed.last else { return }
        // A lifecycle begins with the sale of its original transaction.
        let first = try await database.read { [environment, subscriptions] connection in
            try subscriptions.compactMap {
                try TransactionsTable.journalPosition(of: $0, app: app.appleID, environment.id, on: connection)
            }.min()
        }
        let positions = try await self.positions(of: subscriptions, in: app, from: first ?? 1, through: last)
        let documents = Set(wanted.map(\.document))
        let products = Dictionary(app.reportedProducts.map { ($0.id, $0) }) { first, _ in first }
        var lifecycles: [TransactionID: SubscriptionLifecycle] = [:]
        try await stream(at: positions, of: app, key) { entry in
            guard let id = entry.subscriptionID,
                let step = SubscriptionLifecycle.Step(entry.entry, entry.transaction, after: lifecycles[id], products)
            else { return }
            lifecycles[id] = step.lifecycle
            let units = step.day == day ? step.events.count { documents.contains($0.document) } : 0
            if units > 0 { try body(entry, Int64(units)) }
        }
    }
}
