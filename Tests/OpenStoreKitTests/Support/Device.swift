import Foundation
import OpenStoreKit
import Perennial
import Synchronization
import Testing

/// A device with a folder, for repeated launches of the app.
final class Device: Sendable {
    let folder: URL
    let identifier: UUID

    init() throws {
        self.identifier = UUID()
        self.folder = FileManager.default.temporaryDirectory.appendingPathComponent("device-\(identifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    var files: FolderStore { FolderStore(folder: folder.appendingPathComponent("files")) }

    func connection(
        _ transport: any Transport, files: (any FileStore)? = nil, account: String = "ann@example.com",
        now: Instant = Instant(milliseconds: 1_767_225_600_000), receiptChecking: (any ReceiptChecking)? = nil,
        paymentSheet: any StoreConnection.PaymentSheet = StoreConnection.ImmediatePaymentSheet(),
        codeRedemptionSheet: (any StoreConnection.CodeRedemptionSheet)? = nil,
        priceConsentSheet: (any StoreConnection.PriceConsentSheet)? = nil,
        nonRenewingTerms: NonRenewingTermRules? = nil, contentServer: DeliveryClient? = nil,
        dependencies: DeviceDependencies? = nil, applicationVersion: String = "2.1"
    ) -> StoreConnection {
        StoreConnection(
            baseURL: URL(fileURLWithPath: "/").deletingLastPathComponent().storeURL, bundleID: "com.example.magazine",
            account: account, deviceID: identifier, language: "de-DE",
            applicationVersion: applicationVersion, storageFolder: folder,
            receiptChecking: receiptChecking, paymentSheet: paymentSheet, codeRedemptionSheet: codeRedemptionSheet,
            priceConsentSheet: priceConsentSheet, nonRenewingTerms: nonRenewingTerms, contentServer: contentServer,
            transport: transport, dependencies: dependencies ?? .test(now: now),
            files: files ?? self.files)
    }
}

extension URL {
    fileprivate var storeURL: URL { URL(string: "http://store.test") ?? self }
}

extension DeviceDependencies {
    /// Dependencies that never wait, with names that are unique over relaunches.
    ///
    /// A sleep gives way: a loop that sleeps and asks a fake store would keep its thread from all others.
    static func test(now: Instant = Instant(milliseconds: 1_767_225_600_000)) -> DeviceDependencies {
        DeviceDependencies(
            now: { now },
            sleep: { _ in
                try Task.checkCancellation()
                await Task.yield()
            },
            randomBytes: { count in (0..<count).map { _ in UInt8.random(in: 0...255) } })
    }
}

/// An observer that records events and finishes selected transactions.
final class Recorder: NSObject, SKPaymentTransactionObserver, Sendable {
    private let lines = Mutex<[String]>([])
    private let seen = Mutex<[SKPaymentTransaction]>([])
    /// An element for each removed transaction.
    let (removals, removed) = AsyncStream<Void>.makeStream()
    let finishes: Bool

    init(finishes: Bool = false) {
        self.finishes = finishes
    }

    var log: [String] { lines.withLock { $0 } }
    var last: SKPaymentTransaction? { seen.withLock { $0.last } }
    var transactions: [SKPaymentTransaction] { seen.withLock { $0 } }

    func write(_ line: String) {
        lines.withLock { $0.append(line) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            seen.withLock { $0.append(transaction) }
            write("\(transaction.transactionState) \(transaction.payment.productIdentifier)")
            if finishes, ![.purchasing, .deferred].contains(transaction.transactionState) {
                queue.finishTransaction(transaction)
            }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions { write("removed \(transaction.payment.productIdentifier)") }
        removed.yield()
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        write("restore finished")
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        write("restore failed")
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        write("storefront \(queue.storefront?.countryCode ?? "none")")
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        write("revoked \(productIdentifiers.joined(separator: ","))")
    }
}

/// Keeps observers, which queues hold weakly.
final class Observers: Sendable {
    private let held = Mutex<[any SKPaymentTransactionObserver & Sendable]>([])

    func hold(_ observer: any SKPaymentTransactionObserver & Sendable) {
        held.withLock { $0.append(observer) }
    }
}

extension SKPaymentQueue {
    /// The purchases on the device.
    var vault: PurchaseVault {
        guard let connection else { preconditionFailure("the queue has no connection") }
        return connection.vault
    }

    func buy(_ product: String, quantity: Int = 1, asksToBuy: Bool = false) async {
        let payment = SKMutablePayment()
        payment.productIdentifier = product
        payment.quantity = quantity
        payment.simulatesAskToBuyInSandbox = asksToBuy
        add(payment)
        await settle()
    }
}
