import Foundation
import PerennialStorage

/// The engines and locations of databases, for tests that run on each: `@Test(arguments: Engine.allCases)`.
package enum Engine: String, Sendable, CaseIterable {
    case sqlite
    case sqliteInMemory
    case postgres

    /// The engines whose databases can be opened a second time.
    package static let lasting: [Engine] = [.sqlite, .postgres]

    /// Creates an empty location.
    package func makeLocation() throws -> DatabaseLocation {
        switch self {
        case .sqlite: .sqlite(path: "\(try TemporaryFolder.make())/store.db")
        case .sqliteInMemory: .inMemory
        case .postgres: try DatabaseLocation(url: EphemeralPostgreSQL.shared().makeDatabase())
        }
    }

    /// Creates a migrated database.
    package func makeDatabase(
        migrations: [Migration] = Migration.all, options: DatabaseOptions = .forTests
    ) throws -> Database {
        guard migrations != Migration.all else { return try DatabaseTemplate.migrated(on: self).copy(options) }
        let database = try Database(makeLocation(), options: options)
        try database.migrate(migrations)
        return database
    }
}

extension DatabaseOptions {
    /// Options with few threads, because many tests run concurrently.
    package static var forTests: DatabaseOptions {
        var options = DatabaseOptions()
        options.readers = 2
        options.connections = 4
        options.readConnections = 2
        options.longConnections = 1
        // Bodies of tests wait for each other, on a busy machine for long.
        options.idleTransactionMilliseconds = 60_000
        return options
    }
}

/// A folder for the files of this process's tests, removed at exit.
package enum TemporaryFolder {
    private static let path: String = {
        let path = base.appending(path: "perennial-tests-\(UUID())").path()
        atexit { TemporaryFolder.remove() }
        return path
    }()

    /// The folder in memory if the system has one with enough room, because each commit to a disk waits for a sync.
    package static let base: URL = {
        let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
        let free = try? FileManager.default.attributesOfFileSystem(forPath: memory.path)[.systemFreeSize] as? Int64
        let hasRoom = (free ?? 0) > 2 << 30 && FileManager.default.isWritableFile(atPath: memory.path)
        return hasRoom ? memory : FileManager.default.temporaryDirectory
    }()

    /// Creates a folder with a unique name inside it.
    package static func make() throws -> String {
        let folder = "\(path)/\(UUID())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    private static func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
