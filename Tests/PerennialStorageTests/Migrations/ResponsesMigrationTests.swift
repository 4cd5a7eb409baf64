import Perennial
import PerennialStorage
import TestSupport
import Testing

/// Notifications in a database from before responses were kept.
struct ResponsesMigrationTests {
    private static let environment = StoreEnvironment.ID(rawValue: 7)
    private static let record = NotificationRecord(
        key: .init(position: 3, part: 0), uuid: "7e3fb204-8f9a-8b1d-9a43-6f0c1a2b3c4d", version: 2, type: "TEST",
        subtype: nil, account: Account.ID(rawValue: 0), originalID: nil, transactionID: nil,
        signed: Instant(milliseconds: 5),
        attempts: [.init(at: Instant(milliseconds: 9), result: "UNSUCCESSFUL_HTTP_RESPONSE_CODE", httpStatus: 500)],
        nextAttempt: nil)

    @Test(arguments: Engine.allCases)
    func `attempts of earlier versions have no response, later ones do`(engine: Engine) async throws {
        let before = Array(Migration.all.prefix { $0.name != "notificationResponses" })
        let database = try engine.makeDatabase(migrations: before)
        try await database.write { connection in
            try NotificationsTable.insert([Self.record], app: 5, Self.environment, on: connection)
        }
        try database.migrate()
        let response = NotificationRecord.Response(
            statusLine: "HTTP/1.1 500 Internal Server Error", body: "no", isTruncated: true)
        let (old, new, purged) = try await database.write { connection in
            func stored() throws -> NotificationRecord? {
                try NotificationsTable.record(at: Self.record.key, app: 5, Self.environment, on: connection).map {
                    try NotificationResponsesTable.withResponses($0, app: 5, Self.environment, on: connection)
                }
            }
            let old = try stored()
            var later = Self.record
            later.attempts.append(
                .init(at: Instant(milliseconds: 12), result: "NO", httpStatus: 500, response: response))
            try NotificationsTable.update(later, app: 5, Self.environment, on: connection)
            try NotificationResponsesTable.insert(newestOf: [later], app: 5, Self.environment, on: connection)
            let new = try stored()
            try NotificationsTable.purge(
                before: Instant(milliseconds: 100), app: 5, Self.environment, on: connection)
            let purged = try connection.first("SELECT COUNT(*) FROM notification_responses") { try $0.integer(0) }
            return (old, new, purged)
        }
        #expect(old == Self.record)
        #expect(new?.attempts.map(\.response) == [nil, response])
        #expect(purged == 0)
    }
}
