import Foundation
import OpenStoreKit
import Perennial
import Synchronization
import Testing

struct PaymentTests {
    let device: Device
    let store = FakeStore()

    init() throws {
        self.device = try Device()
    }

    @Test func `a payment is purchasing, then purchased, then removed when it is finished`() async {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        await queue.buy("coins", quantity: 4)
        #expect(recorder.log == ["purchasing coins", "purchased coins", "removed coins"])
        #expect(store.charges == 1)
        #expect(store.finished == ["1000"])
        #expect(queue.transactions.isEmpty)
        #expect(recorder.last?.payment.quantity == 4)
        #expect(recorder.last?.transactionIdentifier == "1000")
        #expect(recorder.last?.transactionReceipt == Data("receipt of 1000".utf8))
        #expect(recorder.last?.transactionDate == Instant(rfc3339: "2026-01-01T00:00:00Z")?.date)
    }

    @Test func `payments are processed one at a time in the order of their adding`() async {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        for product in ["a", "b", "c"] {
            let payment = SKMutablePayment()
            payment.productIdentifier = product
            queue.add(payment)
        }
        await queue.settle()
        #expect(recorder.log.filter { $0.hasPrefix("purchased") } == ["purchased a", "purchased b", "purchased c"])
        #expect(store.state.withLock { $0.sales.map { $0.body["productId"] as? String } } == ["a", "b", "c"])
    }

    @Test func `nothing is sent while no observer is attached`() async {
        let queue = SKPaymentQueue(connection: device.connection(store))
        await queue.buy("coins")
        #expect(store.log.isEmpty)
        let recorder = Recorder()
        queue.add(recorder)
        await queue.settle()
        #expect(recorder.log.suffix(1) == ["purchased coins"])
        queue.remove(recorder)
        await queue.buy("coins")
        #expect(store.charges == 1)
    }

    @Test func `all observers get all events in the same order`() async {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorders = [Recorder(), Recorder(finishes: true), Recorder()]
        recorders.forEach { queue.add($0) }
        for product in ["a", "b"] { await queue.buy(product) }
        for recorder in recorders { #expect(recorder.log == recorders[0].log) }
        #expect(recorders[0].log.count == 6)
    }

    @Test func `a later observer gets the unfinished transactions`() async {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let first = Recorder()
        queue.add(first)
        await queue.buy("coins")
        let second = Recorder()
        queue.add(second)
        await queue.settle()
        #expect(second.log == ["purchased coins"])
        #expect(first.log.count == 2)
    }

    @Test func `observers are held weakly`() async {
        let queue = SKPaymentQueue(connection: device.connection(store))
        queue.add(Recorder())
        #expect(queue.transactionObservers.isEmpty)
    }

    @Test func `a cancelled payment fails with paymentCancelled and charges nothing`() async throws {
        struct Refusing: StoreConnection.PaymentSheet {
            func confirm(
                _ payment: StoreConnection.PaymentDetails
            ) async -> StoreConnection.PaymentSheetAnswer { .cancel }
        }
        let queue = SKPaymentQueue(connection: device.connection(store, paymentSheet: Refusing()))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        await queue.buy("coins")
        #expect(recorder.log == ["purchasing coins", "failed coins", "removed coins"])
        #expect((recorder.last?.error as? SKError)?.code == .paymentCancelled)
        #expect(store.charges == 0)
    }

    @Test func `the payment sheet gets the payment and the requested product`() async throws {
        actor Sheet: StoreConnection.PaymentSheet {
            var shown: [String] = []
            func confirm(_ payment: StoreConnection.PaymentDetails) async -> StoreConnection.PaymentSheetAnswer {
                shown.append("\(payment.quantity) × \(payment.product?.localizedTitle ?? "?")")
                return .buy
            }
        }
        let sheet = Sheet()
        let connection = device.connection(store, paymentSheet: sheet)
        _ = try await connection.products(for: ["coins"])
        let queue = SKPaymentQueue(connection: connection)
        let recorder = Recorder()
        queue.add(recorder)
        await queue.buy("coins", quantity: 2)
        await queue.buy("gems")
        #expect(await sheet.shown == ["2 × Name of coins", "1 × ?"])
    }

    @Test(arguments: [
        ("", 1, SKError.Code.paymentInvalid), ("coins", 0, .paymentInvalid), ("coins", -1, .paymentInvalid),
        ("coins", 11, .paymentInvalid),
    ])
    func `an invalid payment fails at once`(product: String, quantity: Int, code: SKError.Code) async {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        await queue.buy(product, quantity: quantity)
        #expect(recorder.log == ["failed \(product)", "removed \(product)"])
        #expect((recorder.last?.error as? SKError)?.code == code)
        #expect(!store.log.contains("POST purchases"))
    }

    @Test func `a payment's discount is sent unchanged`() async throws {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        let payment = SKMutablePayment()
        payment.productIdentifier = "monthly"
        let nonce = UUID()
        payment.paymentDiscount = SKPaymentDiscount(
            identifier: "half", keyIdentifier: "K", nonce: nonce, signature: "c2ln", timestamp: 1_767_225_600_000)
        queue.add(payment)
        await queue.settle()
        let offer = try #require(store.lastOffer)
        #expect(
            offer == [
                "identifier": "half", "keyIdentifier": "K", "nonce": nonce.uuidString.lowercased(),
                "signature": "c2ln", "timestamp": "1767225600000",
            ])
        #expect(recorder.last?.payment.paymentDiscount?.identifier == "half")
    }

