import Foundation
import OpenStoreKit
import Synchronization
import Testing

/// Purchases that the customer starts outside of the app.
struct PromotedPurchaseTests {
    private final class Deciding: NSObject, SKPaymentTransactionObserver, Sendable {
        let asked = Mutex<[String]>([])
        let adds: Bool
        init(adds: Bool) {
            self.adds = adds
        }
        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}
        func paymentQueue(
            _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
        ) -> Bool {
            asked.withLock { $0.append("\(payment.productIdentifier) \(product.localizedTitle)") }
            return adds
        }
    }

    private let device: Device
    private let store = FakeStore()

    init() throws {
        device = try Device()
    }

    @Test(arguments: [true, false])
    func `observers decide about a promoted purchase`(adds: Bool) async throws {
        let connection = device.connection(store)
        let queue = SKPaymentQueue(connection: connection)
        let deciding = Deciding(adds: adds)
        queue.add(deciding)
        await queue.settle()
        try await connection.openPromotedPurchase(of: "coins")
        await queue.settle()
        #expect(deciding.asked.withLock { $0 } == ["coins Name of coins"])
        #expect(store.charges == (adds ? 1 : 0))
    }

    @Test func `a promoted purchase waits for the first observer, which decides once`() async throws {
        let connection = device.connection(store)
        try await connection.openPromotedPurchase(of: "coins")
        let queue = SKPaymentQueue(connection: connection)
        await queue.settle()
        let (first, second) = (Deciding(adds: true), Deciding(adds: true))
        queue.add(first)
        await queue.settle()
        queue.add(second)
        await queue.settle()
        #expect(first.asked.withLock { $0 } == ["coins Name of coins"])
        #expect(second.asked.withLock { $0 }.isEmpty)
        #expect(store.charges == 1)
    }

    @Test func `an unknown product can't be opened`() async throws {
        let connection = device.connection(store)
        let error = await #expect(throws: SKError.self) {
            try await connection.openPromotedPurchase(of: "unknown.coins")
        }
        #expect(error?.code == .storeProductNotAvailable)
    }
}
