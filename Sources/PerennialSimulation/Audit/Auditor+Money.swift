import Perennial
import PerennialStorage
import PerennialStore

/// Audits of the ledger's totals and of the closings of months.
extension Auditor {
    func checkTotals(in deployment: isolated Deployment) async throws {
        let place: [SQLValue] = [.integer(environment.id.rawValue), .integer(SimulatedCatalog.appleID)]
        let (sums, counts) = try await deployment.database.read { connection in
            let sums = try connection.query(
                """
                SELECT account, currency, CAST(SUM(amount) AS BIGINT) FROM postings
                WHERE environment = $1 AND app = $2 GROUP BY account, currency
                """, place
            ) { ("\(try $0.text(0)) \(try $0.text(1))", try $0.integer(2)) }
            let counts = try connection.query(
                """
                SELECT (SELECT COUNT(*) FROM transactions WHERE environment = $1 AND app = $2),
                (SELECT COALESCE(MAX(position), 0) FROM journal_heads WHERE environment = $1 AND app = $2),
                (SELECT COUNT(*) FROM journal WHERE environment = $1 AND app = $2)
                """, place
            ) { [try $0.integer(0), try $0.integer(1), try $0.integer(2)] }
            return (Dictionary(sums) { first, _ in first }, counts[0])
        }
        guard sums.filter({ $0.value != 0 }) == replay.money.filter({ $0.value != 0 }) else {
            throw Violation(.unbalanced, "the ledger has \(sums), the journal says \(replay.money)")
        }
        let totals = Dictionary(grouping: sums) { $0.key.split(separator: " ").last }.mapValues { $0.map(\.value) }
        guard totals.values.allSatisfy({ $0.reduce(0, +) == 0 }) else {
            throw Violation(.unbalanced, "the ledger doesn't sum to zero: \(totals)")
        }
        guard counts == [Int64(replay.sales.count), replay.digest.last, replay.digest.last] else {
            throw Violation(.journalAndTables, "transactions, head and entries are \(counts)")
        }
    }

    mutating func checkClosings(in deployment: isolated Deployment) async throws {
        closings = try await financeAudit(on: steps, in: deployment).check(closings)
    }

    func financeAudit(on node: Int, in deployment: isolated Deployment) async throws -> FinanceAudit {
        FinanceAudit(
            store: try await deployment.node(node).store(), database: deployment.database,
            models: [financeBefore, deployment.clients.finance])
    }
}
