import Perennial
import PerennialStorage
import PerennialStore
import Synchronization
import TestSupport
import Testing

/// Statements and lock waits of a purchase on a PostgreSQL server.
struct PurchaseStatementsTests {
    /// The statements that a database has sent.
    private final class Statements: Sendable {
        private let sent = Mutex<[SentStatement]>([])

        func append(_ statement: SentStatement) { sent.withLock { $0.append(statement) } }

        func takeAll() -> [SentStatement] {
            sent.withLock { sent in
                defer { sent = [] }
                return sent
            }
        }
    }

    private static let roll = PurchaseRequest(productID: Product.ID(rawValue: "film.roll"), quantity: 1)

    private static func request(_ key: String) -> PurchaseRequest {
        var request = roll
        request.idempotencyKey = key
        return request
    }

    /// Opens a store with one connection that writes.
    private static func open(_ statements: Statements, _ change: (inout DatabaseOptions) -> Void = { _ in })
        async throws
        -> TestStore
    {
        var options = DatabaseOptions.forTests
        options.connections = 1
        options.onSend = { statements.append($0) }
        change(&options)
        return try await TestStore.open(Engine.postgres.makeDatabase(options: options))
    }

    @Test func `a purchase takes eleven statements in two round trips`() async throws {
        let statements = Statements()
        let store = try await Self.open(statements)
        let token = try await store.signIn("anna").token
        // Prepares the statements, and reserves a block of IDs.
        _ = try await store.store.purchases.buy(Self.request("1"), token: token)
        _ = statements.takeAll()
        _ = try await store.store.purchases.buy(Self.request("2"), token: token)
        let sent = statements.takeAll()
        let words = sent.map { $0.text.split(whereSeparator: \.isWhitespace).prefix(9).joined(separator: " ") }
        #expect(sent.count == 11, "\(words)")
        #expect(sent.count { $0.isAwaited } == 2, "\(words)")
        #expect(sent.first?.text.hasPrefix("BEGIN") == true)
        #expect(sent.first?.isAwaited == false)
        #expect(sent.last?.text == "COMMIT")
    }

    @Test func `a group of sixteen purchases takes two round trips`() async throws {
        let statements = Statements()
        let store = try await Self.open(statements) { $0.serverGroupMilliseconds = 10_000 }
        var tokens: [String] = []
        for number in 1...16 { tokens.append(try await store.signIn("customer\(number)").token) }
        var sent: [SentStatement] = []
        // Prepares the statements the first time.
        for round in 1...2 {
            let turn = HeldTurn()
            async let held: Void = turn.hold(store.database)
            await turn.hasBegun()
            try await withThrowingTaskGroup(of: Transaction.self) { group in
                for token in tokens {
                    group.addTask { try await store.store.purchases.buy(Self.request("\(round)"), token: token).0 }
                }
                await store.database.untilWritesWait(tokens.count)
                _ = statements.takeAll()
                turn.end()
                var sold: Set<TransactionID> = []
                for try await transaction in group { sold.insert(transaction.id) }
                #expect(sold.count == tokens.count)
            }
            try await held
            sent = statements.takeAll()
        }
        let words = sent.map { $0.text.split(whereSeparator: \.isWhitespace).prefix(4).joined(separator: " ") }
        #expect(sent.count { $0.isAwaited } == 2, "\(words)")
        #expect(sent.count { $0.text == "COMMIT" } == 1)
        // Each purchase locks, reserves and raises a revision; the other rows share statements.
        #expect(sent.count <= 3 * tokens.count + 12, "\(words)")
        #expect(store.database.statistics?.earlyNumberings == 0)
        let journal = try await store.journal()
        #expect(journal.count { $0.entry.kind == .purchased } == 2 * tokens.count)
    }

    @Test func `a purchase locks the journal in the request that commits, after all other locks`() async throws {
        let statements = Statements()
        let store = try await Self.open(statements)
        let token = try await store.signIn("anna").token
        for key in ["1", "2"] {
            _ = statements.takeAll()
            _ = try await store.store.purchases.buy(Self.request(key), token: token)
        }
        let sent = statements.takeAll()
        let head = try #require(sent.firstIndex { $0.text.contains("journal_heads") })
        #expect(sent[head...].dropLast().allSatisfy { !$0.isAwaited })
        // Behind it nothing but rows of this purchase are inserted.
        #expect(sent[(head + 1)...].dropLast().allSatisfy { $0.text.hasPrefix("INSERT") })
    }

    @Test func `a purchase that is about to commit keeps no other one waiting`() async throws {
        let (statements, gate) = (Statements(), CommitGate())
        let store = try await Self.open(statements) {
            $0.connections = 2
            $0.lockTimeoutMilliseconds = 1
            $0.faults = { gate.reach($0) }
        }
        let tokens = (try await store.signIn("anna").token, try await store.signIn("bert").token)
        for token in [tokens.0, tokens.1] {
            _ = try await store.store.purchases.buy(Self.request("1"), token: token)
        }
        gate.arm()
        async let held = store.store.purchases.buy(Self.request("2"), token: tokens.0)
        await gate.untilReached()
        for key in ["2", "3", "4"] {
            _ = try await store.store.purchases.buy(Self.request(key), token: tokens.1)
        }
        gate.open()
        _ = try await held
        #expect(store.database.statistics?.lockTimeouts == 0)
        #expect(store.database.statistics?.earlyNumberings == 0)
    }
}
