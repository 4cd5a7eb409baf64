import Foundation
import NIOCore
import PerennialStorage
import TestSupport
import Testing

/// Goal: a disk that fails costs no acknowledged purchase.
/// Method: a seller runs with a library that makes one call of write, sync or truncate fail, and keeps what a machine would
/// find after it lost its power there and then: only what a sync has confirmed.
@Suite(.enabled(if: DiskFaultRun.isPossible, "LD_PRELOAD is Linux's"))
struct DiskFaultTests {
    /// The intervals of the calls that fail, each in a run of its own: every one in `make test-long`.
    private static let strides: (syncs: Int, writes: Int) =
        ProcessInfo.processInfo.environment["PERENNIAL_LONG"] == nil ? (4, 32) : (1, 1)
    private static let runsAtOnce = 4

    @Test(arguments: [DiskFault.Kind.eio, .eioForEver])
    func `a sync that fails loses no acknowledged purchase`(kind: DiskFault.Kind) async throws {
        let calls = try await DiskFaultRun.calls()
        let numbers = stride(from: 1, through: calls.count { $0 == "s" }, by: Self.strides.syncs)
        let stops = try await run(.sync, kind, numbers: Array(numbers))
        // Were no write refused, no fault would have struck.
        #expect(stops > 0)
    }

    @Test(arguments: [DiskFault.Kind.eio, .eioForEver, .short])
    func `a write that fails loses no acknowledged purchase`(kind: DiskFault.Kind) async throws {
        let calls = try await DiskFaultRun.calls()
        let numbers = stride(from: 1, through: calls.count { $0 == "w" }, by: Self.strides.writes)
        #expect(try await run(.write, kind, numbers: Array(numbers)) > 0)
    }

    @Test func `a truncation that fails loses no acknowledged purchase`() async throws {
        let calls = try await DiskFaultRun.calls()
        try await run(.truncate, .eio, numbers: Array(1...max(1, calls.count { $0 == "t" })))
    }

    @Test func `a failed disk is reported with the remedy, and reads go on`() async throws {
        let data = try TemporaryFolder.make()
        // After the syncs of the start.
        let fault = DiskFault(call: .sync, number: 150, kind: .eioForEver)
        let store = try await RunningStore.start(
            data: data,
            environment: try await DiskFaultRun.environment(of: fault, path: "\(data)/store.sqlite"))
        try await RunningStore.withClient { client in
            #expect(try await RunningStore.ask(client, "\(store.url)/ready").status == 200)
            let token = try await RunningStore.signIn(client, store.sandbox, "ann")
            var sold: Set<String> = []
            var refusal: RunningStore.Reply?
            for number in 0..<300 where refusal == nil {
                let reply = try await RunningStore.buy(
                    client, store.sandbox, "film.roll", token: token, key: "\(number)")
                if let id = reply["transaction"]?["transactionId"]?.text { sold.insert(id) } else { refusal = reply }
            }
            #expect(refusal?.status == 503)
            #expect(refusal?["error"]?["code"] == "writesStopped", "\(String(describing: refusal))")
            #expect(!sold.isEmpty)
            let ready = try await RunningStore.ask(client, "\(store.url)/ready")
            #expect(ready.status == 503)
            #expect(ready["error"]?["message"]?.text?.contains("writesStopped") == true, "\(ready)")
            #expect(try await RunningStore.ask(client, "\(store.url)/health").status == 200)
            let unfinished = try await RunningStore.ask(
                client, "\(store.sandbox)/store/v1/transactions/unfinished", bearer: token)
            #expect(unfinished.status == 200)
        }
        let ended = await store.stop()
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(ended.errors.contains("writes stopped") && ended.errors.contains("Mend the disk"), "\(ended.errors)")
    }

