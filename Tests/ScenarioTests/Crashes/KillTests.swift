import AsyncHTTPClient
import Dispatch
import Foundation
import PerennialStorage
import Synchronization
import TestRandomness
import TestSupport
import Testing

/// Goal: acknowledged purchases survive SIGKILL, and others are sold once when they are requested again.
/// Method: clients buy with idempotency keys; the server is killed at a random moment; a new one takes over the folder.
struct KillTests {
    /// The database of the store.
    enum Place: String, Sendable {
        case sqlite, postgres
    }

    /// A few kills in every run of the tests, a hundred on either engine where there is time: `make test-long`.
    static let runs: [(place: Place, kills: Int)] =
        ProcessInfo.processInfo.environment["PERENNIAL_LONG"] == nil
        ? [(.sqlite, 5), (.postgres, 2)] : [(.sqlite, 100), (.postgres, 100)]
    private static let clients = 8
    /// The number of acknowledged purchases to request again after each kill.
    private static let sample = 25

    /// A purchase as its client knows it.
    private struct Request: Sendable {
        let client: Int
        let quantity: Int64
    }

    /// The purchases that the clients saw acknowledged.
    private final class Memory: Sendable {
        /// The transaction that answered each key.
        let acknowledged = Mutex<[String: String]>([:])
        /// All requests by their keys.
        let requests = Mutex<[String: Request]>([:])
        let unanswered = Mutex<Set<String>>([])
        let finished = Mutex<Set<String>>([])
        let sent = Mutex(0)
        /// The number of requests that a kill left without an answer.
        let interrupted = Mutex(0)
    }

    @Test(arguments: runs)
    func `SIGKILL under load loses no purchase and charges none twice`(
        place: Place, kills: Int
    ) async throws {
        let data = try TemporaryFolder.make()
        let url = place == .postgres ? try EphemeralPostgreSQL.shared().makeDatabase() : nil
        let options = url.map { ["--database", $0] } ?? []
        let seed = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? 42
        var generator = SeededGenerator(seed: seed)
        let memory = Memory()
        var tokens: [String] = []
        for kill in 0..<kills {
            let store = try await RunningStore.start(data: data, options)
            if tokens.isEmpty { tokens = try await signIn(store) }
            try await repeatUnanswered(store, tokens, memory)
            try await repeatAcknowledged(store, tokens, memory, using: &generator)
            let last = memory.sent.withLock { $0 } + Int.random(in: 10...120, using: &generator)
            let delay = Int.random(in: 0...4000, using: &generator)
            try await sell(
                store, tokens, memory, round: kill, killAt: last, microseconds: delay, seed: generator.next())
            #expect(await store.process.ended().status == -SIGKILL)
        }
        let store = try await RunningStore.start(data: data, options)
        try await repeatUnanswered(store, tokens, memory)
        try await repeatAcknowledged(store, tokens, memory, using: &generator)
        try await expectUnfinished(store, tokens, memory)
        #expect(await store.stop().status == 0)
        let location = try url.map { try DatabaseLocation(url: $0) } ?? .sqlite(path: "\(data)/store.sqlite")
        try await expectBooks(location, kills, memory, "replay with SEED=\(seed)")
    }

    /// Two devices for each of four accounts.
    private func signIn(_ store: RunningStore) async throws -> [String] {
        try await RunningStore.withClient { client in
            var tokens: [String] = []
            for number in 0..<Self.clients {
                tokens.append(try await RunningStore.signIn(client, store.sandbox, "customer \(number % 4)"))
            }
            return tokens
        }
    }

