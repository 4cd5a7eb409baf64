import Foundation
import OpenStoreKit
import Synchronization
import Testing

/// The process's store: each test in a process of its own, since a process has one such store, which sessions of other suites
/// take.
@Suite(.timeLimit(.minutes(5)))
struct ProcessStoreTests {
    let device: Device
    let store = FakeStore()

    init() throws {
        self.device = try Device()
    }

    private func withSession(_ connection: StoreConnection, _ body: () async throws -> Void) async rethrows {
        CurrentStore.push(connection)
        defer {
            CurrentStore.pop(connection)
            connection.close()
        }
        try await body()
    }

    // MARK: Precedence

    @Test func `the newest live session precedes earlier ones and the app's connection`() async {
        await #expect(processExitsWith: .success) { try ProcessStoreTests().theNewestLiveSessionPrecedesEarlier() }
    }

    func theNewestLiveSessionPrecedesEarlier() throws {
        let (app, first, second) = (device.connection(store), device.connection(store), device.connection(store))
        app.makeCurrent()
        defer { CurrentStore.removeExplicit(app) }
        #expect(CurrentStore.connection === app)
        CurrentStore.push(first)
        CurrentStore.push(second)
        #expect(CurrentStore.connection === second)
        CurrentStore.push(first)
        #expect(CurrentStore.connection === first)
        CurrentStore.pop(first)
        #expect(CurrentStore.connection === second)
        CurrentStore.pop(second)
        #expect(CurrentStore.connection === app)
    }