    @Test func `a discount without a signature is refused, not charged in full`() async {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        let payment = SKMutablePayment()
        payment.productIdentifier = "monthly"
        payment.paymentDiscount = SKPaymentDiscount(
            identifier: "half", keyIdentifier: "K", nonce: UUID(), signature: "", timestamp: 1)
        queue.add(payment)
        await queue.settle()
        #expect((recorder.last?.error as? SKError)?.code == .missingOfferParams)
        #expect(store.charges == 0)
    }

    @Test func `a deferred payment is purchased after the approval`() async {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        await queue.buy("coins", asksToBuy: true)
        #expect(recorder.log == ["purchasing coins", "deferred coins"])
        if let transaction = recorder.last { queue.finishTransaction(transaction) }
        #expect(queue.transactions.count == 1)
        store.answer("coins")
        await queue.synchronize()
        #expect(recorder.log.suffix(2) == ["purchased coins", "removed coins"])
        #expect(queue.transactions.isEmpty)
    }

    @Test func `a running term is refused before the payment`() async {
        store.set { $0.types["pass.1week"] = "nonRenewing" }
        let now = Instant(rfc3339: "2026-01-03T00:00:00Z") ?? Instant(milliseconds: 0)
        let queue = SKPaymentQueue(
            connection: device.connection(store, now: now), nonRenewingTerms: NonRenewingTermRules())
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        await queue.buy("pass.1week")
        await queue.buy("pass.1week")
        #expect(store.charges == 1)
        let error = recorder.last?.error as? SKError
        #expect(error?.code == .paymentInvalid)
        #expect(error?.userInfo[SKStoreErrorCodeKey] as? String == "termStillRunning")
        await queue.close()
        let later = Instant(rfc3339: "2026-01-08T00:00:00Z") ?? Instant(milliseconds: 0)
        let next = SKPaymentQueue(
            connection: device.connection(store, now: later), nonRenewingTerms: NonRenewingTermRules())
        next.add(recorder)
        await next.buy("pass.1week")
        #expect(store.charges == 2)
    }

    @Test func `a storefront change is reported, and the delegate may stop a payment`() async {
        final class Stopping: NSObject, SKPaymentQueueDelegate, Sendable {
            func paymentQueue(
                _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
                in newStorefront: SKStorefront
            ) -> Bool { newStorefront.countryCode != "DEU" }
        }
        final class Moving: StoreConnection.PaymentSheet {
            let store: FakeStore
            let connection = Mutex<StoreConnection?>(nil)
            init(store: FakeStore) {
                self.store = store
            }
            func confirm(_ payment: StoreConnection.PaymentDetails) async -> StoreConnection.PaymentSheetAnswer {
                store.set { $0.storefront = "DEU" }
                // A sign-in tells the new country.
                store.set { $0.validToken = nil }
                _ = try? await connection.withLock { $0 }?.products(for: ["coins"])
                return .buy
            }
        }
        let moving = Moving(store: store)
        let connection = device.connection(store, paymentSheet: moving)
        moving.connection.withLock { $0 = connection }
        defer { moving.connection.withLock { $0 = nil } }
        let delegate = Stopping()
        let queue = SKPaymentQueue(connection: connection)
        queue.delegate = delegate
        let recorder = Recorder()
        queue.add(recorder)
        await queue.settle()
        #expect(queue.storefront?.countryCode == "USA")
        await queue.buy("coins")
        #expect((recorder.last?.error as? SKError)?.code == .storeProductNotAvailable)
        #expect(store.charges == 0)
        store.set { $0.storefront = "FRA" }
        await queue.synchronize()
        #expect(recorder.log.last == "storefront FRA")
    }

    @Test func `a storefront change at a new sign-in is reported`() async throws {
        let connection = device.connection(store)
        let queue = SKPaymentQueue(connection: connection)
        let recorder = Recorder()
        queue.add(recorder)
        await queue.settle()
        store.set {
            $0.storefront = "DEU"
            $0.validToken = nil
        }
        _ = try await connection.products(for: ["coins"])
        await queue.settle()
        #expect(recorder.log == ["storefront DEU"])
        await queue.synchronize()
        #expect(recorder.log == ["storefront DEU"])
    }

    @Test func `a renewal has the subscription's first transaction as its original`() async throws {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        await queue.buy("monthly")
        #expect(recorder.last?.original == nil)
        store.sell("monthly", type: "autoRenewable")
        store.set { $0.sales[1].originalID = "1000" }
        await queue.synchronize()
        let renewal = try #require(recorder.last)
        #expect(renewal.transactionState == .purchased)
        #expect(renewal.transactionIdentifier == "1001")
        #expect(renewal.transactionDate == Instant(rfc3339: "2026-02-01T00:00:00Z")?.date)
        let original = try #require(renewal.original)
        #expect(original.transactionIdentifier == "1000")
        #expect(original.transactionState == .purchased)
        #expect(original.transactionDate == Instant(rfc3339: "2026-01-01T00:00:00Z")?.date)
        #expect(original.payment.productIdentifier == "monthly")
    }
}

struct NonRenewingTermRulesTests {
    @Test func `a term is configured by identifier or pattern, or read from the identifier`() {
        let terms = NonRenewingTermRules(configured: ["pass.1week": "P10D", "*.gold": "P1Y", "silver": "a year"])
        #expect(terms.term(of: "pass.1week") == "P10D")
        #expect(terms.term(of: "pass.gold") == "P1Y")
        #expect(terms.term(of: "pass6months") == "P6M")
        #expect(terms.term(of: "silver") == nil)
    }

    @Test func `without reading identifiers only configured terms count`() {
        let terms = NonRenewingTermRules(configured: ["*.gold": "P1Y"], readsIdentifiers: false)
        #expect(terms.term(of: "pass.1week") == nil)
        #expect(terms.term(of: "pass.gold") == "P1Y")
    }
}