    @Test func `a disk that never answers doesn't keep the store from ending`() async throws {
        let data = try TemporaryFolder.make()
        let hang = "\(data)/hang"
        let store = try await RunningStore.start(
            data: data, ["--shutdown-timeout", "1"],
            environment: try await DiskFaultRun.environment(
                of: nil, path: "\(data)/store.sqlite", hangingWith: hang))
        try await RunningStore.withClient { client in
            let token = try await RunningStore.signIn(client, store.sandbox, "ann")
            let first = try await RunningStore.buy(client, store.sandbox, "film.roll", token: token, key: "1")
            #expect(first.status == 200)
            #expect(FileManager.default.createFile(atPath: hang, contents: nil))
            let second = Task {
                try await RunningStore.buy(client, store.sandbox, "film.roll", token: token, key: "2")
            }
            // The sale is in the writer's hands once a later one has to wait for it.
            await #expect(throws: (any Error).self) {
                try await RunningStore.ask(
                    client, "\(store.sandbox)/store/v1/purchases",
                    ["productId": "film.roll", "quantity": 1, "idempotencyKey": "3"], bearer: token,
                    timeout: .milliseconds(500))
            }
            let ended = await store.stop()
            #expect(ended.status == 1, "\(ended.errors)")
            #expect(
                ended.errors.contains("the server was ended after 1 seconds: work was still running"),
                "\(ended.errors)")
            #expect(!FileManager.default.fileExists(atPath: store.readyFile))
            await #expect(throws: (any Error).self) { try await second.value }
            // The acknowledged sale is there; the other was never acknowledged, and is sold under its key.
            let again = try await RunningStore.start(data: data)
            for (key, transaction) in [("1", first["transaction"]?["transactionId"]), ("2", nil)] {
                let reply = try await RunningStore.buy(client, again.sandbox, "film.roll", token: token, key: key)
                #expect(reply.status == 200)
                if let transaction { #expect(reply["transaction"]?["transactionId"] == transaction) }
            }
            await again.stop()
        }
    }

    /// - Returns: In how many runs the store stopped accepting writes.
    @discardableResult
    private func run(_ call: DiskFault.Call, _ kind: DiskFault.Kind, numbers: [Int]) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            var waiting = numbers.makeIterator()
            func begin() {
                guard let number = waiting.next() else { return }
                group.addTask { try await check(DiskFault(call: call, number: number, kind: kind)) }
            }
            for _ in 0..<Self.runsAtOnce { begin() }
            var stops = 0
            while let hasStopped = try await group.next() {
                if hasStopped { stops += 1 }
                begin()
            }
            return stops
        }
    }

    private func check(_ fault: DiskFault) async throws -> Bool {
        let run = try await DiskFaultRun.prepared()
        let first = try await run.sell(fault)
        try await expectAll(first.sold, in: try run.afterPowerLoss(), "\(fault), then the power was lost")
        #expect(!first.hasSoldAfterStop, "\(fault): it went on selling")
        // The machine lives, and the store is started again: the same customers ask again under the same keys.
        let second = try await run.sell(nil)
        #expect(second.lines.last == "closed", "\(fault): \(second.lines)")
        #expect(second.lines.allSatisfy { !$0.hasPrefix("refused") }, "\(fault): \(second.lines)")
        #expect(first.sold.isSubset(of: second.sold), "\(fault): a key was answered otherwise")
        try await expectAll(
            first.sold.union(second.sold), in: try run.afterPowerLoss(),
            "\(fault), started again, then the power was lost")
        return first.hasStopped
    }

    private func expectAll(_ sold: Set<Int64>, in path: String, _ comment: Comment) async throws {
        do {
            let database = try Database(.sqlite(path: path), options: .forTests)
            defer { database.close() }
            let found = try await database.read { try $0.query("PRAGMA integrity_check") { try $0.text(0) } }
            #expect(found == ["ok"], comment)
            let books = try await StoredBooks(database)
            books.expectInOrder(comment)
            let lost = sold.subtracting(books.sales.keys)
            #expect(lost.isEmpty, "\(comment): \(lost.count) of \(sold.count) acknowledged purchases are lost")
        } catch { Issue.record("\(comment): \(error)") }
    }
}
