import Foundation
import PerennialStorage

/// Databases with the present schema, migrated once in a process: a copy is there at once, where the history of the
/// schema takes a moment for each test. That every version's database becomes the present one is UpgradeTests'.
enum MigratedDatabase {
    private static let file = Result {
        let path = "\(try TemporaryFolder.make())/migrated.db"
        try migrate(.sqlite(path: path))
        return path
    }

    private static let template = Result {
        let url = try ThrowawayPostgreSQL.shared().makeDatabase()
        try migrate(DatabaseLocation(url: url))
        return url
    }

    private static func migrate(_ location: DatabaseLocation) throws {
        let database = try Database(location, options: .forTests)
        defer { database.close() }
        try database.migrate()
    }

    /// A new place with the present schema, or one that is empty where nothing can be copied.
    static func copy(on engine: Engine) throws -> DatabaseLocation {
        switch engine {
        case .sqlite:
            let path = "\(try TemporaryFolder.make())/store.db"
            // What was closed has no log beside it.
            try FileManager.default.copyItem(atPath: file.get(), toPath: path)
            return .sqlite(path: path)
        case .sqliteInMemory: return try engine.makeLocation()
        case .postgres:
            return try DatabaseLocation(url: ThrowawayPostgreSQL.shared().makeDatabase(copying: template.get()))
        }
    }
}
