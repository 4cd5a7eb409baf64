import PerennialStorage

/// Where the store and Delivery keep what they know, for one telling.
struct StoryDatabase: Sendable {
    enum Choice: Sendable, Equatable {
        /// Each server's own file.
        case sqlite
        /// A throwaway server's databases.
        case postgres
        /// A database that the caller has; both servers use it, with tables of their own.
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

    /// As `--database` takes it; `nil` for a server's own file.
    var store: String?
    var delivery: String?

    static func start(_ choice: Choice, _ leftovers: Leftovers) throws -> StoryDatabase {
        switch choice {
        case .sqlite: return StoryDatabase()
        case .url(let url): return StoryDatabase(store: url, delivery: url)
        case .postgres:
            // It syncs what it commits, as a real one does.
            let server = try ThrowawayPostgreSQL(settings: ["fsync=on", "max_connections=200"])
            leftovers.add { server.stop() }
            return StoryDatabase(
                store: try server.makeDatabase("store"), delivery: try server.makeDatabase("delivery"))
        }
    }
}
