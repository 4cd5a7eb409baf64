import Foundation
import OpenStoreKit
import Testing

/// Changes of the storefront while an app requests nothing of a store over a network.
struct IdleStorefrontTests {
    private let device: Device

    init() throws {
        device = try Device()
    }

    /// A store that counts as one over a network.
    private struct Remote: Transport {
        let store: any Transport
        let isRemote = true

        func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
            try await store.send(call, maximumBytes: maximumBytes)
        }

        func stream(_ call: HTTPCall) async throws -> StreamedAnswer {
            try await store.stream(call)
        }
    }

    @Test func `Storefront.updates has a change without any request of the app`() async throws {
        let store = SaleStore()
        let connection = device.connection(Remote(store: store))
        await connection.withCurrent {
            var storefronts = Storefront.updates.makeAsyncIterator()
            // The first request is the listener's own.
            while connection.storefront == nil { await Task.yield() }
            store.set { $0.storefront = "FRA" }
            #expect(await storefronts.next()?.countryCode == "FRA")
        }
        connection.close()
    }

    @Test func `an observer of the payment queue hears of a change`() async throws {
        let store = FakeStore()
        let connection = device.connection(Remote(store: store))
        let queue = SKPaymentQueue(connection: connection)
        let recorder = Recorder()
        queue.add(recorder)
        await queue.settle()
        store.set { $0.storefront = "FRA" }
        while recorder.log.isEmpty { await Task.yield() }
        #expect(recorder.log == ["storefront FRA"])
        queue.remove(recorder)
        connection.close()
    }

    @Test func `after the last listener the store isn't asked any more`() async throws {
        let store = SaleStore()
        let connection = device.connection(Remote(store: store))
        await connection.withCurrent {
            var storefronts: Storefront.Storefronts.AsyncIterator? = Storefront.updates.makeAsyncIterator()
            while store.log.count < 5 { await Task.yield() }
            storefronts = nil
            _ = storefronts
        }
        let asked = store.log.count
        for _ in 0..<200 { await Task.yield() }
        // A request may have been under way.
        #expect(store.log.count <= asked + 1)
        connection.close()
    }
}
