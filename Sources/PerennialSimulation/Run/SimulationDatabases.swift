import Foundation
import PerennialStorage
import Synchronization

/// Where simulations keep their databases: one for each run, removed afterwards.
package final class SimulationDatabases: Sendable {
    private enum Engine: Sendable {
        case sqlite(folder: String)
        case postgres(ThrowawayPostgreSQL)
    }

    private let engine: Engine
    /// Counted in the whole process, where several simulations may share a server.
    private static let made = Mutex(0)

    /// SQLite files in a folder that exists.
    package init(folder: String) { engine = .sqlite(folder: folder) }

    /// Databases of a server of the simulation's own. Its sessions have an order of their own where two of them wait for each
    /// other, so a run may differ from another run of the same seed.
    package init(server: ThrowawayPostgreSQL) { engine = .postgres(server) }

    /// A place for an empty database.
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

    /// Removes a database that is closed.
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
