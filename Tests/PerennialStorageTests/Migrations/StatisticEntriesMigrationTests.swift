import Perennial
import TestSupport
import Testing

@testable import PerennialStorage

/// The rebuild that begins with the list of the entries behind statistics.
struct StatisticEntriesMigrationTests {
    private static let before = Array(Migration.all.prefix { $0 != .statisticEntries })

    @Test(arguments: Engine.allCases)
    func `a rebuild of each app begins, and one that runs begins anew`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: Self.before)
        let environment = StoreEnvironment.ID.production
        try await database.write { connection in
            for (app, state) in [(1, RollUpHeadsTable.State.current), (2, .current), (2, .building)] {
                _ = try RollUpHeadsTable.add(
                    state, app: Int64(app), environment, at: Instant(seconds: 100), on: connection)
            }
        }
        try database.migrate(Migration.all)
        let states = try await database.read { connection in
            try (1...3).map { app in
                try RollUpHeadsTable.heads(app: app, environment, on: connection).map {
                    "\($0.key.generation) \($0.state) \($0.position)"
                }
            }
        }
        #expect(
            states == [
                ["1 current 0", "2 building 0"], ["1 current 0", "2 retired 0", "3 building 0"], [],
            ])
    }
}
