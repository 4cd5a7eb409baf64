import PerennialStorage

/// The ways to keep a database, for tests that hold on each of them: `@Test(arguments: Engine.allCases)`.
package enum Engine: String, Sendable, CaseIterable {
    case sqlite
    case sqliteInMemory
    case postgres

    /// Those whose databases can be opened a second time.
    package static let lasting: [Engine] = [.sqlite, .postgres]

    /// A new and empty place.
    package func makeLocation() throws -> DatabaseLocation {
        switch self {
        case .sqlite: .sqlite(path: "\(try TemporaryFolder.make())/store.db")
        case .sqliteInMemory: .inMemory
        case .postgres: try DatabaseLocation(url: ThrowawayPostgreSQL.shared().makeDatabase())
        }
    }

    /// A new database, migrated.
    package func makeDatabase(
        migrations: [Migration] = Migration.all, options: DatabaseOptions = .forTests
    ) throws -> Database {
        let location = migrations == Migration.all ? try MigratedDatabase.copy(on: self) : try makeLocation()
        let database = try Database(location, options: options)
        // Of a copy this proves that it is complete.
        try database.migrate(migrations)
        return database
    }
}

extension DatabaseOptions {
    /// Few threads, since many tests run at once.
    package static var forTests: DatabaseOptions {
        var options = DatabaseOptions()
        options.readers = 2
        options.connections = 4
        return options
    }
}
