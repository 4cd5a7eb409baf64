import Foundation
import OpenStoreKit
import Testing

/// Ask to Buy on a device.
struct DeferredPaymentTests {
    let device: Device
    let store = FakeStore()

    init() throws {
        self.device = try Device()
    }

    private func ask(_ product: String, for username: String? = nil, in queue: SKPaymentQueue) async {
        let payment = SKMutablePayment()
        payment.productIdentifier = product
        payment.applicationUsername = username
        payment.simulatesAskToBuyInSandbox = true
        queue.add(payment)
        await queue.settle()
    }

    @Test(arguments: [("declined", "approvalDeclined"), ("lapsed", "approvalLapsed")])
    func `a request without approval fails and can be finished`(ending: String, code: String) async throws {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        await ask("coins", in: queue)
        await queue.synchronize()
        #expect(recorder.log.last == "deferred coins")
        store.answer("coins", with: ending)
        await queue.synchronize()
        #expect(recorder.log.suffix(2) == ["failed coins", "removed coins"])
        let error = recorder.last?.error as? SKError
        #expect(error?.code == .paymentCancelled)
        #expect(error?.userInfo[SKStoreErrorCodeKey] as? String == code)
        #expect(queue.transactions.isEmpty)
        #expect(store.charges == 0)
    }

    @Test func `a decline, which is no change of purchases, is asked for while a request waits`() async throws {
        let connection = device.connection(store)
        let queue = SKPaymentQueue(connection: connection)
        let recorder = Recorder()
        queue.add(recorder)
        await queue.settle()
        let before = store.log
        connection.askForDeferredPayments()
        await queue.settle()
        #expect(store.log == before)
        await ask("coins", in: queue)
        store.answer("coins", with: "declined")
        connection.askForDeferredPayments()
        await queue.settle()
        #expect(recorder.log.last == "failed coins")
    }

    @Test func `two requests for one product are two purchases`() async throws {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        await ask("coins", for: "ann", in: queue)
        await ask("coins", for: "bob", in: queue)
        store.answer("coins", of: "bob")
        await queue.synchronize()
        let first = try #require(queue.transactions.first { $0.transactionState == .purchased })
        #expect(first.payment.applicationUsername == "bob")
        #expect(queue.transactions.filter { $0.transactionState == .deferred }.count == 1)
        store.answer("coins", of: "ann")
        await queue.synchronize()
        let purchased = queue.transactions.filter { $0.transactionState == .purchased }
        #expect(Set(purchased.map(\.payment.applicationUsername)) == ["ann", "bob"])
        #expect(Set(purchased.map(\.transactionIdentifier)) == ["1000", "1001"])
        #expect(queue.transactions.count == 2)
    }

    @Test func `a purchase made elsewhere doesn't end a request for the same product`() async throws {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        await ask("coins", in: queue)
        store.sell("coins", type: "consumable")
        await queue.synchronize()
        #expect(Set(queue.transactions.map(\.transactionState)) == [.deferred, .purchased])
        store.answer("coins")
        await queue.synchronize()
        #expect(queue.transactions.map(\.transactionState) == [.purchased, .purchased])
    }

    @Test func `an approved request finished on another device leaves the queue`() async throws {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        await ask("coins", in: queue)
        store.answer("coins")
        store.set { $0.sales[0].isFinished = true }
        await queue.synchronize()
        #expect(recorder.log.last == "removed coins")
        #expect(!recorder.log.contains("purchased coins"))
        #expect(queue.transactions.isEmpty)
    }

    @Test func `an approved and refused request fails with the store's error`() async throws {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        await ask("coins", in: queue)
        store.set { $0.refusedKeys.formUnion($0.asks.keys) }
        await queue.synchronize()
        let error = recorder.last?.error as? SKError
        #expect(error?.userInfo[SKStoreErrorCodeKey] as? String == "paymentDeclined")
    }

    @Test func `an unavailable outcome is fetched after a relaunch`() async throws {
        do {
            let queue = SKPaymentQueue(connection: device.connection(store))
            let recorder = Recorder()
            queue.add(recorder)
            await ask("coins", in: queue)
            #expect(recorder.log.last == "deferred coins")
            await queue.close()
        }
        store.answer("coins", with: "declined")
        store.set { $0.isOffline = true }
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        await queue.settle()
        #expect(recorder.log == ["deferred coins"])
        store.set { $0.isOffline = false }
        await queue.synchronize()
        #expect(recorder.log.last == "failed coins")
    }
}
