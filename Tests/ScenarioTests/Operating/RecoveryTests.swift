import PerennialStorage
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
        let books = try await StoredBooks(database)
        books.expectInOrder()
        for (key, transaction) in kept { #expect(books.sale(forKey: key) == transaction, "\(key)") }
        for key in lost.keys { #expect(books.sale(forKey: key) == nil, "\(key)") }

        let again = try await sellAgain(restored.url(for: url), data: data, Array(kept.keys) + Array(lost.keys))
        for (key, transaction) in kept { #expect(again[key] == transaction, "\(key)") }
        for key in lost.keys { #expect(again[key] != nil, "\(key)") }
        let reissued = Set(lost.keys.compactMap { again[$0] })
        #expect(reissued.count == lost.count)
        #expect(reissued.isDisjoint(with: lost.values))
        try await StoredBooks(database).expectInOrder()
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
