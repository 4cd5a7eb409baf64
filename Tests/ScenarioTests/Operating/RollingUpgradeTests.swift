import AsyncHTTPClient
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import Synchronization
import TestSupport
import Testing

/// The procedure of docs/how-to/upgrade-without-downtime.md. The processes are the earlier of two versions; the newer one is this
/// program with a migration that it pretends to know.
struct RollingUpgradeTests {
    private static func migrations(_ name: String, allowsEarlierNodes: Bool) -> [Migration] {
        Migration.all + [
            Migration(
                number: Migration.all.count + 1, name: name, allowsEarlierNodes: allowsEarlierNodes,
                statements: [
                    "ALTER TABLE transactions ADD COLUMN gift BIGINT NOT NULL DEFAULT 7",
                    "CREATE TABLE gifts (id BIGINT PRIMARY KEY, note TEXT NOT NULL)",
                ])
        ]
    }

    /// Buys at one node after the other until it is told to stop.
    ///
    /// - Returns: The statuses of the answers.
    private static func sell(
        _ client: HTTPClient, _ nodes: [RunningStore], _ token: String, _ prefix: String,
        until isOver: @Sendable () -> Bool
    ) async throws -> [Int] {
        var statuses: [Int] = []
        while statuses.isEmpty || !isOver(), !Task.isCancelled {
            let reply = try await RunningStore.buy(
                client, nodes[statuses.count % nodes.count].sandbox, "film.roll", token: token,
                key: "\(prefix)-\(statuses.count)")
            statuses.append(reply.status)
        }
        return statuses
    }

    @Test func `nodes sell on while a newer version adds, beside it, and are started again`() async throws {
        let url = try EphemeralPostgreSQL.shared().makeDatabase()
        let data = try TemporaryFolder.make()
        let one = try await RunningStore.start(data: data, ["--database", url])
        let two = try await RunningStore.start(data: data, ["--database", url])
        let database = try Database(DatabaseLocation(url: url), options: .forTests)
        defer { database.close() }
        let newer = Self.migrations("adding", allowsEarlierNodes: true)
        let sold = try await RunningStore.withClient { client in
            let token = try await RunningStore.signIn(client, one.sandbox, "ann")
            let isOver = Mutex(false)
            async let sales = Self.sell(client, [one, two], token, "during") { isOver.withLock { $0 } }
            try database.migrate(newer)
            let node = try await TestStore.open(database, beside: [], seed: 3, migrations: newer.count)
            node.clock.advance(by: Instant(Date()) - TestStore.opening)
            for number in 0..<10 {
                try await node.buy(
                    "film.roll", as: "ann", app: App.BundleID(rawValue: RunningStore.bundleID), key: "newer-\(number)")
            }
            isOver.withLock { $0 = true }
            let statuses = try await sales
            #expect(statuses.allSatisfy { $0 == 200 })
            // The next one is replaced, here by a node of the earlier version: an upgrade that is taken back.
            #expect(await two.stop().status == 0)
            let three = try await RunningStore.start(data: data, ["--database", url])
            let after = try await Self.sell(client, [one, three], token, "after") { true }
            #expect(after == [200])
            let again = try await RunningStore.buy(client, three.sandbox, "film.roll", token: token, key: "during-0")
            #expect(again.status == 200)
            // Nodes of the earlier version run: a migration that changes has to wait for their end.
            #expect(throws: StorageError(.earlierNodes, "", "")) {
                let number = newer.count + 1
                try database.migrate(newer + [Migration(number: number, name: "changing", statements: [])])
            }
            #expect(await three.stop().status == 0)
            return statuses.count + 10 + after.count
        }
        #expect(await one.stop().status == 0)
        let books = try await StoredBooks(database)
        books.expectInOrder()
        #expect(books.sales.count == sold)
    }

    @Test func `a node that slept through a change stops, and can't be started again`() async throws {
        let url = try EphemeralPostgreSQL.shared().makeDatabase()
        let data = try TemporaryFolder.make()
        let store = try await RunningStore.start(data: data, ["--database", url])
        let database = try Database(DatabaseLocation(url: url), options: .forTests)
        defer { database.close() }
        store.process.signal(SIGSTOP)
        // As other nodes do when it has been silent for some seconds.
        try await database.write { try NodesTable.removeAll(on: $0) }
        try database.migrate(Self.migrations("changing", allowsEarlierNodes: false))
        store.process.signal(SIGCONT)
        let ended = await store.process.ended()
        #expect(ended.status == 1)
        #expect(ended.errors.contains("a newer version has migrated the database"), "\(ended.errors)")
        let again = try await PerennialProcess(["serve", "--port", "0", "--data", data, "--database", url]).ended()
        #expect(again.status == 1)
        #expect(again.errors.contains("newer version") && again.errors.contains("changing"), "\(again.errors)")
    }
}
