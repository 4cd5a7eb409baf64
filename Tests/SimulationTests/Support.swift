import Foundation
import Perennial
import PerennialSimulation
import PerennialStorage
import PerennialStore
import TestSupport

/// Runs simulations with the keys that all tests share, on databases that are migrated once.
enum Simulating {
    private static let files = Result { SimulationDatabases(folder: try TemporaryFolder.make()) }
    /// The database on the server that all tests share.
    private static let postgres = Result { SimulationDatabases(server: try EphemeralPostgreSQL.shared()) }

    static func with<Value>(
        _ mutation: Mutation? = nil, _ body: (Simulation) async throws -> Value
    ) async throws -> Value {
        try await body(
            Simulation(signing: try TestSigning.shared, databases: try files.get(), mutation: mutation))
    }

    static func withPostgreSQL<Value>(_ body: (Simulation) async throws -> Value) async throws -> Value {
        try await body(Simulation(signing: try TestSigning.shared, databases: try postgres.get()))
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
