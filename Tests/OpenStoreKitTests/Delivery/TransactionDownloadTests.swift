import Foundation
import OpenStoreKit
import Synchronization
import Testing

/// Content of a queue's transactions and of products, over launches of the app and while the content server is away.
struct TransactionDownloadTests {
    /// The product list of a content server.
    private final class ProductList: Transport {
        let isAway = Mutex(false)

        func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
            guard !isAway.withLock({ $0 }) else { throw TransportError(.noConnection, url: call.url, reason: "away") }
            let pack = #"{"productId": "pack", "type": "nonConsumable", "contentVersion": "2", "contentSize": 640}"#
            let plain = #"{"productId": "plain", "type": "nonConsumable"}"#
            return HTTPAnswer(status: 200, body: Data(#"{"products": [\#(pack), \#(plain)]}"#.utf8))
        }

        func stream(_ call: HTTPCall) async throws -> StreamedAnswer {
            throw TransportError(.noConnection, url: call.url, reason: "no streams here")
        }
    }

    /// Records the downloads that purchases have when the app hears of them.
    private final class Listener: NSObject, SKPaymentTransactionObserver, Sendable {
        private let heard = Mutex<[[String]]>([])
        private let (ends, continuation) = AsyncStream<[String]>.makeStream()
        var downloads: [[String]] { heard.withLock { $0 } }

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            for transaction in transactions where transaction.transactionState == .purchased {
                let downloads = transaction.downloads.map {
                    "\($0.contentIdentifier) \($0.contentVersion) \($0.expectedContentLength)"
                }
                heard.withLock { $0.append(downloads) }
            }
        }

        func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
            let cancelled = downloads.filter { $0.state == .cancelled }.map(\.contentIdentifier)
            if !cancelled.isEmpty { continuation.yield(cancelled) }
        }

        /// Waits for cancelled downloads.
        func cancelled() async -> [String] {
            for await ids in ends { return ids }
            return []
        }
    }

    private let device: Device
    private let store = FakeStore()
    private let server = ProductList()

    init() throws {
        device = try Device()
    }

    private func client(_ dependencies: DeviceDependencies = .test()) -> DeliveryClient {
        DeliveryClient(
            baseURL: URL(fileURLWithPath: "/content"), bundleID: "com.example.magazine", files: MemoryFiles(),
            transport: server, dependencies: dependencies)
    }

    private func launch(_ listener: Listener) async -> SKPaymentQueue {
        let queue = SKPaymentQueue(connection: device.connection(store, contentServer: client()))
        queue.add(listener)
        await queue.settle()
        return queue
    }

    @Test func `a purchase that is replayed after a relaunch has its downloads`() async throws {
        let (first, second) = (Listener(), Listener())
        let queue = await launch(first)
        await queue.buy("pack")
        await queue.close()
        let relaunched = await launch(second)
        #expect(first.downloads == [["pack 2 640"]])
        #expect(second.downloads == [["pack 2 640"]])
        await relaunched.close()
    }

    @Test func `a purchase has its downloads once the content server is back`() async throws {
        server.isAway.withLock { $0 = true }
        let listener = Listener()
        let queue = await launch(listener)
        await queue.buy("pack")
        #expect(listener.downloads == [[]])
        server.isAway.withLock { $0 = false }
        await queue.synchronize()
        #expect(listener.downloads == [[], ["pack 2 640"]])
        await queue.close()
    }

    @Test func `a purchase without content is announced once`() async throws {
        let listener = Listener()
        let queue = await launch(listener)
        await queue.buy("plain")
        #expect(listener.downloads == [[]])
        await queue.close()
    }

    @Test func `products have the version and size of their content`() async throws {
        var dependencies = DeviceDependencies.test()
        // The limit on the wait never passes.
        dependencies.sleep = { _ in await Self.untilCancelled() }
        let connection = device.connection(store, contentServer: client(dependencies))
        let products = try await connection.products(for: ["pack", "plain"]).products
        #expect(products.map(\.isDownloadable) == [true, false])
        #expect(products.map(\.downloadContentVersion) == ["2", ""])
        #expect(products.map(\.downloadContentLengths) == [[640], []])
        #expect(products.map(\.contentLengths) == [[640], []])
    }

    private static func untilCancelled() async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            continuation.finish()
        }
    }

    @Test func `products are there without the content server`() async throws {
        server.isAway.withLock { $0 = true }
        let connection = device.connection(store, contentServer: client())
        let product = try #require(try await connection.products(for: ["pack"]).products.first)
        #expect(!product.isDownloadable)
        #expect(product.downloadContentLengths.isEmpty)
    }

    @Test func `finishing a purchase cancels its downloads and deletes what has arrived`() async throws {
        let listener = Listener()
        let queue = await launch(listener)
        await queue.buy("pack")
        let transaction = try #require(queue.transactions.first)
        let download = try #require(transaction.downloads.first)
        let folder = try #require(queue.connection).appFolder.appendingPathComponent("content/1000.unfinished")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        queue.finishTransaction(transaction)
        await queue.settle()
        #expect(download.state == .cancelled)
        #expect(await listener.cancelled() == ["pack"])
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        queue.start([download])
        #expect(download.state == .cancelled)
        await queue.close()
    }

    @Test func `a purchase that was finished elsewhere has no downloads any more`() async throws {
        let listener = Listener()
        let queue = await launch(listener)
        await queue.buy("pack")
        let download = try #require(queue.transactions.first?.downloads.first)
        store.set { $0.sales[0].isFinished = true }
        try #require(queue.connection).noteFinished(["1000"])
        await queue.settle()
        #expect(download.state == .cancelled)
        #expect(listener.downloads.count == 1)
        await queue.close()
    }
}
