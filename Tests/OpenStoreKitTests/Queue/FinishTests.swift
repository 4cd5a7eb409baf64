import Foundation
import OpenStoreKit
import Synchronization
import Testing

struct FinishTests {
    let device: Device
    let store = FakeStore()

    init() throws {
        self.device = try Device()
    }

    @Test func `finishing is repeated until the store acknowledges it`() async {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        store.script("transactions/1000/finish", .error(503, "unavailable", 0), nil, .error(500, "unavailable", 0))
        await queue.buy("coins")
        #expect(recorder.log.last == "removed coins")
        #expect(store.log.filter { $0.hasSuffix("/finish") }.count == 4)
    }

    @Test func `an offline finish is acknowledged after a relaunch without redelivery`() async {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        await queue.buy("coins")
        store.set { $0.isOffline = true }
        if let transaction = recorder.last { queue.finishTransaction(transaction) }
        await queue.settle()
        #expect(!recorder.log.contains("removed coins"))
        await queue.close()
        store.set { $0.isOffline = false }

        let next = SKPaymentQueue(connection: device.connection(store))
        let second = Recorder()
        next.add(second)
        await next.settle()
        #expect(second.log.isEmpty)
        #expect(store.finished == ["1000"])
    }

    @Test func `an unfinished transaction is delivered again at every launch`() async {
        for launch in 1...3 {
            let queue = SKPaymentQueue(connection: device.connection(store))
            let recorder = Recorder()
            queue.add(recorder)
            if launch == 1 { await queue.buy("coins") }
            await queue.settle()
            #expect(recorder.log.last == "purchased coins")
            #expect(recorder.log.filter { $0 == "purchased coins" }.count == 1)
            await queue.close()
        }
        #expect(store.charges == 1)
    }

    /// As a store in memory that was started anew, whose first transaction has the ID of the last one's.
    @Test(arguments: [true, false])
    func `an emptied store sells anew under the ID of a finished purchase`(isElsewhere: Bool) async {
        for launch in 1...2 {
            let queue = SKPaymentQueue(connection: device.connection(store))
            let recorder = Recorder(finishes: true)
            queue.add(recorder)
            if launch == 2, isElsewhere { store.sell("coins", type: "consumable") } else { await queue.buy("coins") }
            await queue.synchronize()
            await queue.settle()
            #expect(recorder.log.filter { $0 == "purchased coins" }.count == 1, "launch \(launch)")
            #expect(store.finished == ["1000"])
            #expect(queue.vault.records.map(\.transactionIdentifier) == ["1000"])
            await queue.close()
            store.set { state in
                state.sales = []
                state.purchaseDate = "2026-01-01T12:00:00Z"
            }
        }
    }

    /// Empties the store, and moves its clock on.
    private func empty() {
        store.set { state in
            state.sales = []
            state.purchaseDate = "2026-01-01T12:00:00Z"
        }
    }

    /// Buys coins in a first run of the app, and finishes them there without the network or not at all. Then empties the store.
    private func leaveEntry(isFinished: Bool) async {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        await queue.buy("coins")
        store.set { $0.isOffline = isFinished }
        if isFinished, let transaction = recorder.last { queue.finishTransaction(transaction) }
        await queue.settle()
        await queue.close()
        store.set { $0.isOffline = false }
        empty()
    }

