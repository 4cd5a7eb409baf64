import Foundation
import OpenStoreKit
import Synchronization
import Testing

struct PaymentObjectTests {
    private class ListedProduct: SKProduct, @unchecked Sendable {
        let identifier: String

        init(_ identifier: String) {
            self.identifier = identifier
            super.init()
        }

        override var productIdentifier: String { identifier }
    }

    private final class FixedPayment: SKPayment {
        override var productIdentifier: String { "fixed" }
        override var quantity: Int { 3 }
    }

    @Test func `payments are equal by their fields, and copies are independent`() throws {
        let payment = SKMutablePayment()
        payment.productIdentifier = "coins"
        let copy = try #require(payment.mutableCopy() as? SKMutablePayment)
        #expect(copy == payment)
        copy.quantity = 3
        #expect(copy != payment)
        #expect(payment.quantity == 1)
        #expect(!(payment.copy() is SKMutablePayment))
    }

    @Test func `a payment takes the product of a subclass`() throws {
        let product = ListedProduct("coins")
        #expect(SKPayment(product: product).productIdentifier == "coins")
        #expect(SKMutablePayment(product: product).productIdentifier == "coins")
        let payment = try #require(SKPayment.payment(withProductIdentifier: "gems") as? SKPayment)
        #expect(payment.productIdentifier == "gems")
    }

    @Test func `a queue buys what a payment's overridden properties say`() async throws {
        let store = FakeStore()
        let queue = SKPaymentQueue(connection: try Device().connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        queue.add(FixedPayment())
        await queue.settle()
        #expect(recorder.log == ["purchasing fixed", "purchased fixed"])
        #expect(recorder.last?.payment.quantity == 3)
    }

    @Test func `two products with one identifier are two members of a set`() {
        #expect(Set([ListedProduct("coins"), ListedProduct("coins")]).count == 2)
    }

    @Test func `a products request's delegate is one, by either type`() {
        let delegate = RequestTests.Delegate()
        let request = SKProductsRequest(productIdentifiers: ["a"])
        request.delegate = delegate
        let base: SKRequest = request
        #expect(base.delegate === delegate)
        base.delegate = nil
        #expect(request.delegate == nil)
    }

    @Test func `a cancelled request calls no delegate`() async throws {
        let store = FakeStore()
        let delegate = RequestTests.Delegate()
        let request = SKProductsRequest(productIdentifiers: ["a"], connection: try Device().connection(store))
        request.delegate = delegate
        request.cancel()
        request.start()
        await mainQueue()
        #expect(delegate.lines.withLock { $0 } == [])
        #expect(store.log.isEmpty)
    }

    @Test func `an offer is equal to itself only, and a payment keeps its object`() throws {
        func offer() -> SKPaymentDiscount {
            SKPaymentDiscount(identifier: "o", keyIdentifier: "k", nonce: nonce, signature: "s", timestamp: 1)
        }
        let nonce = UUID()
        let discount = offer()
        #expect(discount != offer())
        let (payment, other) = (SKMutablePayment(), SKMutablePayment())
        payment.paymentDiscount = discount
        other.paymentDiscount = offer()
        #expect(payment.paymentDiscount === discount)
        #expect(payment == other && payment.hash == other.hash)
        #expect((payment.copy() as? SKPayment)?.paymentDiscount === discount)
        #expect((payment.mutableCopy() as? SKPayment)?.paymentDiscount === discount)
        payment.paymentDiscount = nil
        #expect(payment.paymentDiscount == nil && payment != other)
    }

    @Test func `a transaction keeps the objects of its payment and its original`() async throws {
        let store = FakeStore()
        let queue = SKPaymentQueue(connection: try Device().connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        await queue.buy("filter")
        store.set {
            $0.types["filter"] = "nonConsumable"
            $0.sales[0].isFinished = true
        }
        queue.restoreCompletedTransactions()
        await queue.settle()
        let restored = try #require(recorder.last)
        #expect(restored.transactionState == .restored)
        #expect(restored.payment === restored.payment)
        #expect(restored.original != nil && restored.original === restored.original)
        #expect(restored.original?.original == nil)
    }
}
