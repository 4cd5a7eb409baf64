import Perennial
import PerennialStorage
import Synchronization

/// How much commerce there was, by environment, app and kind of entry: counted along the journals, each entry once.
package final class JournalCounts: Sendable {
    /// What one journal says.
    package struct Book: Hashable, Sendable {
        package let environment: String
        package let bundleID: App.BundleID
        /// Up to where it is counted.
        package fileprivate(set) var position: Int64 = 0
        /// By the journal's words.
        package fileprivate(set) var entries: [String: Int64] = [:]
    }

    private struct Key: Hashable, Comparable {
        let environment: Int64
        let app: Int64

        static func < (one: Self, other: Self) -> Bool { (one.environment, one.app) < (other.environment, other.app) }
    }

    /// So many entries are counted at a time: the first reading after a start doesn't hold up the answer, and later ones go on.
    private static let maximumEntries: Int64 = 100_000

    private let books = Mutex<[Key: Book]>([:])

    package init() {}

    /// Counts what has been added since the last time.
    package func read(_ registry: StoreRegistry) async throws -> [Book] {
        let known = books.withLock { $0 }
        let fresh = try await registry.database.read { connection in
            var left = Self.maximumEntries
            var fresh: [Key: Book] = [:]
            let names = Dictionary(
                uniqueKeysWithValues: try EnvironmentsTable.all(on: connection).map { ($0.id, $0.name) })
            for head in try JournalTable.heads(on: connection) {
                guard let name = names[head.environment],
                    let app = try registry.catalog.entry(number: head.app, on: connection)?.app
                else { continue }
                let key = Key(environment: head.environment.rawValue, app: head.app)
                var book = known[key] ?? Book(environment: name, bundleID: app.bundleID)
                // An environment that was emptied begins anew.
                if head.position < book.position { book = Book(environment: name, bundleID: app.bundleID) }
                let end = min(head.position, book.position + left)
                if end > book.position {
                    let counts = try JournalTable.counts(
                        after: book.position, through: end, app: head.app, head.environment, on: connection)
                    book.entries.merge(counts, uniquingKeysWith: +)
                    left -= end - book.position
                    book.position = end
                }
                fresh[key] = book
            }
            return fresh
        }
        books.withLock { [fresh] in $0 = fresh }
        return fresh.sorted { $0.key < $1.key }.map(\.value)
    }
}
