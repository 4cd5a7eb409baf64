import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Testing

/// An app with StoreKit 1 alone, on a device that reaches the session's store over HTTP.
@Suite("A payment queue over a network", .timeLimit(.minutes(3)))
struct NetworkQueueTests {
    /// Passes on what the queue says, and keeps transactions unfinished.
    private final class Observer: NSObject, SKPaymentTransactionObserver, Sendable {
        let (transactions, transaction) = AsyncStream<SKPaymentTransaction>.makeStream()
        let (restores, restore) = AsyncStream<String>.makeStream()
        let (revocations, revocation) = AsyncStream<[String]>.makeStream()

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            for transaction in transactions where transaction.transactionState != .purchasing {
                self.transaction.yield(transaction)
            }
        }

        func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
            restore.yield("finished")
        }

        func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
            restore.yield("failed: \(error)")
        }

        func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers products: [String]) {
            revocation.yield(products)
        }
    }

    private let session: SKTestSession
    private let folder: TemporaryFolder

    init() throws {
        session = try Fixtures.session()
        folder = try TemporaryFolder()
    }

    private func connection(_ device: String = "device") async throws -> StoreConnection {
        StoreConnection(
            baseURL: try await session.startServer(), bundleID: session.bundleIdentifier,
            account: session.connection.account, deviceID: UUID(), storageFolder: try folder.folder(device),
            rootCertificates: [try session.rootCertificate])
    }

    /// Adds a transaction's product to a balance.
    private func credit(_ transaction: SKPaymentTransaction, in vault: PurchaseVault) throws -> Bool {
        try vault.credit(24, to: "pictures", for: try #require(transaction.transactionIdentifier))
    }

    @Test("A purchase elsewhere arrives by itself, and the vault can credit it")
    func elsewhere() async throws {
        let connection = try await connection()
        let queue = SKPaymentQueue(connection: connection)
        let observer = Observer()
        queue.add(observer)
        defer { queue.remove(observer) }
        await queue.settle()
        let bought = try await session.buyProduct(identifier: Fixtures.film)
        var transactions = observer.transactions.makeAsyncIterator()
        let transaction = try #require(await transactions.next())
        #expect(transaction.transactionIdentifier == String(bought.id))
        #expect(try credit(transaction, in: connection.vault))
        #expect(connection.vault.balance("pictures").available == 24)
    }

    @Test("A purchase before the launch and an approved one can be credited")
    func unfinishedAndApproved() async throws {
        try await session.buyProduct(identifier: Fixtures.film)
        session.askToBuyEnabled = true
        let connection = try await connection()
        let queue = SKPaymentQueue(connection: connection)
        let observer = Observer()
        queue.add(observer)
        defer { queue.remove(observer) }
        var transactions = observer.transactions.makeAsyncIterator()
        let first = try #require(await transactions.next())
        #expect(try credit(first, in: connection.vault))
        queue.finishTransaction(first)

        let payment = SKMutablePayment()
        payment.productIdentifier = Fixtures.film
        payment.simulatesAskToBuyInSandbox = true
        queue.add(payment)
        #expect(await transactions.next()?.transactionState == .deferred)
        let waiting = try #require(session.allTransactions().first { $0.pendingAskToBuyConfirmation })
        try session.approveAskToBuyTransaction(identifier: waiting.identifier)
        let approved = try #require(await transactions.next())
        #expect(approved.transactionState == .purchased)
        #expect(try credit(approved, in: connection.vault))
        #expect(connection.vault.balance("pictures").available == 48)
    }

    @Test("After a restore the vault has the originals")
    func restore() async throws {
        await (try await session.buyProduct(identifier: Fixtures.silver)).finish()
        let connection = try await connection()
        let queue = SKPaymentQueue(connection: connection)
        let observer = Observer()
        queue.add(observer)
        defer { queue.remove(observer) }
        queue.restoreCompletedTransactions()
        var transactions = observer.transactions.makeAsyncIterator()
        #expect(await transactions.next()?.transactionState == .restored)
        #expect(connection.vault.entitlement(to: Fixtures.silver) != nil)
        var restores = observer.restores.makeAsyncIterator()
        #expect(await restores.next() == "finished")
    }

    @Test("A late refund of a purchase that was made again revokes nothing")
    func boughtAgain() async throws {
        await (try await session.buyProduct(identifier: Fixtures.silver)).finish()
        await (try await session.buyProduct(identifier: Fixtures.amber)).finish()
        let connection = try await connection()
        do {
            let queue = SKPaymentQueue(connection: connection)
            let observer = Observer()
            queue.add(observer)
            await queue.settle()
            await queue.close()
        }
        for transaction in session.allTransactions() {
            try session.refundTransaction(identifier: transaction.identifier)
        }
        await (try await session.buyProduct(identifier: Fixtures.silver)).finish()
        let queue = SKPaymentQueue(connection: connection)
        let observer = Observer()
        queue.add(observer)
        var revocations = observer.revocations.makeAsyncIterator()
        #expect(await revocations.next() == [Fixtures.amber])
        await queue.close()
    }
}
