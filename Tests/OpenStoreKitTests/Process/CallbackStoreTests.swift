import Foundation
import OpenStoreKit
import Synchronization
import Testing

/// The store of API without a connection in calls of observers and delegates.
struct CallbackStoreTests {
    /// Records the connection that API without a connection uses during a call.
    private final class Asking: NSObject, SKPaymentTransactionObserver, SKPaymentQueueDelegate,
        SKProductsRequestDelegate, Sendable
    {
        private let seen = Mutex<[ObjectIdentifier?]>([])
        let (ended, continuation) = AsyncStream<Void>.makeStream()
        var connections: Set<ObjectIdentifier?> { seen.withLock { Set($0) } }

        private func look() {
            seen.withLock { $0.append(CurrentStore.connection.map { ObjectIdentifier($0) }) }
        }

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) { look() }
        func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) { look() }
        func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) { look() }

        func paymentQueue(
            _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
        ) -> Bool {
            look()
            return true
        }

        func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) { look() }

        func requestDidFinish(_ request: SKRequest) {
            look()
            continuation.finish()
        }
    }

    private let device: Device
    private let store = FakeStore()

    init() throws {
        device = try Device()
    }

    @Test func `an observer's calls use the store of its queue`() async throws {
        let connection = device.connection(store)
        let queue = SKPaymentQueue(connection: connection)
        let asking = Asking()
        queue.add(asking)
        try await connection.openPromotedPurchase(of: "coins")
        queue.restoreCompletedTransactions()
        await queue.settle()
        #expect(store.charges == 1)
        #expect(asking.connections == [ObjectIdentifier(connection)])
    }

    @Test func `a request's delegate uses the store of the request`() async throws {
        let connection = device.connection(store)
        let asking = Asking()
        let request = SKProductsRequest(productIdentifiers: ["coins"], connection: connection)
        request.delegate = asking
        request.start()
        for await _ in asking.ended {}
        #expect(asking.connections == [ObjectIdentifier(connection)])
    }

    @Test func `a request that a task has started uses the task's store`() async throws {
        let connection = device.connection(store)
        let asking = Asking()
        let request = SKProductsRequest(productIdentifiers: ["coins"])
        request.delegate = asking
        await connection.withCurrent { request.start() }
        for await _ in asking.ended {}
        #expect(asking.connections == [ObjectIdentifier(connection)])
    }
}
