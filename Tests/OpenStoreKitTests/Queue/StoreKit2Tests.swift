import Foundation
import OpenStoreKit
import Testing

/// Purchases of StoreKit 2 in the queue.
struct StoreKit2Tests {
    private let device: Device
    private let store = FakeStore()

    init() throws {
        device = try Device()
    }

    @Test func `a transaction that StoreKit 2 has finished leaves the queue`() async {
        let connection = device.connection(store)
        let queue = SKPaymentQueue(connection: connection)
        let recorder = Recorder()
        queue.add(recorder)
        await queue.buy("coins")
        store.set { $0.sales[0].isFinished = true }
        connection.noteFinished(["1000", "unknown"])
        await queue.settle()
        #expect(recorder.log.last == "removed coins")
        #expect(queue.transactions.isEmpty)
        #expect(!store.log.contains("POST transactions/1000/finish"))
    }

    @Test func `a purchase outside of the queue reaches its observers`() async {
        let connection = device.connection(store)
        let queue = SKPaymentQueue(connection: connection)
        await connection.synchronizeQueue()
        #expect(store.log.isEmpty)
        let recorder = Recorder()
        queue.add(recorder)
        await queue.settle()
        store.sell("filter")
        await connection.synchronizeQueue()
        #expect(recorder.log == ["purchased filter"])
        await connection.synchronizeQueue()
        #expect(recorder.log == ["purchased filter"])
    }
}
