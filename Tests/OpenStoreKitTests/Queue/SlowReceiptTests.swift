import Foundation
import OpenStoreKit
import Testing

/// Events during the refresh of the app receipt, which precedes the report of a purchase.
struct SlowReceiptTests {
    let device: Device
    let store = FakeStore()
    let transport: DelayingTransport

    init() throws {
        self.device = try Device()
        self.transport = DelayingTransport(store)
    }

    @Test func `a purchase finished during the refresh isn't reported again`() async {
        let queue = SKPaymentQueue(connection: device.connection(transport))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        await queue.settle()
        transport.hold("receipt")
        queue.add(payment("coins"))
        await transport.arrival(of: "receipt")
        // Back from the background: the unfinished are told again, and the app finishes this one.
        async let synchronized: Void = queue.synchronize()
        while store.finished.isEmpty { await Task.yield() }
        transport.release("receipt")
        await synchronized
        await queue.settle()
        #expect(recorder.log.filter { $0 == "purchased coins" }.count == 1)
        #expect(recorder.log.filter { $0 == "removed coins" }.count == 1)
        #expect(queue.transactions.isEmpty)
    }

    @Test func `a purchase finished at its first report isn't reported again`() async {
        let queue = SKPaymentQueue(connection: device.connection(transport))
        let blocker = Blocker()
        queue.add(blocker)
        await queue.settle()
        queue.add(payment("coins"))
        await blocker.sawPurchasing()
        while !store.log.contains("GET receipt") { await Task.yield() }
        for _ in 0..<200 { await Task.yield() }
        // The callback queue is busy while the purchase is told of several times.
        async let first: Void = queue.synchronize()
        async let second: Void = queue.synchronize()
        for _ in 0..<200 { await Task.yield() }
        blocker.release()
        await first
        await second
        #expect(blocker.deliveries == 1)
        #expect(store.finished == ["1000"])
    }

    @Test func `an older answer doesn't replace a newer receipt`() async throws {
        let connection = device.connection(transport)
        transport.hold("receipt")
        async let older = connection.refreshReceipt()
        await transport.arrival(of: "receipt")
        async let newer = connection.refreshReceipt()
        for _ in 0..<200 { await Task.yield() }
        transport.release("receipt")
        _ = try await (older, newer)
        #expect(try device.files.read("receipt") == Data("receipt 2".utf8))
    }

    @Test func `a waiting refresh can be cancelled`() async throws {
        let connection = device.connection(transport)
        transport.hold("receipt")
        async let first = connection.refreshReceipt()
        await transport.arrival(of: "receipt")
        let second = Task { try await connection.refreshReceipt() }
        for _ in 0..<200 { await Task.yield() }
        second.cancel()
        _ = try? await second.value
        transport.release("receipt")
        #expect(try await first == Data("receipt 1".utf8))
        #expect(try await connection.refreshReceipt().isEmpty == false)
    }

    private func payment(_ product: String) -> SKPayment {
        let payment = SKMutablePayment()
        payment.productIdentifier = product
        return payment
    }

    /// Blocks the callback queue while its payment is being purchased; finishes what is purchased.
    private final class Blocker: NSObject, SKPaymentTransactionObserver, Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let seen = AsyncStream<Void>.makeStream()
        private let recorder = Recorder(finishes: true)

        var deliveries: Int { recorder.log.filter { $0 == "purchased coins" }.count }

        func sawPurchasing() async {
            for await _ in seen.stream { return }
        }

        func release() { gate.signal() }

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            recorder.paymentQueue(queue, updatedTransactions: transactions)
            guard transactions.contains(where: { $0.transactionState == .purchasing }), deliveries == 0,
                recorder.log.count == 1
            else { return }
            seen.continuation.yield()
            gate.wait()
        }
    }
}