    /// All clients buy until the server is gone.
    private func sell(
        _ store: RunningStore, _ tokens: [String], _ memory: Memory, round: Int, killAt last: Int, microseconds: Int,
        seed: UInt64
    ) async throws {
        try await RunningStore.withClient { client in
            await withTaskGroup(of: Void.self) { group in
                for (number, token) in tokens.enumerated() {
                    group.addTask {
                        var generator = SeededGenerator(seed: seed &+ UInt64(number))
                        var purchase = 0
                        var exists = true
                        while exists {
                            purchase += 1
                            let key = "\(round)-\(number)-\(purchase)"
                            let quantity = Int64.random(in: 1...10, using: &generator)
                            memory.requests.withLock { $0[key] = Request(client: number, quantity: quantity) }
                            memory.unanswered.withLock { _ = $0.insert(key) }
                            let count = memory.sent.withLock {
                                $0 += 1; return $0
                            }
                            if count == last {
                                DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) {
                                    store.process.signal(SIGKILL)
                                }
                            }
                            exists = await buyAndFinish(client, store, token, key, quantity, memory)
                        }
                    }
                }
            }
        }
    }

    /// - Returns: Whether the store still answers.
    private func buyAndFinish(
        _ client: HTTPClient, _ store: RunningStore, _ token: String, _ key: String, _ quantity: Int64, _ memory: Memory
    ) async -> Bool {
        guard
            let reply = try? await RunningStore.buy(
                client, store.sandbox, "film.roll", token: token, key: key, quantity: quantity)
        else { return false }
        guard let id = reply["transaction"]?["transactionId"]?.text else {
            Issue.record("\(key) was answered with \(reply)")
            return false
        }
        memory.acknowledged.withLock { $0[key] = id }
        memory.unanswered.withLock { _ = $0.remove(key) }
        guard key.hasSuffix("3") else { return true }
        let url = "\(store.sandbox)/store/v1/transactions/\(id)/finish"
        guard let finish = try? await RunningStore.ask(client, url, [:], bearer: token) else { return false }
        if finish.status == 204 { memory.finished.withLock { _ = $0.insert(id) } }
        return true
    }

    private func repeatUnanswered(_ store: RunningStore, _ tokens: [String], _ memory: Memory) async throws {
        let open = memory.unanswered.withLock { $0 }
        memory.interrupted.withLock { $0 += open.count }
        for (key, id) in try await answers(to: open.sorted(), store, tokens, memory) {
            memory.acknowledged.withLock { $0[key] = id }
        }
        memory.unanswered.withLock { $0 = [] }
    }

    /// A sample of what was acknowledged in any earlier life, asked for again under its key: the answer is the same
    /// transaction. That nothing was sold again, the books say in the end.
    private func repeatAcknowledged(
        _ store: RunningStore, _ tokens: [String], _ memory: Memory, using generator: inout SeededGenerator
    ) async throws {
        let known = memory.acknowledged.withLock { $0 }
        let sample = known.keys.sorted().shuffled(using: &generator).prefix(Self.sample)
        for (key, id) in try await answers(to: Array(sample), store, tokens, memory) {
            #expect(id == known[key], "\(key)")
        }
    }

    /// The transactions that answer these keys.
    private func answers(
        to keys: [String], _ store: RunningStore, _ tokens: [String], _ memory: Memory
    ) async throws -> [String: String] {
        let requests = memory.requests.withLock { $0 }
        return try await RunningStore.withClient { client in
            var answers: [String: String] = [:]
            for key in keys {
                let request = try #require(requests[key])
                let reply = try await RunningStore.buy(
                    client, store.sandbox, "film.roll", token: tokens[request.client], key: key,
                    quantity: request.quantity)
                answers[key] = try #require(reply["transaction"]?["transactionId"]?.text, "\(key): \(reply)")
            }
            return answers
        }
    }

    /// The end of all those lives: every device is still offered what it has not finished, and nothing else.
    private func expectUnfinished(_ store: RunningStore, _ tokens: [String], _ memory: Memory) async throws {
        let known = memory.acknowledged.withLock { $0 }
        let unfinished = try await RunningStore.withClient { client in
            var ids: Set<String> = []
            for token in tokens.prefix(4) {
                let reply = try await RunningStore.ask(
                    client, "\(store.sandbox)/store/v1/transactions/unfinished", bearer: token)
                ids.formUnion(reply["transactions"]?.elements?.compactMap { $0["transactionId"]?.text } ?? [])
            }
            return ids
        }
        #expect(!unfinished.isEmpty)
        #expect(unfinished.isSubset(of: Set(known.values)))
        #expect(unfinished.isDisjoint(with: memory.finished.withLock { $0 }))
    }

    private func expectBooks(
        _ location: DatabaseLocation, _ kills: Int, _ memory: Memory, _ comment: Comment
    ) async throws {
        let database = try Database(location, options: .forTests)
        defer { database.close() }
        let books = try await StoredBooks(database)
        books.expectInOrder(comment)
        let acknowledged = memory.acknowledged.withLock { $0 }
        #expect(acknowledged.count > kills * 5, comment)
        #expect(memory.interrupted.withLock { $0 } > kills, comment)
        // Every key was sold, as acknowledged, and nothing else was.
        #expect(books.keys.count == acknowledged.count, comment)
        #expect(books.sales.count == acknowledged.count, comment)
        for (key, id) in acknowledged { #expect(books.sale(forKey: key) == Int64(id), comment) }
        let finished = memory.finished.withLock { $0 }
        #expect(finished.allSatisfy { Int64($0).flatMap { books.sales[$0] }?.isFinished == true }, comment)
    }
}
