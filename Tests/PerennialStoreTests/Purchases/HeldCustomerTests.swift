import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Purchases beside a customer whose row another transaction holds for long, on PostgreSQL.
struct HeldCustomerTests {
    private actor Counter {
        private(set) var count = 0

        func add() { count += 1 }
    }

    private static let others = (1...20).map { "customer \($0)" }

    /// - Parameter inTurn: True if each purchase of the held customer comes when the one before waits for the lock.
    @Test(.timeLimit(.minutes(3)), arguments: [false, true])
    func `many purchases of a held customer hold up no others`(inTurn: Bool) async throws {
        let location = try Engine.postgres.makeLocation()
        var options = DatabaseOptions.forTests
        // Longer than the test.
        (options.lockTimeoutMilliseconds, options.statementTimeoutMilliseconds) = (150_000, 170_000)
        let database = try Database(location, options: options)
        try database.migrate()
        let shop = try await TestStore.open(database)
        for name in ["ann"] + Self.others { try await shop.buy("film.roll", as: name) }
        let key = try await shop.customer("ann").key
        let holder = try await LockHolder(at: location) { connection in
            _ = try connection.first(
                "SELECT 1 FROM customers WHERE environment = $1 AND app = $2 AND account = $3 /*FOR UPDATE*/",
                key.values
            ) { _ in true }
        }
        let ended = Counter()
        var held: [Task<Void, any Error>] = []
        for number in 1...6 {
            held.append(
                Task {
                    _ = try await shop.buy("film.roll", as: "ann", key: "held \(number)")
                    await ended.add()
                })
            guard inTurn else { continue }
            let waiting = Int64(min(number, 2))
            while try await Self.waitingCount(database) < waiting { await Task.yield() }
        }
        try await withThrowingTaskGroup(of: Void.self) { free in
            for name in Self.others { free.addTask { _ = try await shop.buy("film.roll", as: name) } }
            try await free.waitForAll()
        }
        #expect(await ended.count == 0)
        try await holder.release()
        for purchase in held { try await purchase.value }
        #expect(await ended.count == 6)
    }

    /// Returns the number of connections that wait for a lock.
    private static func waitingCount(_ database: Database) async throws -> Int64 {
        try await database.read { connection in
            try connection.first(
                """
                SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                """
            ) { try $0.integer(0) } ?? 0
        }
    }
}
