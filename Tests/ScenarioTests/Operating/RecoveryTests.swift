import Foundation
import PerennialStorage
import Subprocesses
import TestSupport
import Testing

/// The procedures of docs/how-to/back-up-and-recover.md.
struct RecoveryTests {
    @Test func `a store is recovered to a point in time`() async throws {
        let archive = try ArchivingPostgreSQL()
        defer { archive.remove() }
        let url = try archive.server.makeDatabase("store")
        let data = try TemporaryFolder.make()
        let (kept, lost, target) = try await sell(url, data: data, archive)
        archive.server.stop()

        let restored = try archive.restore(to: target)
        defer { restored.stop() }
        let database = try Database(DatabaseLocation(url: restored.url(for: url)), options: .forTests)
        defer { database.close() }
        // The lost sales' IDs are on devices: they must not be allocated again.
        try await database.write { try $0.execute("UPDATE environments SET next_id = next_id + 1000000") }
        try await expectRestored(restored.url(for: url), data: data, database, kept: kept, lost: lost)
    }

    /// Checks that the kept sales are there, and that the lost ones can be made again under other IDs.
    private func expectRestored(
        _ url: String, data: String, _ database: Database, kept: [String: Int64], lost: [String: Int64]
    ) async throws {
        let books = try await StoredBooks(database)
        books.expectInOrder()
        for (key, transaction) in kept { #expect(books.sale(forKey: key) == transaction, "\(key)") }
        for key in lost.keys { #expect(books.sale(forKey: key) == nil, "\(key)") }

        let again = try await sellAgain(url, data: data, Array(kept.keys) + Array(lost.keys))
        for (key, transaction) in kept { #expect(again[key] == transaction, "\(key)") }
        for key in lost.keys { #expect(again[key] != nil, "\(key)") }
        let reissued = Set(lost.keys.compactMap { again[$0] })
        #expect(reissued.count == lost.count)
        #expect(reissued.isDisjoint(with: lost.values))
        try await StoredBooks(database).expectInOrder()
    }

    /// A dump of a running store with its data folder, restored into its place, or for another role on another server.
    @Test(arguments: [true, false])
    func `a store is restored from a dump and its data folder`(inPlace: Bool) async throws {
        let server = try EphemeralPostgreSQL.shared()
        let url = try server.makeDatabase()
        let (data, folder) = (try TemporaryFolder.make(), try TemporaryFolder.make())
        let store = try await RunningStore.start(data: data, ["--database", url])
        let kept = try await sell(on: store, (0..<5).map { "kept-\($0)" })
        let dump = "\(folder)/perennial.dump"
        try Self.run("pg_dump", "--format=custom", "--file=\(dump)", url)
        try Self.run("/bin/tar", "--create", "--file=\(folder)/data.tar", "--directory=\(data)", ".")
        let lost = try await sell(on: store, (0..<5).map { "lost-\($0)" })
        #expect(await store.stop().status == 0)

        var target = url
        if inPlace {
            try Self.run("pg_restore", "--dbname=\(url)", "--clean", "--if-exists", dump)
        } else {
            target = try Self.makeForAnotherOwner(on: server)
            try Self.run("pg_restore", "--dbname=\(target)", "--no-owner", dump)
        }
        let restored = "\(folder)/restored"
        try FileManager.default.createDirectory(atPath: restored, withIntermediateDirectories: true)
        try Self.run("/bin/tar", "--extract", "--file=\(folder)/data.tar", "--directory=\(restored)")
        let database = try Database(DatabaseLocation(url: target), options: .forTests)
        defer { database.close() }
        try await database.write { try $0.execute("UPDATE environments SET next_id = next_id + 1000000") }
        try await expectRestored(target, data: restored, database, kept: kept, lost: lost)
    }

    /// Creates a database and a role that owns it, and returns its URL for that role.
    private static func makeForAnotherOwner(on server: EphemeralPostgreSQL) throws -> String {
        let url = try server.makeDatabase()
        let name = url.split(separator: "/").last ?? ""
        try server.run("CREATE ROLE \"keeper-\(name)\" LOGIN")
        try server.run("ALTER DATABASE \"\(name)\" OWNER TO \"keeper-\(name)\"")
        return url.replacing("postgres://perennial@", with: "postgres://keeper-\(name)@")
    }

    /// Runs a program of PostgreSQL's or of the system's to its end.
    private static func run(_ program: String, _ arguments: String...) throws {
        let path = program.hasPrefix("/") ? program : "\(try PostgreSQLPrograms.find().folder)/\(program)"
        let (status, text) = try Subprocess.output(of: path, arguments)
        guard status == 0 else { throw PerennialProcess.Failure(description: "\(program) \(arguments): \(text)") }
    }

    /// Sells before the base backup, between it and the point in time, and after that.
    private func sell(
        _ url: String, data: String, _ archive: ArchivingPostgreSQL
    ) async throws -> (kept: [String: Int64], lost: [String: Int64], target: String) {
        let database = try Database(DatabaseLocation(url: url), options: .forTests)
        defer { database.close() }
        let store = try await RunningStore.start(data: data, ["--database", url])
        var kept = try await sell(on: store, (0..<5).map { "before-\($0)" })
        try archive.backUp(url)
        kept.merge(try await sell(on: store, (0..<5).map { "between-\($0)" })) { first, _ in first }
        let target = try await database.read { connection in
            try connection.first("SELECT CAST(clock_timestamp() AS TEXT)") { try $0.text(0) }
        }
        // A restart takes another block of IDs, which the point in time doesn't know.
        #expect(await store.stop().status == 0)
        let restarted = try await RunningStore.start(data: data, ["--database", url])
        let lost = try await sell(on: restarted, (0..<5).map { "after-\($0)" })
        #expect(await restarted.stop().status == 0)
        try await archive.archive(database)
        return (kept, lost, try #require(target))
    }

    private func sellAgain(_ url: String, data: String, _ keys: [String]) async throws -> [String: Int64] {
        let store = try await RunningStore.start(data: data, ["--database", url])
        let sold = try await sell(on: store, keys)
        #expect(await store.stop().status == 0)
        return sold
    }

    /// Buys once for each key.
    ///
    /// - Returns: The transactions by key.
    private func sell(on store: RunningStore, _ keys: [String]) async throws -> [String: Int64] {
        try await RunningStore.withClient { client in
            let token = try await RunningStore.signIn(client, store.sandbox, "ann")
            var sold: [String: Int64] = [:]
            for key in keys {
                let reply = try await RunningStore.buy(client, store.sandbox, "film.roll", token: token, key: key)
                #expect(reply.status == 200)
                sold[key] = reply["transaction"]?["transactionId"]?.text.flatMap { Int64($0) }
            }
            return sold
        }
    }
}
