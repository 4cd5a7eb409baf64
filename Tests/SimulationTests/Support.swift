import Foundation
import Perennial
import PerennialSimulation
import PerennialStorage
import PerennialStore
import TestSupport

/// Runs simulations in a folder of their own, with the keys that all tests share.
enum Simulating {
    static func with<Value>(
        _ mutation: Mutation? = nil, _ body: (Simulation) async throws -> Value
    ) async throws -> Value {
        let folder = TemporaryFolder.base.appending(
            path: "simulation-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(
            Simulation(
                signing: try TestSigning.shared, databases: SimulationDatabases(folder: folder.path),
                mutation: mutation))
    }
}

extension Simulating {
    /// Runs simulations on the PostgreSQL server that all tests share.
    static func withPostgreSQL<Value>(_ body: (Simulation) async throws -> Value) async throws -> Value {
        let databases = SimulationDatabases(server: try EphemeralPostgreSQL.shared())
        return try await body(Simulation(signing: try TestSigning.shared, databases: databases))
    }
}

/// Returns a number from an environment variable.
func number(_ variable: String) -> UInt64? {
    ProcessInfo.processInfo.environment[variable].flatMap(UInt64.init)
}

extension Simulation.Failure {
    /// The violation with its steps.
    var words: String {
        "\(violation)\n" + steps.enumerated().map { "  \($0.offset + 1)  \($0.element)" }.joined(separator: "\n")
    }
}
