import AppStoreFormats
import Foundation
import OpenStoreKit
import Synchronization

/// A customer's device with the app on it: everything it does goes through OpenStoreKit.
final class Device: Sendable {
    /// The properties that a restart of the app keeps.
    struct Facts: Sendable {
        var name: String
        var person: Person
        /// A bundle ID.
        var app: String
        var identifier: UUID
        /// The environment's base URL.
        var store: String
        var delivery: String
        /// The root of receipts that the app trusts, in DER.
        var root: [UInt8]
        var folder: URL
    }

    let facts: Facts
    let connection: StoreConnection
    let queue: SKPaymentQueue
    let observer = RecordingObserver()
    let sheet = Sheet()
    let delivery: DeliveryClient

    /// Starts the app: the queue's observer is attached at once, as Apple tells apps to do.
    init(_ facts: Facts) throws {
        self.facts = facts
        connection = StoreConnection(
            baseURL: try required("the store's URL", URL(string: facts.store)), bundleID: facts.app,
            account: facts.person.account, deviceID: facts.identifier, language: facts.person.language,
            applicationVersion: "3.2", deviceFamily: .iPhone, storageFolder: facts.folder,
            receiptChecking: try PinnedRoot(facts.root), paymentSheet: sheet)
        queue = SKPaymentQueue(connection: connection)
        delivery = DeliveryClient(
            baseURL: try required("Delivery's URL", URL(string: facts.delivery)), bundleID: facts.app,
            storageFolder: facts.folder)
        queue.add(observer)
    }

    var name: String { facts.name }

    /// The app ends, wherever it is, and is started again.
    func restarted() async throws -> Device {
        await queue.close()
        return try Device(facts)
    }

    // MARK: Buying

    /// The end of a payment.
    struct Outcome: Sendable {
        /// The states as the observer saw them.
        var states: [SKPaymentTransactionState]
        var transaction: SKPaymentTransaction

        var course: String { states.map(\.word).listed }
    }

    /// Adds a payment, and waits until the observer hears of its end.
    func buy(_ product: SKProduct, quantity: Int = 1) async throws -> Outcome {
        let mark = observer.mark
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        queue.add(payment)
        return try await observer.waits(for: "the end of a payment for \(product.productIdentifier)", since: mark) {
            events in
            let seen = events.compactMap(\.observation).filter { $0.product == product.productIdentifier }
            // The payment's own transaction is the one that was seen being purchased.
            guard let own = seen.first(where: { $0.state == .purchasing })?.transaction else { return nil }
            let states = seen.filter { $0.transaction === own }.map(\.state)
            guard let last = states.last, last == .purchased || last == .failed else { return nil }
            return Outcome(states: states, transaction: own)
        }
    }

    /// Says that all is delivered, and waits until the store knows.
    func finish(_ transaction: SKPaymentTransaction) async throws {
        let mark = observer.mark
        queue.finishTransaction(transaction)
        try await observer.waits(for: "the end of a finished transaction", since: mark) { events in
            events.contains { if case .removed(let removed) = $0 { removed === transaction } else { false } } ? () : nil
        }
    }

    // MARK: Receipts and content

    /// The receipt on the device.
    func receipt() throws -> Data {
        try Data(contentsOf: connection.appStoreReceiptURL)
    }

    /// Verifies a receipt with the pinned root and returns its purchases.
    func purchases(in receipt: Data) throws -> [AppReceipt.Purchase] {
        try PinnedRoot(facts.root).read(receipt, bundleID: facts.app, deviceID: facts.identifier).purchases
    }

    /// The place of a content file on the device.
    func place(of content: GrantedContent) -> URL {
        facts.folder.appending(path: content.filename ?? content.contentId)
    }

    /// Fetches a file.
    ///
    /// - Throws: `DeliveryError`.
    @discardableResult
    func fetch(_ content: GrantedContent, _ grant: DeliveryGrant) async throws -> URL {
        let place = place(of: content)
        return try await delivery.download(content, grant: grant, to: place).finished()
    }
}

/// The customer at the payment sheet.
final class Sheet: StoreConnection.PaymentSheet {
    private let answer = Mutex(StoreConnection.PaymentSheetAnswer.buy)

    /// Sets the customer's answer from now on.
    func says(_ answer: StoreConnection.PaymentSheetAnswer) {
        self.answer.withLock { $0 = answer }
    }

    func confirm(_ payment: StoreConnection.PaymentDetails) async -> StoreConnection.PaymentSheetAnswer {
        answer.withLock { $0 }
    }
}

/// Believes receipts under one root, for this app and device.
struct PinnedRoot: ReceiptChecking {
    private let verifier: ReceiptVerifier

    init(_ root: [UInt8]) throws {
        verifier = try ReceiptVerifier(trustedRoots: [root])
    }

    func check(_ receipt: Data, bundleID: String, deviceID: UUID) throws -> [PurchaseRecord] {
        try read(receipt, bundleID: bundleID, deviceID: deviceID).purchases.map { purchase in
            PurchaseRecord(
                transactionIdentifier: purchase.transactionID,
                originalTransactionIdentifier: purchase.originalTransactionID, productIdentifier: purchase.productID,
                // No step asks the queue for the terms of a subscription.
                productType: "", quantity: Int(purchase.quantity), purchaseDate: purchase.purchaseDate)
        }
    }

    func read(_ receipt: Data, bundleID: String, deviceID: UUID) throws -> AppReceipt {
        let read = try verifier.verify([UInt8](receipt))
        try expect("the receipt's app", read.bundleID, is: bundleID)
        let device = withUnsafeBytes(of: deviceID.uuid) { Array($0) }
        try expect("the receipt is bound to this device", read.belongs(toDevice: device), is: true)
        return read
    }
}
