import Foundation
import PerennialStorage
import Synchronization

/// Makes a database for each run as a copy of one that is migrated once, and removes it afterwards.
package final class SimulationDatabases: Sendable {
    private enum Engine: Sendable {
        case sqlite(folder: String)
        case postgres(EphemeralPostgreSQL)
    }

    private let engine: Engine
    /// The name of the database that is copied, or the path of its file.
    private let template = Mutex<String?>(nil)
    /// Databases made in this process, whose simulations may share a server.
    private static let made = Mutex(0)

    /// Makes SQLite files in an existing folder.
    package init(folder: String) { engine = .sqlite(folder: folder) }

    /// Makes databases on a PostgreSQL server. Sessions that wait for each other run in any order, so two runs of one seed may
    /// differ.
    package init(server: EphemeralPostgreSQL) { engine = .postgres(server) }

    /// Makes a migrated database.
    func make() throws -> DatabaseLocation { try make(copying: migrated()) }

    /// Returns the template, which the first run makes.
    private func migrated() throws -> String {
        try template.withLock { template in
            if let template { return template }
            let location = try make(copying: nil)
            let database = try Database(location)
            // A file without connections has no log beside it, and a database without them can be copied.
            defer { database.close() }
            try database.migrate()
            let made = Self.name(of: location)
            template = made
            return made
        }
    }

    /// - Parameter template: The template; `nil` for an empty database.
    private func make(copying template: String?) throws -> DatabaseLocation {
        let number = Self.made.withLock { made in
            made += 1
            return made
        }
        switch engine {
        case .sqlite(let folder):
            let path = "\(folder)/run\(number).sqlite"
            if let template { try FileManager.default.copyItem(atPath: template, toPath: path) }
            return .sqlite(path: path)
        case .postgres(let server):
            return try DatabaseLocation(url: server.makeDatabase("simulation\(number)", copying: template))
        }
    }

    private static func name(of location: DatabaseLocation) -> String {
        switch location {
        case .inMemory: ""
        case .sqlite(let path): path
        case .postgres(let url): url.split(separator: "/").last.map(String.init) ?? ""
        }
    }

    /// Removes a closed database.
    func remove(_ location: DatabaseLocation) {
        switch (engine, location) {
        case (.sqlite, .sqlite(let path)):
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        case (.postgres(let server), .postgres):
            try? server.run("DROP DATABASE IF EXISTS \"\(Self.name(of: location))\" WITH (FORCE)")
        default: break
        }
    }
}
