import Foundation
import Perennial
import PerennialStorage

/// The state of a process for its operator.
package struct HealthReport: Sendable {
    /// The file system of the database, in bytes.
    package struct Disk: Hashable, Sendable {
        package var free: Int64
        package var total: Int64

        /// True if less than a gibibyte, or less than a twentieth of a smaller disk, is free.
        package var isNearlyFull: Bool { free < min(1 << 30, total / 20) }
    }

    package var readiness: Readiness
    /// The database's URL without user and password.
    package var database: String
    /// `nil` for a database in memory or on another machine.
    package var disk: Disk?
    /// The status of each environment.
    package var environments: [StoreStatus]
}

extension StoreRegistry {
    /// Returns the state of the process.
    ///
    /// - Parameter limit: Waits for the longest time that the database may take.
    package func health(within limit: @escaping @Sendable () async throws -> Void) async throws -> HealthReport {
        HealthReport(
            readiness: await readiness(within: limit), database: database.location.description, disk: disk(),
            environments: try await statuses())
    }

    private func disk() -> HealthReport.Disk? {
        guard case .sqlite(let path) = database.location,
            let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path),
            let free = attributes[.systemFreeSize] as? NSNumber, let total = attributes[.systemSize] as? NSNumber
        else { return nil }
        return HealthReport.Disk(free: free.int64Value, total: total.int64Value)
    }
}
