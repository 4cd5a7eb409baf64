import Perennial
import PerennialStorage

/// The use cases of figures for pages: they answer from the roll-ups as they are, however far the journal is ahead.
package struct RolledUp: StoreChapter {
    let context: StoreContext
    package let statistics: Statistics
    package let explain: Explain
    package let finance: Finance

    init(context: StoreContext, rollUps: RollUps) {
        var rollUps = rollUps
        rollUps.waitsForJournal = false
        self.context = context
        statistics = Statistics(context: context, rollUps: rollUps)
        explain = Explain(context: context, rollUps: rollUps)
        finance = Finance(context: context, rollUps: rollUps)
    }

    /// Returns how far an app's roll-ups are; `nil` before its first entry.
    package func status(of bundleID: App.BundleID) async throws -> RollUps.Status? {
        try await database.read { [self] connection in
            let app = try app(bundleID, on: connection).app
            let heads = try RollUpHeadsTable.heads(app: app.appleID, environment.id, on: connection)
            let last = try JournalTable.lastPosition(app: app.appleID, environment.id, on: connection)
            guard last > 0 else { return nil }
            return try RollUps.Status(
                of: bundleID,
                RollUpHeadsTable.Work(environment: environment.id, app: app.appleID, journal: last, heads: heads),
                at: try clock.now(on: connection), on: connection)
        }
    }
}
