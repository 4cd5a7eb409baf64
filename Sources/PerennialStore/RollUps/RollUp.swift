import Perennial
import PerennialStorage

/// A set of tables that is computed from the journal alone, in the order of its positions.
///
/// A roll-up is idempotent: its position is stored in the transaction that writes its changes, so every entry counts
/// once, on any number of nodes. It can be built again while the store runs, as another generation of the same tables.
protocol RollUp: Sendable {
    /// Reads what a batch needs and computes its changes. Only roll-ups change the tables of roll-ups, and changes are
    /// written only if the position is still that of the batch, so what is read here is current.
    func changes(for batch: RollUpBatch, on connection: any Connection) throws -> any RollUpChanges

    /// Deletes all rows of a generation.
    func erase(_ key: RollUpKey, on connection: any Connection) throws

    /// Deletes a portion of a generation's rows, so that no transaction is long.
    ///
    /// - Parameter limit: The number of rows after which to stop.
    /// - Returns: True if none is left.
    func erase(_ key: RollUpKey, atMost limit: Int, on connection: any Connection) throws -> Bool
}

extension RollUp {
    /// Deletes all rows at once, for a roll-up with few of them.
    func erase(_ key: RollUpKey, atMost limit: Int, on connection: any Connection) throws -> Bool {
        try erase(key, on: connection)
        return true
    }
}

/// Signals that a batch was computed from what another transaction has changed since. It is computed again.
struct RollUpConflict: Error {}

/// The changes of one batch to the tables of one roll-up.
protocol RollUpChanges: Sendable {
    func write(_ key: RollUpKey, on connection: any Connection) throws
}

/// Consecutive journal entries of an app.
package struct RollUpBatch: Sendable {
    package var key: RollUpKey
    package var app: App
    package var entries: [Entry]

    /// A journal entry with its transaction.
    package struct Entry: Sendable {
        package var position: Int64
        /// The entry with its postings and facts. A renewal has the device of its subscription's last purchase.
        package var entry: JournalEntry
        /// The entry's transaction; `nil` if it has none, and for entries of finished transactions. Its revocation and
        /// `isUpgraded` may be from later entries: use only what never changes.
        package var transaction: Transaction?
        /// The sale that a refund takes back, or a refund's reversal restores; `nil` for other entries.
        package var sale: Sale?

        package init(position: Int64, entry: JournalEntry, transaction: Transaction? = nil, sale: Sale? = nil) {
            self.position = position
            self.entry = entry
            self.transaction = transaction
            self.sale = sale
        }
    }

    /// An earlier sale.
    package struct Sale: Sendable {
        package var at: Instant
        package var facts: SaleFacts?

        package init(at: Instant, facts: SaleFacts?) {
            self.at = at
            self.facts = facts
        }
    }

    package init(key: RollUpKey, app: App, entries: [Entry]) {
        self.key = key
        self.app = app
        self.entries = entries
    }
}
