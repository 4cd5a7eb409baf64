import BaseEncoding
import Perennial
import PerennialStorage

/// The console's audit log: actions, sign-ins and refusals.
package struct ConsoleAudit: Sendable {
    /// Entries that are kept at most.
    package static let maximumEntries = 100_000
    /// The time for which an entry is kept, in milliseconds.
    package static let lifetime = Int64.days(400)
    /// One entry in so many trims the log.
    private static let trimInterval: UInt8 = 128
    private static let maximumTextLength = 500

    private let database: Database
    private let wallClock: @Sendable () -> Instant
    private let randomBytes: @Sendable (Int) -> [UInt8]

    package init(
        database: Database, wallClock: @escaping @Sendable () -> Instant,
        randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.database = database
        self.wallClock = wallClock
        self.randomBytes = randomBytes
    }

    package func record(
        _ action: String, by actor: String, path: String, from address: ClientAddress?, _ outcome: AuditEntry.Outcome
    ) async throws {
        let now = wallClock()
        let bytes = randomBytes(8)
        let entry = AuditEntry(
            at: now, id: Hexadecimal.encode(bytes), actor: String(actor.prefix(Self.maximumTextLength)),
            action: String(action.prefix(Self.maximumTextLength)), path: String(path.prefix(Self.maximumTextLength)),
            address: address.map { $0.isLoopback ? "localhost" : $0.network } ?? "", outcome: outcome)
        try await database.write { connection in
            try ConsoleAuditTable.insert(entry, on: connection)
            guard let first = bytes.first, first % Self.trimInterval == 0 else { return }
            try ConsoleAuditTable.trim(
                before: now + -Self.lifetime, keeping: Self.maximumEntries, on: connection)
        }
    }

    /// Returns a page of entries, newest first.
    ///
    /// - Parameter place: Of the last entry of the page before.
    package func entries(before place: (at: Instant, id: String)?, limit: Int) async throws -> [AuditEntry] {
        try await database.read { try ConsoleAuditTable.entries(before: place, limit: limit, on: $0) }
    }
}