    @Test(arguments: [true, false], [true, false])
    func `an entry of an emptied store doesn't take a purchase that has its ID`(
        isFinished: Bool, isElsewhere: Bool
    ) async throws {
        await leaveEntry(isFinished: isFinished)
        if isElsewhere { store.sell("coins", type: "consumable") }
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        if !isElsewhere { await queue.buy("coins") }
        await queue.settle()
        #expect(store.finished.isEmpty)
        #expect(recorder.log.last == "purchased coins")
        #expect(queue.transactions.count == 1)
        queue.finishTransaction(try #require(queue.transactions.first))
        await queue.settle()
        #expect(store.finished == ["1000"])
        #expect(queue.transactions.isEmpty)
    }

    @Test func `a transaction of an emptied store that is finished late finishes no other`() async throws {
        await leaveEntry(isFinished: false)
        store.sell("coins", type: "consumable")
        // Finished at once, before the store has listed anything.
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        await queue.settle()
        #expect(recorder.log.filter { $0 == "purchased coins" }.count == 2)
        #expect(store.finished == ["1000"])
        #expect(queue.transactions.isEmpty)
    }

    @Test func `purchases from elsewhere arrive in pages`() async {
        store.set { $0.pageSize = 2 }
        for product in ["a", "b", "c", "d", "e"] { store.sell(product) }
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        await queue.settle()
        #expect(recorder.log.filter { $0.hasPrefix("purchased") }.count == 5)
        #expect(store.finished.count == 5)
        #expect(queue.transactions.isEmpty)
    }

    @Test func `an observer after one that left at once gets purchases from elsewhere`() async {
        store.sell("filter")
        let queue = SKPaymentQueue(connection: device.connection(store))
        let (first, second) = (Recorder(), Recorder())
        queue.add(first)
        queue.remove(first)
        await queue.settle()
        queue.add(second)
        await queue.settle()
        #expect(second.log == ["purchased filter"])
    }

    @Test func `a finish during another finish holds up no page`() async throws {
        store.set { $0.pageSize = 2 }
        for product in ["a", "b", "c"] { store.sell(product) }
        let transport = BusyTransport(store: store)
        let queue = SKPaymentQueue(connection: device.connection(transport))
        let recorder = Recorder()
        queue.add(recorder)
        await queue.settle()
        let page = queue.transactions
        try #require(page.map(\.transactionIdentifier) == ["1000", "1001"])
        transport.meanwhile.withLock { $0 = { queue.finishTransaction(page[1]) } }
        queue.finishTransaction(page[0])
        await queue.settle()
        #expect(queue.transactions.map(\.transactionIdentifier) == ["1002"])
    }

    /// Runs an action during the request to finish the first transaction.
    private final class BusyTransport: Transport {
        let store: FakeStore
        let meanwhile = Mutex<(@Sendable () -> Void)?>(nil)

        init(store: FakeStore) { self.store = store }

        func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
            if call.url.path.hasSuffix("1000/finish") { meanwhile.withLock { $0 }?() }
            return try await store.send(call, maximumBytes: maximumBytes)
        }

        func stream(_ call: HTTPCall) async throws -> StreamedAnswer { try await store.stream(call) }
    }

    @Test func `a revoked purchase is reported as revoked and not delivered`() async {
        store.sell("filter")
        store.set { $0.sales[0].isRevoked = true }
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        await queue.settle()
        #expect(recorder.log == ["revoked filter"])
        #expect(store.finished == ["1000"])
    }

    @Test func `finishing a transaction that is being purchased does nothing`() async throws {
        final class Hasty: NSObject, SKPaymentTransactionObserver, Sendable {
            func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
                for transaction in transactions where transaction.transactionState == .purchasing {
                    queue.finishTransaction(transaction)
                }
            }
        }
        let queue = SKPaymentQueue(connection: device.connection(store))
        let hasty = Hasty()
        let recorder = Recorder()
        queue.add(hasty)
        queue.add(recorder)
        await queue.buy("coins")
        #expect(recorder.log.contains("purchased coins"))
        #expect(store.finished.isEmpty)
    }

    @Test func `an unknown token is replaced by signing in again`() async {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        await queue.settle()
        store.set { $0.validToken = "another" }
        await queue.buy("coins")
        #expect(recorder.log.last == "purchased coins")
        #expect(store.state.withLock { $0.sessions } == 2)
    }

    @Test func `a receipt that the device lacks comes from the store`() async throws {
        store.sell("filter", isFinished: true)
        let connection = device.connection(store)
        let queue = SKPaymentQueue(connection: connection)
        let recorder = Recorder()
        queue.add(recorder)
        queue.restoreCompletedTransactions()
        await queue.settle()
        let transaction = try #require(recorder.last)
        #expect(try await connection.receipt(for: transaction) == Data("receipt of 1000".utf8))
    }
}
