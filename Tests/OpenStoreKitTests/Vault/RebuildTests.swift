import Foundation
import OpenStoreKit
import Testing

/// Rebuilds of records from a receipt with undelivered purchases.
struct RebuildTests {
    let device: Device
    let store = FakeStore()
    private let observers = Observers()

    init() throws {
        self.device = try Device()
    }

    private func queue(_ recorder: Recorder, on device: Device? = nil) async -> SKPaymentQueue {
        let queue = SKPaymentQueue(
            connection: (device ?? self.device).connection(
                store, files: self.device.files, receiptChecking: StoreReading(store: store)))
        observers.hold(recorder)
        queue.add(recorder)
        await queue.settle()
        return queue
    }

    @Test(arguments: ["consumable", "nonConsumable", "autoRenewable", "nonRenewing"], ["key", "device"])
    func `a purchase that was undelivered before the rebuild is delivered`(type: String, loss: String) async throws {
        store.set { $0.types = ["item": type, "filter": "nonConsumable"] }
        let first = await queue(Recorder(finishes: true))
        await first.buy("filter")
        await first.close()
        let second = await queue(Recorder())
        await second.buy("item")
        await second.close()
        if loss == "key" { try device.files.remove("device.key") }
        let recorder = Recorder()
        let owner = loss == "device" ? try Device() : device
        let third = await queue(recorder, on: owner)
        #expect(third.vault.condition == .rebuilt)
        #expect(recorder.log == ["purchased item"])
        #expect(store.finished == ["1000"])
        let transaction = try #require(recorder.last)
        third.finishTransaction(transaction)
        await third.settle()
        #expect(store.finished == ["1000", "1001"])
        #expect(third.vault.records.map(\.productIdentifier).sorted() == ["filter", "item"])
        await third.close()
        let last = Recorder()
        #expect(await queue(last, on: owner).vault.condition == .intact)
        #expect(last.log.isEmpty)
    }

    @Test func `a finished purchase is not delivered again after a rebuild`() async throws {
        store.set { $0.types = ["filter": "nonConsumable"] }
        let recorder = Recorder(finishes: true)
        let first = await queue(recorder)
        await first.buy("filter")
        for _ in 0..<400 { store.script("transactions/1001/finish", .error(503, "unavailable", 0)) }
        await first.buy("coins")
        #expect(store.finished == ["1000"])
        await first.close()
        store.set { $0.scripts = [:] }
        try device.files.remove("vault")
        let second = Recorder()
        let queue = await queue(second)
        #expect(second.log.isEmpty)
        #expect(store.finished == ["1000", "1001"])
        #expect(queue.vault.records.map(\.productIdentifier).sorted() == ["coins", "filter"])
    }
}
