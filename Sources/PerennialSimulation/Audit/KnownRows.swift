import Perennial
import PerennialStorage
import Synchronization

/// What the tables said when it was last read. A row is made into a value anew where anything of it that can change has:
/// after most steps that is next to nothing, however many years there are.
final class KnownRows: Sendable {
    /// The columns of a transaction that can change, and where the journal tells of it.
    struct Mark: Equatable, Sendable {
        var modified: Int64
        var position: Int64
        var expires: Int64?
        var revoked: Int64?
        var percentage: Int64?
        var isUpgraded: Bool
        var isFinished: Bool
    }

    private struct State {
        var transactions: [TransactionID: (mark: Mark, value: Transaction)] = [:]
        var subscriptions: [TransactionID: (document: String, value: Subscription)] = [:]
    }

    private let state = Mutex(State())

    /// A transaction, read where it isn't known as it is.
    func transaction(_ id: TransactionID, _ mark: Mark, read: () throws -> Transaction) rethrows -> Transaction {
        if let known = state.withLock({ $0.transactions[id] }), known.mark == mark { return known.value }
        let value = try read()
        state.withLock { $0.transactions[id] = (mark, value) }
        return value
    }

    func subscription(_ id: TransactionID, _ document: String) throws -> Subscription {
        if let known = state.withLock({ $0.subscriptions[id] }), known.document == document { return known.value }
        let value = try Subscription(document: document)
        state.withLock { $0.subscriptions[id] = (document, value) }
        return value
    }

    /// From now on everything is read again.
    func forget() {
        state.withLock { $0 = State() }
    }
}
