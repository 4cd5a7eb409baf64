import Foundation
import PerennialStorage

/// A database of which others begin as copies: a copy takes less time than to migrate and fill a database for each test.
///
/// UpgradeTests migrate databases of earlier versions.
package struct DatabaseTemplate: Sendable {
    private enum Content: Sendable {
        case file(String)
        case image(SQLiteImage)
        case server(url: String)
    }

    private let content: Content

    /// Closes a database, which stays as it is from now on.
    package init(closing database: Database) throws {
        defer { database.close() }
        switch database.location {
        // A closed database has no log beside it.
        case .sqlite(let path): content = .file(path)
        case .inMemory: content = .image(try SQLiteImage(of: database))
        case .postgres(let url): content = .server(url: url)
        }
    }

    /// Opens a copy.
    package func copy(_ options: DatabaseOptions = .forTests) throws -> Database {
        switch content {
        case .file(let template):
            let path = "\(try TemporaryFolder.make())/store.db"
            try FileManager.default.copyItem(atPath: template, toPath: path)
            return try Database(.sqlite(path: path), options: options)
        case .image(let image): return try Database(inMemory: image, options: options)
        case .server(let url):
            let copy = try EphemeralPostgreSQL.shared().makeDatabase(copying: url)
            return try Database(DatabaseLocation(url: copy), options: options)
        }
    }

    // MARK: - The schema

    /// Returns a migrated database without content, made once in a process for each engine.
    static func migrated(on engine: Engine) throws -> DatabaseTemplate {
        switch engine {
        case .sqlite: try file.get()
        case .sqliteInMemory: try image.get()
        case .postgres: try server.get()
        }
    }

    private static let file = Result { try migrate(.sqlite) }
    private static let image = Result { try migrate(.sqliteInMemory) }
    private static let server = Result { try migrate(.postgres) }

    private static func migrate(_ engine: Engine) throws -> DatabaseTemplate {
        let database = try Database(engine.makeLocation(), options: .forTests)
        try database.migrate()
        return try DatabaseTemplate(closing: database)
    }
}
