import Perennial
import PerennialStorage
import Synchronization

/// Caches decoded rows by the columns that can change, since a step changes few of them.
final class RowCache: Sendable {
    /// The columns of a transaction that can change, and its position in the journal.
    struct Version: Equatable, Sendable {
        var modified: Int64
        var position: Int64
        var expires: Int64?
        var revoked: Int64?
        var percentage: Int64?
        var isUpgraded: Bool
        var isFinished: Bool
    }

    private struct Rows {
        var transactions: [TransactionID: (version: Version, value: Transaction)] = [:]
        var subscriptions: [TransactionID: (document: String, value: Subscription)] = [:]
    }

    private let rows = Mutex(Rows())

    /// Returns a transaction. Reads it if this version isn't cached.
    func transaction(
        _ id: TransactionID, _ version: Version, read: () throws -> Transaction
    ) rethrows -> Transaction {
        if let cached = rows.withLock({ $0.transactions[id] }), cached.version == version { return cached.value }
        let value = try read()
        rows.withLock { $0.transactions[id] = (version, value) }
        return value
    }

    func subscription(_ id: TransactionID, _ document: String) throws -> Subscription {
        if let cached = rows.withLock({ $0.subscriptions[id] }), cached.document == document { return cached.value }
        let value = try Subscription(document: document)
        rows.withLock { $0.subscriptions[id] = (document, value) }
        return value
    }

    func removeAll() {
        rows.withLock { $0 = Rows() }
    }
}
