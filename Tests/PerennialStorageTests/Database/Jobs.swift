import PerennialStorage

/// A table of two jobs, for tests of transactions that wait for each other.
enum Jobs {
    static let migration = Migration(
        number: 1, name: "jobs",
        statements: [
            "CREATE TABLE jobs (id BIGINT PRIMARY KEY, done BIGINT NOT NULL)",
            "INSERT INTO jobs (id, done) VALUES (1, 0), (2, 0)",
        ])

    /// Returns how often a job was done.
    static func done(_ job: Int64 = 1, in database: Database) async throws -> Int64? {
        try await database.read { connection in
            try connection.first("SELECT done FROM jobs WHERE id = $1", [.integer(job)]) { try $0.integer(0) }
        }
    }
}
