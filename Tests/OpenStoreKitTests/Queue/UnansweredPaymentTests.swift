import Foundation
import OpenStoreKit
import Synchronization
import Testing

/// Payments without an answer: the idempotency key is kept until the store reports the outcome.
struct UnansweredPaymentTests {
    let device: Device
    let store = FakeStore()
    private let observers = Observers()

    init() throws {
        self.device = try Device()
    }

    /// A queue whose unfinished transactions can't be fetched after its start: only the key can prevent a second charge.
    private func queue(_ sheet: any StoreConnection.PaymentSheet = StoreConnection.ImmediatePaymentSheet()) async -> (
        SKPaymentQueue, Recorder
    ) {
        let queue = SKPaymentQueue(connection: device.connection(store, paymentSheet: sheet))
        let recorder = Recorder(finishes: true)
        observers.hold(recorder)
        queue.add(recorder)
        await queue.settle()
        return (queue, recorder)
    }

    private func loseUnfinished(times: Int = 1) {
        for _ in 0..<(4 * times) { store.script("transactions/unfinished", .error(503, "unavailable", 0)) }
    }

    /// Statuses of proxies, and of the store before it reads the purchase.
    static let statuses = [302, 400, 401, 403, 404, 407, 408, 413, 429, 451]

    @Test(arguments: statuses)
    func `an answer about something else doesn't free the key of a lost payment`(status: Int) async {
        let (queue, recorder) = await queue()
        let answer = HTTPAnswer(status: status, body: Data("<html>".utf8))
        // The first attempt is sold and its answer lost; where the second is 401 the client signs in and asks again.
        store.script("purchases", nil, answer, answer)
        if status != 401 { store.set { _ = $0.scripts["purchases"]?.removeLast() } }
        loseUnfinished()
        await queue.buy("coins")
        #expect(recorder.log == ["purchasing coins", "failed coins", "removed coins"])
        await queue.buy("coins")
        #expect(store.charges == 1)
        #expect(recorder.log.filter { $0 == "purchased coins" }.count == 1)
        #expect(store.finished == ["1000"])
    }

    @Test(arguments: statuses)
    func `a payment sent before a crash keeps its key through such an answer`(status: Int) async {
        await payAndStop()
        #expect(store.charges == 1)
        let answer = HTTPAnswer(status: status, body: Data("<html>".utf8))
        store.script("purchases", answer, answer)
        if status != 401 { store.set { _ = $0.scripts["purchases"]?.removeLast() } }
        loseUnfinished()
        let (queue, recorder) = await queue()
        #expect(recorder.log.contains("failed coins"))
        await queue.buy("coins")
        #expect(store.charges == 1)
        #expect(recorder.log.filter { $0 == "purchased coins" }.count == 1)
    }

    @Test func `a payment that another device delivered after a crash leaves the queue`() async {
        await payAndStop()
        store.set { $0.sales[0].isFinished = true }
        let (queue, recorder) = await queue()
        #expect(recorder.log == ["purchasing coins", "removed coins"])
        #expect(queue.transactions.isEmpty)
        #expect(store.charges == 1)
    }

    /// Runs the app up to a crash while the store carries out a payment.
    private func payAndStop() async {
        let transport = StoppingTransport(store: store)
        let queue = SKPaymentQueue(connection: device.connection(transport))
        let recorder = Recorder()
        observers.hold(recorder)
        queue.add(recorder)
        await queue.settle()
        transport.stops.withLock { $0 = true }
        queue.add(payment("coins"))
        await transport.hasStopped()
        await queue.close()
    }

    @Test func `cancelling the repetition doesn't free the key`() async {
        let sheet = ScriptedSheet([.buy, .cancel, .buy])
        let (queue, recorder) = await queue(sheet)
        store.script("purchases", nil, nil, nil, nil)
        loseUnfinished(times: 3)
        await queue.buy("coins")
        await queue.buy("coins")
        #expect((recorder.last?.error as? SKError)?.code == .paymentCancelled)
        await queue.buy("coins")
        #expect(store.charges == 1)
        #expect(recorder.log.filter { $0 == "purchased coins" }.count == 1)
    }

    @Test func `a refusal whose answer was lost isn't repeated with a valid card`() async {
        let (queue, recorder) = await queue()
        store.set { $0.isDeclining = true }
        store.script("purchases", nil, nil, nil, nil)
        loseUnfinished()
        await queue.buy("coins")
        store.set { $0.isDeclining = false }
        await queue.buy("coins")
        #expect(recorder.log.contains("purchased coins"))
        #expect(store.charges == 1)
    }

    @Test func `a refusal by the store frees the key`() async {
        let (queue, recorder) = await queue()
        store.set { $0.isDeclining = true }
        await queue.buy("coins")
        #expect((recorder.last?.error as? SKError)?.userInfo[SKStoreErrorCodeKey] as? String == "paymentDeclined")
        store.set { $0.isDeclining = false }
        await queue.buy("coins")
        #expect(store.charges == 1)
        #expect(store.log.filter { $0 == "POST purchases" }.count == 2)
    }

    @Test func `a purchase of the same product elsewhere doesn't free the key of a lost one`() async {
        let (queue, recorder) = await queue()
        store.script("purchases", nil, nil, nil, nil)
        loseUnfinished()
        await queue.buy("coins")
        // The store tells of another device's purchase, and not yet of ours.
        store.sell("coins", type: "consumable")
        store.set { $0.sales[0].isHidden = true }
        await queue.synchronize()
        #expect(recorder.transactions.last?.transactionIdentifier == "1001")
        await queue.buy("coins")
        #expect(store.charges == 2)
        #expect(Set(store.finished) == ["1000", "1001"])
    }

    private func payment(_ product: String) -> SKPayment {
        let payment = SKMutablePayment()
        payment.productIdentifier = product
        return payment
    }

    /// Carries out a purchase and never answers, since the process ends.
    private final class StoppingTransport: Transport {
        let store: FakeStore
        let stops = Mutex(false)
        private let stopped = AsyncStream<Void>.makeStream()
        private let never = AsyncStream<Void>.makeStream()

        init(store: FakeStore) { self.store = store }

        func hasStopped() async {
            for await _ in stopped.stream { return }
        }

        func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
            let answer = try await store.send(call, maximumBytes: maximumBytes)
            guard call.url.path.hasSuffix("/purchases"), stops.withLock({ $0 }) else { return answer }
            stopped.continuation.yield()
            // Until the process ends.
            for await _ in never.stream {}
            return answer
        }

        func stream(_ call: HTTPCall) async throws -> StreamedAnswer { try await store.stream(call) }
    }

    private actor ScriptedSheet: StoreConnection.PaymentSheet {
        private var answers: [StoreConnection.PaymentSheetAnswer]

        init(_ answers: [StoreConnection.PaymentSheetAnswer]) {
            self.answers = answers
        }

        func confirm(_ payment: StoreConnection.PaymentDetails) async -> StoreConnection.PaymentSheetAnswer {
            answers.removeFirst()
        }
    }
}