    @Test func `a task's connection precedes the process's, also in child tasks`() async {
        await #expect(processExitsWith: .success) {
            try await ProcessStoreTests().aTasksConnectionPrecedesTheProcesss()
        }
    }

    func aTasksConnectionPrecedesTheProcesss() async {
        let (process, task) = (device.connection(store), device.connection(store))
        await withSession(process) {
            await task.withCurrent {
                #expect(CurrentStore.connection === task)
                async let child = CurrentStore.connection === task
                #expect(await child)
                #expect(CurrentStore.processConnection === process)
            }
            #expect(CurrentStore.connection === process)
        }
    }

    @Test func `an observation gets the present connection and each change, once`() async {
        await #expect(processExitsWith: .success) { try ProcessStoreTests().anObservationGetsThePresentConnection() }
    }

    func anObservationGetsThePresentConnection() {
        let (first, second) = (device.connection(store), device.connection(store))
        let seen = Mutex<[String]>([])
        let names = [ObjectIdentifier(first): "first", ObjectIdentifier(second): "second"]
        let observation = CurrentStore.observeChanges { connection in
            seen.withLock { $0.append(connection.flatMap { names[ObjectIdentifier($0)] } ?? "none") }
        }
        CurrentStore.push(first)
        CurrentStore.push(first)
        CurrentStore.push(second)
        CurrentStore.pop(first)
        CurrentStore.pop(second)
        #expect(seen.withLock { $0 } == ["none", "first", "second", "none"])
        observation.cancel()
        CurrentStore.push(first)
        CurrentStore.pop(first)
        #expect(seen.withLock { $0 }.count == 4)
    }

    /// Records the queue that is the default one during a call.
    private final class Comparing: NSObject, SKPaymentTransactionObserver, Sendable {
        let isDefault = Mutex<[Bool]>([])

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            isDefault.withLock { $0.append(SKPaymentQueue.default() === queue) }
        }
    }

    @Test func `the process's queue stays the default queue in its callbacks`() async {
        await #expect(processExitsWith: .success) { try await ProcessStoreTests().theProcesssQueueStaysTheDefault() }
    }

    func theProcesssQueueStaysTheDefault() async {
        await withSession(device.connection(store)) {
            let queue = SKPaymentQueue.default()
            let comparing = Comparing()
            queue.add(comparing)
            await queue.buy("coins")
            #expect(comparing.isDefault.withLock { $0 } == [true, true])
        }
    }

    // MARK: Without a store

    @Test func `without a store all identifiers are invalid`() async {
        await #expect(processExitsWith: .success) { try await ProcessStoreTests().withoutAStoreAllIdentifiersAre() }
    }

    func withoutAStoreAllIdentifiersAre() async throws {
        let delegate = RequestTests.Delegate()
        let request = SKProductsRequest(productIdentifiers: ["b", "a"])
        request.delegate = delegate
        request.start()
        #expect(await delegate.end() == ["received", "finished"])
        let response = try #require(delegate.response.withLock { $0 })
        #expect(response.products.isEmpty)
        #expect(response.invalidProductIdentifiers == ["a", "b"])
    }

    @Test func `without a store a payment and a restore fail`() async {
        await #expect(processExitsWith: .success) { try await ProcessStoreTests().withoutAStoreAPaymentAnd() }
    }

    func withoutAStoreAPaymentAnd() async throws {
        let queue = SKPaymentQueue()
        let recorder = Recorder()
        queue.add(recorder)
        let payment = SKMutablePayment()
        payment.productIdentifier = "coins"
        queue.add(payment)
        queue.restoreCompletedTransactions()
        await mainQueue()
        #expect(recorder.log == ["failed coins", "restore failed"])
        #expect((recorder.last?.error as? SKError)?.code == .storeProductNotAvailable)
        #expect(queue.storefront == nil)
        #expect(queue.transactions.isEmpty)
    }

    @Test func `without a store a receipt request fails`() async {
        await #expect(processExitsWith: .success) { try await ProcessStoreTests().withoutAStoreAReceiptRequest() }
    }

    func withoutAStoreAReceiptRequest() async {
        let delegate = RequestTests.Delegate()
        let request = SKReceiptRefreshRequest(receiptProperties: nil)
        request.delegate = delegate
        request.start()
        #expect(await delegate.end() == ["failed"])
        #expect(SKPaymentQueue.canMakePayments())
    }

    // MARK: The default queue

    @Test func `the default queue is one object, and follows the process's store`() async {
        await #expect(processExitsWith: .success) { try await ProcessStoreTests().theDefaultQueueIsOneObject() }
    }

    func theDefaultQueueIsOneObject() async throws {
        let other = FakeStore()
        let queue = SKPaymentQueue.default()
        #expect(queue === SKPaymentQueue.default())
        let recorder = Recorder()
        queue.add(recorder)
        defer { queue.remove(recorder) }
        store.sell("first")
        other.sell("second")
        await withSession(device.connection(store)) {
            await queue.settle()
            #expect(recorder.log == ["purchased first"])
            #expect(queue.transactions.count == 1)
        }
        #expect(queue.transactions.isEmpty)
        await withSession(try Device().connection(other)) {
            await queue.settle()
            #expect(recorder.log == ["purchased first", "purchased second"])
            #expect(queue.transactionObservers.count == 1)
        }
    }

    @Test func `default queues of two tasks don't see each other`() async {
        await #expect(processExitsWith: .success) { try await ProcessStoreTests().defaultQueuesOfTwoTasksDont() }
    }

    func defaultQueuesOfTwoTasksDont() async throws {
        let other = FakeStore()
        let connections = (device.connection(store), try Device().connection(other))
        defer {
            connections.0.close()
            connections.1.close()
        }
        async let first: [String] = connections.0.withCurrent { await Self.buyAndReport("coins") }
        async let second: [String] = connections.1.withCurrent { await Self.buyAndReport("gems") }
        #expect(await first == ["purchasing coins", "purchased coins", "removed coins"])
        #expect(await second == ["purchasing gems", "purchased gems", "removed gems"])
        #expect(store.charges == 1)
        #expect(other.charges == 1)
    }

    private static func buyAndReport(_ product: String) async -> [String] {
        let queue = SKPaymentQueue.default()
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        await queue.buy(product)
        return recorder.log
    }

    @Test func `a connection without references ends, with its engine`() async {
        await #expect(processExitsWith: .success) {
            try await ProcessStoreTests().aConnectionWithoutReferencesEndsWith()
        }
    }

    func aConnectionWithoutReferencesEndsWith() async throws {
        weak var released: StoreConnection?
        func live() async {
            let connection = device.connection(store)
            released = connection
            await connection.withCurrent { _ = await Self.buyAndReport("coins") }
            connection.close()
        }
        await live()
        for _ in 0..<1000 where released != nil { await Task.yield() }
        #expect(released == nil)
    }

    @Test func `a session's store is emptied in the queue too`() async {
        await #expect(processExitsWith: .success) { try await ProcessStoreTests().aSessionsStoreIsEmptiedIn() }
    }

    func aSessionsStoreIsEmptiedIn() async throws {
        let connection = device.connection(store)
        await withSession(connection) {
            let queue = SKPaymentQueue.default()
            let recorder = Recorder()
            queue.add(recorder)
            defer { queue.remove(recorder) }
            await queue.buy("coins")
            store.set { $0.sales = [] }
            connection.forgetPurchases()
            await queue.settle()
            #expect(queue.transactions.isEmpty)
            #expect(recorder.log.last == "removed coins")
        }
    }

    // MARK: Storefront and promotions

    @Test func `a new country of the customer is announced`() async {
        await #expect(processExitsWith: .success) { try await ProcessStoreTests().aNewCountryOfTheCustomer() }
    }

    func aNewCountryOfTheCustomer() async throws {
        let connection = device.connection(store)
        let (announced, continuation) = AsyncStream<Void>.makeStream()
        let token = NotificationCenter.default.addObserver(
            forName: .SKStorefrontCountryCodeDidChange, object: connection, queue: nil
        ) { _ in continuation.finish() }
        defer { NotificationCenter.default.removeObserver(token) }
        _ = try await connection.products(for: ["coins"])
        store.set { $0.storefront = "DEU" }
        connection.expectStorefront(countryCode: "DEU")
        for await _ in announced {}
        #expect(connection.storefront?.countryCode == "DEU")
        #expect(NSNotification.Name.SKStorefrontCountryCodeDidChange.rawValue.hasPrefix("SKStorefrontCountryCode"))
    }

    @Test func `order and visibility of promoted products stay on the device`() async {
        await #expect(processExitsWith: .success) {
            try await ProcessStoreTests().orderAndVisibilityOfPromotedProducts()
        }
    }

    func orderAndVisibilityOfPromotedProducts() async throws {
        let controller = SKProductStorePromotionController.default()
        await #expect(throws: SKError.self) { try await controller.promotionOrder() }
        try await withSession(device.connection(store)) {
            let products = try await device.connection(store).products(for: ["a", "b"]).products
            try await controller.update(promotionOrder: [products[1], products[0]])
            try await controller.update(promotionVisibility: .hide, for: products[0])
        }
        try await withSession(device.connection(store)) {
            let order = try await controller.promotionOrder()
            #expect(order.map(\.productIdentifier) == ["b", "a"])
            #expect(try await controller.promotionVisibility(for: order[1]) == .hide)
            #expect(try await controller.promotionVisibility(for: order[0]) == .default)
        }
    }

    // MARK: Code of apps

    @Test func `code written for StoreKit runs on the process's store`() async {
        await #expect(processExitsWith: .success) { try await ProcessStoreTests().codeWrittenForStorekitRunsOn() }
    }

    func codeWrittenForStorekitRunsOn() async throws {
        let connection = device.connection(store)
        try await withSession(connection) {
            let app = SampleStore()
            app.start()
            // The request's delegate adds the payment; the end is its removal.
            for await _ in app.finished {}
            SKPaymentQueue.default().remove(app)
            #expect(app.products.withLock { $0.map(\.productIdentifier) } == ["coins"])
            #expect(app.delivered.withLock { $0 } == ["2 coins"])
            #expect(SKPaymentQueue.default().storefront?.countryCode == "USA")
            let receipt = try device.files.read("receipt")
            #expect(receipt == Data("receipt 1".utf8))
        }
    }

    @Test func `callbacks of the default queue are on the main queue`() async {
        await #expect(processExitsWith: .success) { try await ProcessStoreTests().callbacksOfTheDefaultQueueAre() }
    }

    func callbacksOfTheDefaultQueueAre() async throws {
        final class Watching: NSObject, SKPaymentTransactionObserver, Sendable {
            static let isMain = DispatchSpecificKey<Bool>()
            let onMain = Mutex<[Bool]>([])
            func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
                onMain.withLock { $0.append(DispatchQueue.getSpecific(key: Self.isMain) == true) }
            }
        }
        DispatchQueue.main.setSpecific(key: Watching.isMain, value: true)
        await withSession(device.connection(store)) {
            let watching = Watching()
            SKPaymentQueue.default().add(watching)
            await SKPaymentQueue.default().buy("coins")
            SKPaymentQueue.default().remove(watching)
            #expect(watching.onMain.withLock { $0 } == [true, true])
        }
    }
}
