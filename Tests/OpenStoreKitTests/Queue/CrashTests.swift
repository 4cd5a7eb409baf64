import Foundation
import OpenStoreKit
import Testing

/// Crashes of a queue at each of its steps, and relaunches from its folder.
struct CrashTests {
    /// Runs the app up to a crash at a step, and then once more without one.
    private func lives(dyingAt step: Int, finishing: Bool) async throws -> (
        crashed: Bool, wasTaken: Bool, first: Recorder, second: Recorder, store: FakeStore
    ) {
        let device = try Device()
        let store = FakeStore()
        let crash = CrashPoint(atStep: step)
        let first = Recorder(finishes: finishing)
        do {
            let queue = SKPaymentQueue(
                connection: device.connection(
                    store.seen(through: crash), files: CrashingFiles(files: device.files, crash: crash)))
            queue.add(first)
            await queue.buy("coins", quantity: 2)
            await queue.close()
        }
        // The journal's first writing takes the payment in.
        let wasTaken = try device.files.read("queue") != nil
        let second = Recorder(finishes: true)
        let queue = SKPaymentQueue(connection: device.connection(store))
        queue.add(second)
        await queue.settle()
        return (crash.hasCrashed, wasTaken, first, second, store)
    }

    @Test(arguments: [false, true])
    func `a payment is charged once, delivered and finished after any crash`(finishing: Bool) async throws {
        var step = 0
        var charged = 0
        while true {
            step += 1
            let (crashed, wasTaken, first, second, store) = try await lives(dyingAt: step, finishing: finishing)
            #expect(store.charges == (wasTaken ? 1 : 0), "step \(step): \(first.log) \(second.log)")
            #expect(store.finished.count == store.charges, "step \(step): \(first.log) \(second.log)")
            if wasTaken {
                #expect((first.log + second.log).contains("purchased coins"), "step \(step)")
                charged += 1
            }
            if !crashed { break }
        }
        // The loop must have died many times, also between the charge and its delivery.
        #expect(step > 15)
        #expect(charged > 10)
    }

    @Test func `a payment whose answer is lost is not paid again`() async throws {
        let device = try Device()
        let store = FakeStore()
        store.script("purchases", nil, nil, HTTPAnswer(status: 503))
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        await queue.buy("coins")
        #expect(recorder.log == ["purchasing coins", "purchased coins"])
        #expect(store.charges == 1)
        #expect(store.log.filter { $0 == "POST purchases" }.count == 4)
    }

    @Test func `a payment without an answer fails, and its purchase comes later`() async throws {
        let device = try Device()
        let store = FakeStore()
        store.script("purchases", nil, nil, nil, nil)
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        await queue.buy("coins")
        #expect(recorder.log.prefix(2) == ["purchasing coins", "failed coins"])
        #expect(recorder.log.filter { $0 == "purchased coins" }.count == 1)
        #expect(recorder.log.filter { $0 == "removed coins" }.count == 2)
        #expect(store.charges == 1)
        // And the next one is a purchase of its own.
        await queue.buy("coins")
        #expect(store.charges == 2)
    }

    @Test func `an equal payment after one without an answer is the same purchase`() async throws {
        let device = try Device()
        let store = FakeStore()
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        await queue.settle()
        store.script("purchases", nil, nil, nil, nil)
        for _ in 0..<4 { store.script("transactions/unfinished", .error(503, "unavailable", 0)) }
        await queue.buy("coins")
        #expect(recorder.log.contains("failed coins"))
        await queue.buy("coins")
        #expect(recorder.log.contains("purchased coins"))
        #expect(store.charges == 1)
    }

    @Test func `a key used up on another device is no new purchase`() async throws {
        let device = try Device()
        let store = FakeStore()
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        await queue.settle()
        store.script("purchases", nil, nil, nil, nil)
        for _ in 0..<4 { store.script("transactions/unfinished", .error(503, "unavailable", 0)) }
        await queue.buy("coins")
        store.set { $0.sales[0].isFinished = true }
        await queue.buy("coins")
        #expect(store.charges == 2)
        #expect(recorder.transactions.last?.transactionIdentifier == "1001")
    }

    @Test func `accounts on one device don't see each other's payments`() async throws {
        let device = try Device()
        let ann = SKPaymentQueue(connection: device.connection(FakeStore(), files: folder(device, "ann")))
        await ann.buy("coins")
        await ann.close()
        let store = FakeStore()
        let bob = SKPaymentQueue(connection: device.connection(store, files: folder(device, "ann"), account: "bob"))
        let recorder = Recorder()
        bob.add(recorder)
        await bob.settle()
        #expect(recorder.log.isEmpty)
        #expect(store.charges == 0)
    }

    private func folder(_ device: Device, _ name: String) -> FolderStore {
        FolderStore(folder: device.folder.appendingPathComponent(name))
    }
}
