import StoreKit

// Test doubles as apps write them: subclasses that override what the code under test reads.

final class DoubleProduct: SKProduct, @unchecked Sendable {
    private let identifier: String
    private let amount: NSDecimalNumber

    init(identifier: String, amount: String) {
        self.identifier = identifier
        self.amount = NSDecimalNumber(string: amount)
        super.init()
    }

    override var productIdentifier: String { identifier }
    override var price: NSDecimalNumber { amount }
    override var priceLocale: Locale { Locale(identifier: "de_DE@currency=EUR") }
    override var localizedTitle: String { "Film" }
    override var localizedDescription: String { "A film of 36 pictures" }
    override var subscriptionPeriod: SKProductSubscriptionPeriod? { DoublePeriod() }
    override var introductoryPrice: SKProductDiscount? { DoubleDiscount() }
    override var discounts: [SKProductDiscount] { [DoubleDiscount()] }
    override var isFamilyShareable: Bool { true }
}

final class DoublePeriod: SKProductSubscriptionPeriod, @unchecked Sendable {
    override var unit: SKProduct.PeriodUnit { .month }
    override var numberOfUnits: Int { 3 }
}

final class DoubleDiscount: SKProductDiscount, @unchecked Sendable {
    // Narrowed from an optional, as the language allows.
    override var identifier: String { "return-half-price" }
    override var price: NSDecimalNumber { NSDecimalNumber(string: "1.99") }
    override var priceLocale: Locale { Locale(identifier: "en_US") }
    override var paymentMode: SKProductDiscount.PaymentMode { .payUpFront }
    override var subscriptionPeriod: SKProductSubscriptionPeriod { DoublePeriod() }
    override var numberOfPeriods: Int { 2 }
    override var type: SKProductDiscount.`Type` { .subscription }
}

final class DoublePayment: SKPayment {
    private let identifier: String

    init(identifier: String) {
        self.identifier = identifier
        super.init()
    }

    override var productIdentifier: String { identifier }
    override var quantity: Int { 2 }
}

final class DoublePaymentDiscount: SKPaymentDiscount, @unchecked Sendable {
    override init() {
        super.init()
    }

    override var identifier: String { "return-half-price" }
    override var keyIdentifier: String { "KEY" }
}

final class DoubleTransaction: SKPaymentTransaction, @unchecked Sendable {
    private let state: SKPaymentTransactionState
    private let paid: DoublePayment
    private let failure: (any Error)?
    private let first: SKPaymentTransaction?

    init(
        _ state: SKPaymentTransactionState, of productID: String, failure: (any Error)? = nil,
        original: SKPaymentTransaction? = nil
    ) {
        self.state = state
        paid = DoublePayment(identifier: productID)
        self.failure = failure
        first = original
        super.init()
    }

    override var payment: SKPayment { paid }
    override var transactionState: SKPaymentTransactionState { state }
    override var error: (any Error)? { failure }
    override var original: SKPaymentTransaction? { first }
    override var transactionDate: Date? { Date(timeIntervalSince1970: 1_700_000_000) }
    override var transactionIdentifier: String? { "2000000000000001" }
}

final class DoubleQueue: SKPaymentQueue, @unchecked Sendable {
    nonisolated(unsafe) var payments: [SKPayment] = []
    nonisolated(unsafe) var finished: [SKPaymentTransaction] = []
    nonisolated(unsafe) var restores = 0
    nonisolated(unsafe) var started: [SKDownload] = []
    nonisolated(unsafe) weak var observer: (any SKPaymentTransactionObserver)?

    override func add(_ payment: SKPayment) { payments.append(payment) }
    override func add(_ observer: any SKPaymentTransactionObserver) { self.observer = observer }
    override func remove(_ observer: any SKPaymentTransactionObserver) { self.observer = nil }
    override func finishTransaction(_ transaction: SKPaymentTransaction) { finished.append(transaction) }
    override func start(_ downloads: [SKDownload]) { started += downloads }
    override func restoreCompletedTransactions() { restores += 1 }
    override func restoreCompletedTransactions(withApplicationUsername username: String?) { restores += 1 }
    override var storefront: SKStorefront? { DoubleStorefront() }
}

final class DoubleStorefront: SKStorefront, @unchecked Sendable {
    override var countryCode: String { "DEU" }
    override var identifier: String { "143443" }
}

final class DoubleProductsRequest: SKProductsRequest, @unchecked Sendable {
    private let answer: [SKProduct]
    private(set) var isCancelled = false

    init(answer: [SKProduct]) {
        self.answer = answer
        super.init()
    }

    override func start() {
        delegate?.productsRequest(self, didReceive: DoubleResponse(answer))
    }

    override func cancel() { isCancelled = true }
}

final class DoubleResponse: SKProductsResponse, @unchecked Sendable {
    private let answer: [SKProduct]

    init(_ answer: [SKProduct]) {
        self.answer = answer
        super.init()
    }

    override var products: [SKProduct] { answer }
    override var invalidProductIdentifiers: [String] { ["com.example.unknown"] }
}

final class DoubleReceiptRequest: SKReceiptRefreshRequest, @unchecked Sendable {
    override func start() { delegate?.requestDidFinish(self) }
}

final class DoubleMutablePayment: SKMutablePayment {
    private(set) var quantities: [Int] = []

    override var quantity: Int {
        get { super.quantity }
        set {
            quantities.append(newValue)
            super.quantity = newValue
        }
    }
}

final class DoubleDownload: SKDownload {
    private var owner = SKPaymentTransaction()

    convenience init(of transaction: SKPaymentTransaction) {
        self.init()
        owner = transaction
    }

    override var state: SKDownloadState { .finished }
    override var contentIdentifier: String { "pictures" }
    override var contentVersion: String { "1.1" }
    override var progress: Float { 1 }
    override var contentURL: URL? { URL(fileURLWithPath: "/downloads/pictures") }
    override var transaction: SKPaymentTransaction { owner }
}

final class DoubleRequest: SKRequest, @unchecked Sendable {
    private(set) var isCancelled = false

    override func start() { delegate?.request(self, didFailWithError: SKError(.clientInvalid)) }
    override func cancel() { isCancelled = true }
}

final class DoublePromotionController: SKProductStorePromotionController {
    private(set) var visibilities: [String: SKProductStorePromotionVisibility] = [:]

    override func update(
        storePromotionVisibility promotionVisibility: SKProductStorePromotionVisibility, for product: SKProduct,
        completionHandler: (((any Error)?) -> Void)? = nil
    ) {
        visibilities[product.productIdentifier] = promotionVisibility
        completionHandler?(nil)
    }

    override func fetchStorePromotionVisibility(
        for product: SKProduct,
        completionHandler: ((SKProductStorePromotionVisibility, (any Error)?) -> Void)? = nil
    ) {
        completionHandler?(visibilities[product.productIdentifier] ?? .default, nil)
    }
}
