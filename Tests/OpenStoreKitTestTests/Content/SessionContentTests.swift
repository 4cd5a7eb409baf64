import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Synchronization
import Testing

@Suite("Content in a session")
struct SessionContentTests {
    /// Delivers downloads of a queue's transactions, as apps of StoreKit 1 do.
    private final class Observer: NSObject, SKPaymentTransactionObserver, Sendable {
        let (ended, continuation) = AsyncStream<(state: SKDownloadState, file: String?)>.makeStream()

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            for transaction in transactions where transaction.transactionState == .purchased {
                queue.start(transaction.downloads)
            }
        }

        func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
            for download in downloads where [.finished, .failed, .cancelled].contains(download.state) {
                let file = download.contentURL?.appendingPathComponent("Contents/Silver.json")
                let text = file.flatMap { try? String(contentsOf: $0, encoding: .utf8) }
                queue.finishTransaction(download.transaction)
                continuation.yield((download.state, text))
            }
        }
    }

    private func library(of session: SKTestSession, in folder: TemporaryFolder) throws -> ContentDownloads {
        try ContentDownloads(client: session.contentServer, folder: folder.url) { [connection = session.connection] in
            try await connection.refreshReceipt()
        }
    }

    @Test("A purchase is finished when its content is on the device")
    func delivery() async throws {
        let folder = try TemporaryFolder()
        try await Fixtures.withSession { session in
            try session.setContent("silver", of: [Fixtures.silver], file: Data("filter".utf8))
            let downloads = try library(of: session, in: folder)
            let transaction = try await session.buyProduct(identifier: Fixtures.silver)
            try await downloads.deliver(transaction)
            let url = try #require(await downloads.url(for: "silver"))
            let text = try String(contentsOf: url, encoding: .utf8)
            #expect(text == "filter")
            var unfinished = 0
            for await _ in Transaction.unfinished { unfinished += 1 }
            #expect(unfinished == 0)
        }
    }

    @Test("Content is served over HTTP as well")
    func overHTTP() async throws {
        let folder = try TemporaryFolder()
        try await Fixtures.withSession { session in
            try session.setContent("silver", of: [Fixtures.silver], file: Data("filter".utf8))
            let transaction = try await session.buyProduct(identifier: Fixtures.silver)
            let client = DeliveryClient(
                baseURL: try await session.contentServerURL(), bundleID: session.bundleIdentifier,
                storageFolder: try folder.folder("client"))
            let downloads = try ContentDownloads(client: client, folder: try folder.folder("content")) {
                [connection = session.connection] in try await connection.refreshReceipt()
            }
            try await downloads.deliver(transaction)
            let url = try #require(await downloads.url(for: "silver"))
            #expect(try String(contentsOf: url, encoding: .utf8) == "filter")
        }
    }

    @Test("A refund removes the content")
    func refund() async throws {
        let folder = try TemporaryFolder()
        try await Fixtures.withSession { session in
            try session.setContent("silver", of: [Fixtures.silver], file: Data("filter".utf8))
            let downloads = try library(of: session, in: folder)
            let transaction = try await session.buyProduct(identifier: Fixtures.silver)
            try await downloads.deliver(transaction)
            try session.refundTransaction(identifier: UInt(transaction.id))
            let items = try await downloads.refresh()
            #expect(items.isEmpty)
            let url = await downloads.url(for: "silver")
            #expect(url == nil)
        }
    }

    @Test("A late refund of the first purchase leaves the content of the second")
    func boughtAgain() async throws {
        let folder = try TemporaryFolder()
        try await Fixtures.withSession { session in
            try session.setContent("silver", of: [Fixtures.silver], file: Data("filter".utf8))
            let downloads = try library(of: session, in: folder)
            let first = try await session.buyProduct(identifier: Fixtures.silver)
            try await downloads.deliver(first)
            try session.refundTransaction(identifier: UInt(first.id))
            let second = try await session.buyProduct(identifier: Fixtures.silver)
            try await downloads.deliver(second)
            func deliverRefund() async throws {
                let all = try await session.transactions(of: Fixtures.silver)
                let refunded = try #require(all.first { $0.revocationDate != nil })
                try await downloads.deliver(refunded)
            }
            try await deliverRefund()
            #expect(await downloads.url(for: "silver") != nil)
            try session.refundTransaction(identifier: UInt(second.id))
            try await deliverRefund()
            #expect(await downloads.url(for: "silver") == nil)
        }
    }

    @Test("A receipt from before a purchase isn't stored for it")
    func oldReceipt() async throws {
        let folder = try TemporaryFolder()
        try await Fixtures.withSession { session in
            try session.setContent("silver", of: [Fixtures.silver], file: Data("filter".utf8))
            let receipt = Mutex(try await session.connection.refreshReceipt())
            let downloads = try ContentDownloads(client: session.contentServer, folder: folder.url) {
                receipt.withLock { $0 }
            }
            let transaction = try await session.buyProduct(identifier: Fixtures.silver)
            await #expect(throws: DeliveryError.self) {
                try await downloads.deliver(transaction, finishing: .receiptIsSafe)
            }
            #expect(try await session.unfinished() == [Fixtures.silver])
            let newer = try await session.connection.refreshReceipt()
            receipt.withLock { $0 = newer }
            try await downloads.deliver(transaction, finishing: .receiptIsSafe)
            #expect(try await session.unfinished().isEmpty)
            for await items in downloads.updates where items.first?.state == .downloaded { break }
        }
    }

    @Test("Sessions don't share content")
    func isolation() async throws {
        let folder = try TemporaryFolder()
        try await Fixtures.withSession { first in
            try first.setContent("silver", of: [Fixtures.silver], file: Data("filter".utf8))
            try await Fixtures.withSession { second in
                try second.setContent("amber", of: [Fixtures.amber], file: Data("other".utf8))
                try await second.buyProduct(identifier: Fixtures.silver)
                try await second.buyProduct(identifier: Fixtures.amber)
                let items = try await library(of: second, in: folder).refresh()
                #expect(items.map(\.id) == ["amber"])
            }
        }
    }

    @Test("A session without content has no downloads and delivers nothing")
    func nothing() async throws {
        let folder = try TemporaryFolder()
        try await Fixtures.withSession { session in
            let products = try await session.contentServer.products().products
            #expect(products.isEmpty)
            let transaction = try await session.buyProduct(identifier: Fixtures.silver)
            let downloads = try library(of: session, in: folder)
            await #expect(throws: DeliveryError.self) { try await downloads.deliver(transaction) }
        }
        #expect(throws: SKTestError.self) {
            try Fixtures.session().setContent("x", of: ["com.example.unknown"], file: Data())
        }
    }

    @Test("Transactions of StoreKit 1 have downloads")
    func hosted() async throws {
        let session = try Fixtures.session()
        try session.setContent("silver", of: [Fixtures.silver], file: Data("filter".utf8), filename: "Silver.json")
        let queue = SKPaymentQueue(connection: session.connection)
        let observer = Observer()
        queue.add(observer)
        defer { queue.remove(observer) }
        let payment = SKMutablePayment()
        payment.productIdentifier = Fixtures.silver
        queue.add(payment)
        var iterator = observer.ended.makeAsyncIterator()
        let end = await iterator.next()
        #expect(end?.state == .finished)
        #expect(end?.file == "filter")
    }
}

extension SKTestSession {
    /// The customer's transactions of a product, with refunded ones.
    fileprivate func transactions(of product: String) async throws -> [Transaction] {
        var found: [Transaction] = []
        for await result in Transaction.all where result.unsafePayloadValue.productID == product {
            found.append(try result.payloadValue)
        }
        return found
    }

    fileprivate func unfinished() async throws -> [String] {
        var products: [String] = []
        for await result in Transaction.unfinished { products.append(try result.payloadValue.productID) }
        return products
    }
}
