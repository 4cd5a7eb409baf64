import StoreKit
import Testing

/// The part of the queue that the code under test uses, as apps declare it to stand in for the class.
protocol PaymentQueue: AnyObject {
    func add(_ observer: any SKPaymentTransactionObserver)
    func remove(_ observer: any SKPaymentTransactionObserver)
    func add(_ payment: SKPayment)
    func finishTransaction(_ transaction: SKPaymentTransaction)
    func restoreCompletedTransactions(withApplicationUsername: String?)
}

extension SKPaymentQueue: PaymentQueue {}

@Suite("Usage: test doubles of StoreKit 1")
@MainActor
struct DoublesTests {
    @Test("a double of a product is read like a product")
    func product() {
        let product: SKProduct = DoubleProduct(identifier: Magazine.film, amount: "3.99")
        #expect(product.productIdentifier == Magazine.film)
        #expect(product.price == NSDecimalNumber(string: "3.99"))
        #expect(product.subscriptionPeriod?.numberOfUnits == 3)
        #expect(product.introductoryPrice?.identifier == "return-half-price")
        #expect(product.discounts.first?.type == .subscription)
        #expect(product.discounts.first?.subscriptionPeriod.unit == .month)
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        #expect(formatter.string(from: product.price)?.contains("€") == true)
    }

    @Test("two objects with one identifier are two members of a set")
    func identity() {
        let one: SKProduct = DoubleProduct(identifier: "a", amount: "1")
        let other: SKProduct = DoubleProduct(identifier: "a", amount: "1")
        #expect(Set([one, other, one]).count == 2)
        #expect(one != other)
        #expect(one.isEqual(one))
    }

    @Test("a payment made from a double keeps its product")
    func payment() throws {
        let product = DoubleProduct(identifier: Magazine.film, amount: "0.99")
        #expect(SKPayment(product: product).productIdentifier == Magazine.film)
        let payment = SKMutablePayment(product: product)
        payment.quantity = 4
        payment.applicationUsername = "ann"
        payment.paymentDiscount = DoublePaymentDiscount()
        payment.simulatesAskToBuyInSandbox = true
        let copy = try #require(payment.copy() as? SKPayment)
        payment.quantity = 5
        #expect(copy.quantity == 4)
        #expect(copy.applicationUsername == "ann")
        #expect(copy.paymentDiscount?.identifier == "return-half-price")
        let again = try #require(copy.mutableCopy() as? SKMutablePayment)
        again.quantity = 6
        #expect(again.quantity == 6)
        #expect(copy.quantity == 4)
    }

    @Test("an observer handles transactions that a test makes up")
    func observer() async {
        let queue = DoubleQueue()
        let controller = PurchaseController(queue: queue)
        #expect(queue.observer === controller)
        var events = controller.events.makeAsyncIterator()
        let bought = DoubleTransaction(.purchased, of: Magazine.film)
        let restored = DoubleTransaction(
            .restored, of: Magazine.silver, original: DoubleTransaction(.purchased, of: Magazine.silver))
        let failed = DoubleTransaction(.failed, of: Magazine.amber, failure: SKError(.paymentCancelled))
        queue.observer?.paymentQueue(queue, updatedTransactions: [bought, restored, failed])
        #expect(await events.next() == .bought(Magazine.film))
        #expect(await events.next() == .restored(Magazine.silver))
        #expect(await events.next() == .failed(Magazine.amber, .paymentCancelled))
        #expect(controller.films == 2)
        #expect(queue.finished.map(ObjectIdentifier.init) == [bought, restored, failed].map(ObjectIdentifier.init))
        controller.restore()
        #expect(queue.restores == 1)
        controller.close()
        #expect(queue.observer == nil)
    }

    @Test("a double of the queue stands behind a protocol of the app")
    func queueProtocol() {
        let double = DoubleQueue()
        let queue: any PaymentQueue = double
        queue.add(SKPayment(product: DoubleProduct(identifier: "a", amount: "1")))
        queue.restoreCompletedTransactions(withApplicationUsername: nil)
        #expect(double.payments.map(\.productIdentifier) == ["a"])
        #expect(double.restores == 1)
        #expect(double.storefront?.countryCode == "DEU")
    }

    @Test("a double of a request answers its delegate")
    func request() {
        final class Delegate: NSObject, SKProductsRequestDelegate {
            var products: [SKProduct] = []
            var unknown: [String] = []
            var finished = 0

            func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
                products = response.products
                unknown = response.invalidProductIdentifiers
            }

            func requestDidFinish(_ request: SKRequest) { finished += 1 }
        }
        let delegate = Delegate()
        let request = DoubleProductsRequest(answer: [DoubleProduct(identifier: "a", amount: "1")])
        request.delegate = delegate
        request.start()
        #expect(delegate.products.map(\.productIdentifier) == ["a"])
        #expect(delegate.unknown == ["com.example.unknown"])
        request.cancel()
        #expect(request.isCancelled)
        // One property, under the names of the class and of its base.
        let base: SKRequest = request
        #expect(base.delegate === delegate)
        base.delegate = nil
        #expect(request.delegate == nil)
        let receipt = DoubleReceiptRequest(receiptProperties: [SKReceiptPropertyIsExpired: true])
        receipt.delegate = delegate
        receipt.start()
        #expect(delegate.finished == 1)
    }

    @Test("a double of a mutable payment hears of its changes")
    func mutablePayment() {
        let payment = DoubleMutablePayment(product: DoubleProduct(identifier: "a", amount: "1"))
        payment.quantity = 3
        #expect(payment.quantity == 3)
        #expect(payment.quantities == [3])
    }

    @Test("a double of a download is started by a double of the queue")
    func download() {
        let transaction = DoubleTransaction(.purchased, of: Magazine.silver)
        let download: SKDownload = DoubleDownload(of: transaction)
        let queue = DoubleQueue()
        queue.start([download])
        #expect(queue.started.map(\.contentIdentifier) == ["pictures"])
        #expect(download.state == .finished)
        #expect(download.progress == 1)
        #expect(download.contentURL?.lastPathComponent == "pictures")
        #expect(download.transaction === transaction)
    }

    @Test("a double of the base of requests fails and is cancelled")
    func baseRequest() {
        final class Delegate: NSObject, SKRequestDelegate {
            var codes: [SKError.Code] = []

            func request(_ request: SKRequest, didFailWithError error: any Error) {
                codes.append((error as? SKError)?.code ?? .unknown)
            }
        }
        let delegate = Delegate()
        let request = DoubleRequest()
        request.delegate = delegate
        request.start()
        request.cancel()
        #expect(delegate.codes == [.clientInvalid])
        #expect(request.isCancelled)
    }

    @Test("a double of the promotion controller keeps what is set")
    func promotions() {
        let controller: SKProductStorePromotionController = DoublePromotionController()
        let product = DoubleProduct(identifier: "a", amount: "1")
        var seen: [SKProductStorePromotionVisibility] = []
        controller.fetchStorePromotionVisibility(for: product) { visibility, _ in seen.append(visibility) }
        controller.update(storePromotionVisibility: .hide, for: product)
        controller.fetchStorePromotionVisibility(for: product) { visibility, _ in seen.append(visibility) }
        #expect(seen == [.default, .hide])
    }
}
