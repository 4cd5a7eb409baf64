import Foundation
import OpenStoreKit
import Testing

/// Purchases at a store that can't be reached: nothing is charged.
struct OfflinePurchaseTests {
    private let device: Device

    init() throws {
        device = try Device()
    }

    @Test func `a purchase of StoreKit 2 without a network charges nothing, and a later one once`() async throws {
        let store = SaleStore()
        let connection = device.connection(store)
        try await connection.withCurrent {
            let product = try #require(try await Product.products(for: ["coins"]).first)
            store.set { $0.isOffline = true }
            let error = await #expect(throws: StoreKitError.self) { _ = try await product.purchase() }
            guard case .networkError? = error else { return #expect(Bool(false)) }
            #expect(store.charges == 0)
            store.set { $0.isOffline = false }
            guard case .success = try await product.purchase() else { return #expect(Bool(false)) }
            #expect(store.charges == 1)
        }
    }

    @Test func `a payment that no store gets fails with the network's error underneath`() async throws {
        let store = FakeStore()
        let connection = device.connection(store)
        let queue = SKPaymentQueue(connection: connection)
        let recorder = Recorder()
        queue.add(recorder)
        await queue.settle()
        store.set { $0.isOffline = true }
        await queue.buy("coins")
        #expect(store.charges == 0)
        let error = try #require(recorder.last?.error as NSError?)
        #expect(recorder.last?.transactionState == .failed)
        #expect(error.domain == SKErrorDomain)
        #expect(error.userInfo[NSUnderlyingErrorKey] is URLError)
        store.set { $0.isOffline = false }
        await queue.synchronize()
        await queue.buy("coins")
        #expect(store.charges == 1)
    }
}
