import Foundation
import OpenStoreKit
import Testing

struct RestoreTests {
    let device: Device
    let store = FakeStore()
    let queue: SKPaymentQueue
    let recorder = Recorder(finishes: true)

    init() async throws {
        self.device = try Device()
        self.queue = SKPaymentQueue(connection: device.connection(store))
        queue.add(recorder)
        await queue.settle()
    }

    @Test func `observers get restored transactions, then the end of the restore`() async {
        store.sell("filter", isFinished: true)
        store.sell("coins", type: "consumable", isFinished: true)
        store.sell("pass.1week", type: "nonRenewing", isFinished: true)
        store.sell("monthly", type: "autoRenewable", isFinished: true)
        queue.restoreCompletedTransactions()
        await queue.settle()
        #expect(
            recorder.log.filter { !$0.hasPrefix("removed") } == [
                "restored filter", "restored monthly", "restore finished",
            ])
        #expect(recorder.transactions.map(\.transactionIdentifier) == ["r1", "r2"])
        #expect(recorder.transactions.map { $0.original?.transactionIdentifier } == ["1000", "1003"])
        #expect(recorder.transactions.first?.original?.transactionState == .purchased)
        #expect(queue.transactions.isEmpty)
        #expect(queue.vault.records.map(\.transactionIdentifier) == ["1000", "1003"])
    }

    @Test func `a restore without purchases finishes without updates`() async {
        queue.restoreCompletedTransactions()
        await queue.settle()
        #expect(recorder.log == ["restore finished"])
    }

    @Test func `a restore without a network fails`() async {
        store.set { $0.isOffline = true }
        queue.restoreCompletedTransactions()
        await queue.settle()
        #expect(recorder.log == ["restore failed"])
        store.set { $0.isOffline = false }
        queue.restoreCompletedTransactions(withApplicationUsername: "reader")
        await queue.settle()
        #expect(recorder.log == ["restore failed", "restore finished"])
    }

    @Test func `a second restore during one fails, and the first continues`() async {
        store.sell("filter", isFinished: true)
        queue.restoreCompletedTransactions()
        queue.restoreCompletedTransactions()
        await queue.settle()
        #expect(recorder.log.filter { $0 == "restore failed" }.count == 1)
        #expect(recorder.log.filter { $0 == "restore finished" }.count == 1)
        #expect(recorder.log.filter { $0 == "restored filter" }.count == 1)
    }

    @Test func `each restore brings new transactions`() async {
        store.sell("filter", isFinished: true)
        for _ in 0..<2 {
            queue.restoreCompletedTransactions()
            await queue.settle()
        }
        #expect(recorder.transactions.map(\.transactionIdentifier) == ["r1", "r2"])
    }
}
