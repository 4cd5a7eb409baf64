/// The software that holds a database.
package enum DatabaseEngine: String, Sendable, Hashable, CaseIterable {
    case sqlite
    case postgres
}

/// The address of a database.
package enum DatabaseLocation: Sendable, Equatable {
    /// A SQLite database in this process's memory, lost when it is closed.
    case inMemory
    /// A SQLite file, created if it is absent; its folder must exist.
    case sqlite(path: String)
    /// An existing PostgreSQL database, as a connection URL for libpq.
    case postgres(url: String)

    /// Reads `sqlite:PATH`, `sqlite::memory:`, `postgres://…` or `postgresql://…`.
    ///
    /// `sqlite:///absolute/path` is accepted too, because many tools use it.
    /// - Throws: ``StorageError`` with `malformedLocation`. The error doesn't quote the URL: it may hold a password.
    package init(url: String) throws {
        if url.hasPrefix("sqlite:") {
            var path = url.dropFirst("sqlite:".count)
            if path.hasPrefix("//") { path = path.dropFirst(2) }
            guard !path.isEmpty, !path.utf8.contains(0) else {
                throw StorageError(.malformedLocation, "sqlite:", "A path follows the colon: sqlite:/var/lib/store.db")
            }
            self = path == ":memory:" ? .inMemory : .sqlite(path: String(path))
        } else if url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") {
            guard !url.utf8.contains(0) else {
                throw StorageError(.malformedLocation, "postgres://…", "The URL holds a NUL byte.")
            }
            self = .postgres(url: url)
        } else {
            let scheme = url.prefix { $0 != ":" && $0 != "/" }.prefix(20)
            throw StorageError(
                .malformedLocation, "\(scheme):…",
                "A database is sqlite:PATH, sqlite::memory: or postgres://USER@HOST/NAME.")
        }
    }

    package var engine: DatabaseEngine {
        switch self {
        case .inMemory, .sqlite: .sqlite
        case .postgres: .postgres
        }
    }
}

extension DatabaseLocation: CustomStringConvertible {
    /// The address without its user and password.
    package var description: String {
        switch self {
        case .inMemory: return "sqlite::memory:"
        case .sqlite(let path): return "sqlite:\(path)"
        case .postgres(let url):
            let place = url.drop { $0 != ":" }.dropFirst("://".count).prefix { $0 != "?" }
            let host = place.lastIndex(of: "@").map { place[place.index(after: $0)...] } ?? place
            return "postgres://\(host)"
        }
    }
}
