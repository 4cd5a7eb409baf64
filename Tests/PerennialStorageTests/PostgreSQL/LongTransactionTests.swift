import Dispatch
import PerennialStorage
import TestSupport
import Testing

/// Transactions with a long time limit, such as emptying an environment, beside the others on a PostgreSQL server.
struct LongTransactionTests {
    @Test func `reads, writes and urgent writes go on while long transactions run`() async throws {
        var options = DatabaseOptions.forTests
        options.connections = 1
        options.readConnections = 1
        options.longConnections = 1
        let database = try Database(Engine.postgres.makeLocation(), options: options)
        try database.migrate([Jobs.migration])
        let mayEnd = DispatchSemaphore(value: 0)
        let (begun, tell) = AsyncStream.makeStream(of: Void.self)
        async let long: Void = database.write(timeout: .long) { connection in
            try connection.execute("UPDATE jobs SET done = 9 WHERE id = 1")
            tell.yield()
            mayEnd.wait()
        }
        for await _ in begun { break }
        // A second one waits for the connection of the first, and nothing else does.
        async let next: Void = database.write(timeout: .long) {
            try $0.execute("UPDATE jobs SET done = 10 WHERE id = 1")
        }
        for _ in 0..<3 {
            try await database.write { try $0.execute("UPDATE jobs SET done = done + 1 WHERE id = 2") }
            try await database.write(isUrgent: true) { try $0.execute("UPDATE jobs SET done = done + 1 WHERE id = 2") }
        }
        #expect(try await Jobs.done(2, in: database) == 6)
        #expect(try await Jobs.done(1, in: database) == 0)
        mayEnd.signal()
        _ = try await (long, next)
        #expect(try await Jobs.done(1, in: database) == 10)
    }
}
