import PerennialStorage

/// The databases of the store and of Delivery in one run of the demo.
struct DemoDatabase: Sendable {
    enum Choice: Sendable, Equatable {
        /// A file for each server.
        case sqlite
        /// Databases of a PostgreSQL server that ends with the demo.
        case postgres
        /// A database of the caller's; both servers use it, with tables of their own.
        case url(String)

        /// - Throws: `StorageError` for a URL that is none.
        init(_ text: String) throws {
            switch text {
            case "sqlite": self = .sqlite
            case "postgres", "postgresql": self = .postgres
            default:
                _ = try DatabaseLocation(url: text)
                self = .url(text)
            }
        }

        var name: String {
            switch self {
            case .sqlite: "SQLite"
            case .postgres: "PostgreSQL"
            case .url(let url): (try? DatabaseLocation(url: url).description) ?? "a database"
            }
        }
    }

    /// The store's database as `--database` takes it; `nil` for a server's own file.
    var store: String?
    var delivery: String?

    static func start(_ choice: Choice, _ cleanup: Cleanup) throws -> DemoDatabase {
        switch choice {
        case .sqlite: return DemoDatabase()
        case .url(let url): return DemoDatabase(store: url, delivery: url)
        case .postgres:
            // It syncs what it commits, as a real one does.
            let server = try EphemeralPostgreSQL(settings: ["fsync=on", "max_connections=200"])
            cleanup.add { server.stop() }
            return DemoDatabase(
                store: try server.makeDatabase("store"), delivery: try server.makeDatabase("delivery"))
        }
    }
}
