import Foundation
import PerennialStorage
import Synchronization

/// Makes a database for each run, and removes it afterwards.
package final class SimulationDatabases: Sendable {
    private enum Engine: Sendable {
        case sqlite(folder: String)
        case postgres(EphemeralPostgreSQL)
    }

    private let engine: Engine
    /// Databases made in this process, whose simulations may share a server.
    private static let made = Mutex(0)

    /// Makes SQLite files in an existing folder.
    package init(folder: String) { engine = .sqlite(folder: folder) }

    /// Makes databases on a PostgreSQL server. Sessions that wait for each other run in any order, so two runs of one seed may
    /// differ.
    package init(server: EphemeralPostgreSQL) { engine = .postgres(server) }

    /// Makes an empty database.
    func make() throws -> DatabaseLocation {
        let number = Self.made.withLock { made in
            made += 1
            return made
        }
        switch engine {
        case .sqlite(let folder): return .sqlite(path: "\(folder)/run\(number).sqlite")
        case .postgres(let server): return try DatabaseLocation(url: server.makeDatabase("simulation\(number)"))
        }
    }

    /// Removes a closed database.
    func remove(_ location: DatabaseLocation) {
        switch (engine, location) {
        case (.sqlite, .sqlite(let path)):
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        case (.postgres(let server), .postgres(let url)):
            let name = url.split(separator: "/").last.map(String.init) ?? ""
            try? server.run("DROP DATABASE IF EXISTS \"\(name)\" WITH (FORCE)")
        default: break
        }
    }
}
