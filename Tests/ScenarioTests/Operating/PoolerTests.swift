import PerennialStorage
import TestSupport
import Testing

/// The claims of docs/how-to/use-a-connection-pooler.md, where pgbouncer is installed.
@Suite(.enabled(if: RunningPooler.program != nil, "pgbouncer isn't installed: scripts/packages pooler"))
struct PoolerTests {
    @Test func `two nodes sell through a pooler in session mode`() async throws {
        let direct = try EphemeralPostgreSQL.shared().makeDatabase()
        let pooler = try RunningPooler(.session, before: direct)
        defer { pooler.stop() }
        let data = try TemporaryFolder.make()
        let one = try await RunningStore.start(data: data, ["--database", pooler.url(for: direct)])
        let two = try await RunningStore.start(data: data, ["--database", pooler.url(for: direct)])
        try await RunningStore.withClient { client in
            let token = try await RunningStore.signIn(client, one.sandbox, "ann")
            try await withThrowingTaskGroup(of: RunningStore.Reply.self) { group in
                for number in 0..<40 {
                    let node = number % 2 == 0 ? one : two
                    group.addTask {
                        try await RunningStore.buy(
                            client, node.sandbox, "film.roll", token: token, key: "pooled-\(number / 2)")
                    }
                }
                for try await reply in group { #expect(reply.status == 200) }
            }
        }
        for node in [one, two] { #expect(await node.stop().status == 0) }
        let database = try Database(DatabaseLocation(url: direct), options: .forTests)
        defer { database.close() }
        let books = try await StoredBooks(database)
        books.expectInOrder()
        // Each key was sent to both nodes.
        #expect(books.sales.count == 20)
    }

    @Test func `a pooler in transaction mode is refused with the cure`() async throws {
        let direct = try EphemeralPostgreSQL.shared().makeDatabase()
        let pooler = try RunningPooler(.transaction, before: direct)
        defer { pooler.stop() }
        let process = try PerennialProcess([
            "serve", "--port", "0", "--data", try TemporaryFolder.make(), "--database", pooler.url(for: direct),
        ])
        let ended = await process.ended()
        #expect(ended.status != 0)
        #expect(ended.errors.contains("pool_mode = session"))
    }
}
