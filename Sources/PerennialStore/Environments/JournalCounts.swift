import Perennial
import PerennialStorage
import Synchronization

/// Counts commerce events by environment, app and kind, reading each journal entry once.
package final class JournalCounts: Sendable {
    /// The counts of one journal.
    package struct Journal: Hashable, Sendable {
        package let environment: String
        package let bundleID: App.BundleID
        /// The position up to which entries are counted.
        package fileprivate(set) var position: Int64 = 0
        /// The number of entries, by the journal's name of their kind.
        package fileprivate(set) var entries: [String: Int64] = [:]
    }

    private struct Key: Hashable, Comparable {
        let environment: Int64
        let app: Int64

        static func < (one: Self, other: Self) -> Bool { (one.environment, one.app) < (other.environment, other.app) }
    }

    /// The most entries counted by one call: the first call after a start answers in time, and later ones continue.
    private static let maximumEntries: Int64 = 100_000

    private let journals = Mutex<[Key: Journal]>([:])

    package init() {}

    /// Counts the entries appended since the last call.
    package func read(_ registry: StoreRegistry) async throws -> [Journal] {
        let known = journals.withLock { $0 }
        let fresh = try await registry.database.read { connection in
            var left = Self.maximumEntries
            var fresh: [Key: Journal] = [:]
            let names = Dictionary(
                uniqueKeysWithValues: try EnvironmentsTable.all(on: connection).map { ($0.id, $0.name) })
            for head in try JournalTable.heads(on: connection) {
                guard let name = names[head.environment],
                    let app = try registry.catalog.entry(number: head.app, on: connection)?.app
                else { continue }
                let key = Key(environment: head.environment.rawValue, app: head.app)
                var journal = known[key] ?? Journal(environment: name, bundleID: app.bundleID)
                // The environment was reset: its journal starts again.
                if head.position < journal.position { journal = Journal(environment: name, bundleID: app.bundleID) }
                let end = min(head.position, journal.position + left)
                if end > journal.position {
                    let counts = try JournalTable.counts(
                        after: journal.position, through: end, app: head.app, head.environment, on: connection)
                    journal.entries.merge(counts, uniquingKeysWith: +)
                    left -= end - journal.position
                    journal.position = end
                }
                fresh[key] = journal
            }
            return fresh
        }
        journals.withLock { [fresh] in $0 = fresh }
        return fresh.sorted { $0.key < $1.key }.map(\.value)
    }
}
