import Perennial
import PerennialStorage
import TestSupport
import Testing

/// PostgreSQL's plans for the pages of lists: found by an index, in its order, so that a page far down takes no longer.
struct PostgreSQLPlanTests {
    @Test func `a page of a list is found by its key`() async throws {
        let database = try Engine.postgres.makeDatabase()
        for (what, ask) in ListQueries.all {
            let plans = try await database.write { connection in
                // In an empty table, reading it all is cheapest: what remains of that is unavoidable.
                for setting in ["seqscan", "bitmapscan", "sort", "incremental_sort"] {
                    try connection.execute(SQL("SET LOCAL enable_\(setting) = off"))
                }
                let explained = ExplainedConnection(connection)
                try ask(explained)
                return explained.plans
            }
            #expect(!plans.isEmpty)
            for plan in plans {
                #expect(!plan.contains("Seq Scan") && plan.contains("Index Cond"), "\(what): \(plan)")
                #expect(!plan.contains("Sort Key") || ListQueries.sorted.contains(what), "\(what): \(plan)")
            }
        }
    }
}

/// A connection that keeps the plan of each query.
private final class ExplainedConnection: Connection {
    private let base: any Connection
    private(set) var plans: [String] = []

    init(_ base: any Connection) { self.base = base }

    var engine: DatabaseEngine { base.engine }
    var snapshotID: SnapshotID { base.snapshotID }
    var hasChangedCatalog: Bool { base.hasChangedCatalog }
    var journalHead: JournalHead? {
        get { base.journalHead }
        set { base.journalHead = newValue }
    }

    func invalidateSnapshot() { base.invalidateSnapshot() }
    func execute(_ sql: SQL, _ values: [SQLValue]) throws -> Int { try base.execute(sql, values) }

    func forEachRow(_ sql: SQL, _ values: [SQLValue], _ body: (any Row) throws -> Void) throws {
        var lines: [String] = []
        try base.forEachRow(SQL("EXPLAIN \(sql.text)"), values) { lines.append(try $0.text(0)) }
        plans.append(lines.joined(separator: "\n"))
        try base.forEachRow(sql, values, body)
    }
}
