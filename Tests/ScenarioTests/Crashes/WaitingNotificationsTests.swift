import AppStoreFormats
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import PerennialStorage
import Synchronization
import TestSupport
import Testing

/// Goal: notifications that wait survive SIGKILL; each is delivered by the next server, under the UUID it always had.
/// Method: a receiver fails while there is selling, and is silent after; the store is killed twice, while it waits for
/// answers; then the receiver takes everything.
struct WaitingNotificationsTests {
    /// Two hundred in every run of the tests, ten thousand where there is time: `make test-long`.
    private static let count = ProcessInfo.processInfo.environment["PERENNIAL_LONG"] == nil ? 200 : 10_000
    /// The number of notifications that the store sends at once.
    private static let concurrency = 32
    private static let lab = "/environments/lab"

    /// Waiting tasks continue when it is opened.
    private actor Door {
        private var isOpen = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        /// - Returns: Whether it was closed.
        @discardableResult
        func pass() async -> Bool {
            guard !isOpen else { return false }
            await withCheckedContinuation { waiting.append($0) }
            return true
        }

        func open() {
            isOpen = true
            for continuation in waiting { continuation.resume() }
            waiting = []
        }
    }

    @Test func `pending notifications are sent after SIGKILL, each under its UUID`() async throws {
        let (data, receiver) = (try TemporaryFolder.make(), SellersReceiver())
        let (selling, door) = (Door(), Door())
        try await receiver.run { url in
            let (silenced, silence) = AsyncStream.makeStream(of: Void.self)
            receiver.answers { _ in
                guard await !selling.pass() else { return false }
                silence.yield()
                await door.pass()
                return false
            }
            let first = try await RunningStore.start(data: data)
            let sold = try await sell(first, receiver: url)
            await selling.open()
            for await _ in silenced { break }
            await first.stop(SIGKILL)

            let (comesAgain, again) = AsyncStream.makeStream(of: Void.self)
            receiver.answers { _ in
                again.yield()
                await door.pass()
                return false
            }
            let second = try await RunningStore.start(data: data)
            var arrivals = comesAgain.makeAsyncIterator()
            for _ in 0..<Self.concurrency { await arrivals.next() }
            await second.stop(SIGKILL)
            #expect(try await waiting(data) == Int64(Self.count))
            #expect(receiver.taken.withLock { $0.isEmpty })

            receiver.answers { _ in true }
            await door.open()
            let third = try await RunningStore.start(data: data)
            // The failed ones are due after an hour.
            let moved = try await RunningStore.withClient { client in
                try await RunningStore.ask(
                    client, "\(third.url)\(Self.lab)/control/v1/clock/advance", ["to": "2026-01-31T11:00:00Z"],
                    bearer: third.controlToken, timeout: .minutes(10))
            }
            #expect(moved.status == 200)
            try expectTold(sold, receiver, data)
            #expect(await third.stop().status == 0)
            #expect(try await waiting(data) == 0)
        }
    }

    /// Sells in Production with a clock that stands; one film to each customer.
    ///
    /// - Returns: The transactions.
    private func sell(_ store: RunningStore, receiver: String) async throws -> Set<String> {
        try await RunningStore.withClient { client in
            let token = store.controlToken
            let made = try await RunningStore.ask(
                client, "\(store.url)/control/v1/environments",
                ["name": "lab", "kind": "Production", "clock": "manual", "now": "2026-01-31T10:00:00Z"], bearer: token)
            #expect(made.status < 300)
            let set = try await RunningStore.ask(
                client, "\(store.url)\(Self.lab)/control/v1/apps/\(RunningStore.bundleID)/notifications",
                ["url": .string(receiver), "timeoutMilliseconds": 300_000], bearer: token, method: .PUT)
            #expect(set.status < 300)
            return try await withThrowingTaskGroup(of: [String].self) { group in
                let sellers = 8
                for seller in 0..<sellers {
                    group.addTask {
                        var sold: [String] = []
                        for number in stride(from: seller, to: Self.count, by: sellers) {
                            let reply = try await RunningStore.ask(
                                client, "\(store.url)\(Self.lab)/control/v1/purchases",
                                [
                                    "bundleId": .string(RunningStore.bundleID),
                                    "account": .string("reader \(number % 100)"), "productId": "film.roll",
                                ], bearer: token)
                            sold.append(try #require(reply["transactionId"]?.text))
                        }
                        return sold
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
            }
        }
    }

    private func expectTold(_ sold: Set<String>, _ receiver: SellersReceiver, _ data: String) throws {
        let root = try Array(Data(contentsOf: URL(filePath: "\(data)/keys/root.cer")))
        let verifier = try JWSVerifier(trustedRoots: [root])
        func named(_ payloads: [String]) throws -> [String: Set<String>] {
            var names: [String: Set<String>] = [:]
            for jws in payloads {
                let payload = try verifier.verify(jws, as: NotificationPayload.self)
                let signed = try #require(payload.data?.signedTransactionInfo)
                let transaction = try verifier.verify(signed, as: TransactionPayload.self)
                names[transaction.transactionId, default: []].insert(payload.notificationUUID)
            }
            return names
        }
        #expect(sold.count == Self.count)
        #expect(Set(try named(receiver.taken.withLock { $0 }).keys) == sold)
        let all = try named(receiver.payloads.withLock { $0 })
        #expect(all.values.allSatisfy { $0.count == 1 })
        #expect(Set(all.values.joined()).count == Self.count)
        #expect(receiver.taken.withLock { $0.count } == Self.count)
    }

    private func waiting(_ data: String) async throws -> Int64? {
        let database = try Database(.sqlite(path: "\(data)/store.sqlite"), options: .forTests)
        defer { database.close() }
        return try await database.read {
            try $0.first("SELECT COUNT(*) FROM notifications WHERE next_attempt IS NOT NULL") { try $0.integer(0) }
        }
    }
}
