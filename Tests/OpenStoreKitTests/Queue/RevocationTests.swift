import AppStoreFormats
import Foundation
import OpenStoreKit
import Testing

/// Refunds and revocations of finished purchases.
struct RevocationTests {
    let device: Device
    let store = FakeStore()

    init() throws {
        self.device = try Device()
    }

    private func revokes(_ recorder: Recorder) -> [String] { recorder.log.filter { $0.hasPrefix("revoked") } }

    @Test func `a refund of a finished purchase is reported once, with a new receipt`() async throws {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        await queue.buy("filter")
        await queue.buy("coins")
        await queue.synchronize()
        let receipts = store.log.filter { $0 == "GET receipt" }.count
        store.set { $0.sales[0].isRevoked = true }
        await queue.synchronize()
        #expect(revokes(recorder) == ["revoked filter"])
        #expect(store.log.filter { $0 == "GET receipt" }.count == receipts + 1)
        await queue.synchronize()
        await queue.close()
        let next = SKPaymentQueue(connection: device.connection(store))
        let second = Recorder()
        next.add(second)
        await next.settle()
        #expect(revokes(recorder) == ["revoked filter"])
        #expect(revokes(second) == [])
        store.set { $0.sales[1].isRevoked = true }
        await next.synchronize()
        #expect(revokes(second) == ["revoked coins"])
    }

    @Test func `a new device gets no earlier revocations`() async throws {
        store.sell("filter", isFinished: true)
        store.set { $0.sales[0].isRevoked = true }
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        await queue.settle()
        #expect(recorder.log.isEmpty)
        store.sell("brush", isFinished: true)
        store.set { $0.sales[1].isRevoked = true }
        await queue.synchronize()
        #expect(recorder.log == ["revoked brush"])
    }

    @Test func `several pages of revocations are reported together`() async throws {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        await queue.settle()
        store.set { $0.pageSize = 2 }
        for number in 0..<5 { store.sell("issue.\(number)", isFinished: true) }
        store.set { for index in $0.sales.indices { $0.sales[index].isRevoked = true } }
        await queue.synchronize()
        #expect(recorder.log == ["revoked issue.0,issue.1,issue.2,issue.3,issue.4"])
    }

    @Test func `a store that was reset is asked from the start`() async throws {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        await queue.buy("filter")
        await queue.synchronize()
        store.script("transactions/revoked", .error(400, "malformedRequest", 1))
        store.set { $0.sales[0].isRevoked = true }
        await queue.synchronize()
        #expect(revokes(recorder) == ["revoked filter"])
    }

    @Test func `a store without revocations delivers purchases`() async throws {
        store.sell("filter")
        store.script("transactions/revoked", .error(404, "notFound", 0))
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        await queue.settle()
        #expect(recorder.log == ["purchased filter"])
    }

    @Test func `a refund of a non-renewing subscription is reported, whatever was bought earlier`() async throws {
        let transport = try SignedStore()
        let fixture = try BoughtFixture(store: transport, device: device)
        fixture.store.put(.sold(1, "pass", .nonRenewingSubscription), isFinished: true)
        fixture.store.put(.sold(2, "pass", .nonRenewingSubscription), isFinished: true)
        fixture.store.put(.sold(3, "atlas"), isFinished: true)
        #expect(await fixture.sync.entitledProducts(without: ["2"]) == ["atlas"])
    }
}
