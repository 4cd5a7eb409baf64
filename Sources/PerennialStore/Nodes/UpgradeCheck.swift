import Perennial
import PerennialStorage

/// Looks before a migration whether nodes of an earlier version run that can't work beside it.
package enum UpgradeCheck {
    /// The time between two looks at heartbeats.
    package static let interval = NodeMembership.beatInterval
    /// Looks until a silent node counts as dead, and one more for the time that they take.
    static let looks = Int(FailureDetector.deadline / 500) + 2

    /// Removes dead nodes of earlier versions if a migration is pending beside which they couldn't work. The migration is
    /// refused if any are left (`StorageError` `.earlierNodes`).
    ///
    /// - Parameters:
    ///   - elapsed: Milliseconds of a clock that never goes back.
    ///   - pause: Waits until the next look (``interval``).
    package static func removeDeadNodes(
        of database: Database, before migrations: [Migration] = Migration.all, elapsed: () -> Int64,
        pause: () async throws -> Void
    ) async throws {
        guard database.engine == .postgres else { return }
        var detector = FailureDetector()
        for _ in 0..<looks {
            let earlier = try await database.read { connection in
                try SchemaVersions.pending(migrations, on: connection).map {
                    try SchemaVersions.earlierNodes(than: $0.number, on: connection)
                } ?? []
            }
            guard !earlier.isEmpty else { return }
            let dead = detector.observe(earlier, at: elapsed())
            if !dead.isEmpty {
                try await database.write { connection in
                    for node in dead where try NodesTable.remove(node.id, ifBeatIs: node.beat, on: connection) {
                        try LeasesTable.releaseAll(of: node.id, on: connection)
                    }
                }
            }
            if dead.count == earlier.count { return }
            try await pause()
        }
    }
}
