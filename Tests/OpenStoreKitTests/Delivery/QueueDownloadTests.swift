import BaseEncoding
import Crypto
import Foundation
import OpenStoreKit
import TestRandomness
import Testing

/// Downloads that a queue starts, pauses and releases.
struct QueueDownloadTests {
    let device: Device
    let file: ServedFile
    let server: FileServer
    let bytes: [UInt8]

    init() async throws {
        var generator = SeededGenerator(seed: 17)
        self.bytes = (0..<50_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        self.device = try Device()
        self.file = ServedFile(bytes)
        self.server = try await FileServer(file)
    }

    private var destination: URL { device.folder.appendingPathComponent("issue.bin") }

    private func download() throws -> ContentDownload {
        let client = DeliveryClient(
            baseURL: try #require(server.url), bundleID: "com.example.magazine", files: device.files,
            transport: NetworkTransport.make(), dependencies: .test())
        let content = GrantedContent(
            contentId: "issue", productId: "p", transactionId: "1", path: "/delivery/v1/content/issue",
            size: Int64(bytes.count), sha256: Hexadecimal.encode(SHA256.hash(data: bytes)))
        let grant = DeliveryGrant(token: "grant", expires: .distantFuture, content: [content])
        return client.download(content, grant: grant, to: destination)
    }

    /// Waits for states of a download.
    private final class Listener: NSObject, SKPaymentTransactionObserver, Sendable {
        private let ends = AsyncStream<SKDownloadState>.makeStream()
        private let pauses = AsyncStream<Void>.makeStream()

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}

        func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
            for state in downloads.map(\.state) where [.finished, .failed, .cancelled].contains(state) {
                ends.continuation.yield(state)
            }
            if downloads.contains(where: { $0.state == .paused }) { pauses.continuation.yield() }
        }

        func pause() async {
            for await _ in pauses.stream { return }
        }

        func end() async -> SKDownloadState? {
            for await state in ends.stream { return state }
            return nil
        }
    }

    @Test func `observers get downloads that a queue starts`() async throws {
        let queue = SKPaymentQueue(connection: device.connection(FakeStore()))
        let listener = Listener()
        queue.add(listener)
        let download = SKDownload(try download())
        queue.start([download])
        #expect(await listener.end() == .finished)
        #expect(download.contentURL == destination)
        #expect(download.progress == 1)
    }

    @Test func `a queue keeps a download up to its end`() async throws {
        let queue = SKPaymentQueue(connection: device.connection(FakeStore()))
        let listener = Listener()
        queue.add(listener)
        await queue.settle()
        weak var weakDownload: ContentDownload?
        func begin() throws {
            let download = try download()
            weakDownload = download
            queue.start([SKDownload(download)])
        }
        try begin()
        try #require(weakDownload != nil)
        #expect(await listener.end() == .finished)
        #expect(try Data(contentsOf: destination) == Data(bytes))
        await queue.settle()
        for _ in 0..<1000 where weakDownload != nil { await Task.yield() }
        #expect(weakDownload == nil)
    }

    @Test func `observers get a failed download that the queue resumes`() async throws {
        file.set { $0.statuses = [403] }
        let queue = SKPaymentQueue(connection: device.connection(FakeStore()))
        let listener = Listener()
        queue.add(listener)
        let download = SKDownload(try download())
        queue.start([download])
        #expect(await listener.end() == .failed)
        #expect(download.error is DeliveryError)
        queue.resume([download])
        #expect(await listener.end() == .finished)
    }

    @Test func `a closed queue releases its downloads`() async throws {
        let queue = SKPaymentQueue(connection: device.connection(FakeStore()))
        weak var weakDownload: ContentDownload?
        func begin() throws {
            let download = try download()
            weakDownload = download
            let shown = SKDownload(download)
            queue.start([shown])
            queue.pause([shown])
        }
        try begin()
        try #require(weakDownload != nil)
        await queue.close()
        for _ in 0..<1000 where weakDownload != nil { await Task.yield() }
        #expect(weakDownload == nil)
    }

    @Test(arguments: [false, true])
    func `a paused download is reported, continues and ends`(isStarted: Bool) async throws {
        let queue = SKPaymentQueue(connection: device.connection(FakeStore()))
        let listener = Listener()
        queue.add(listener)
        let download = SKDownload(try download())
        if isStarted { queue.start([download]) }
        queue.pause([download])
        await listener.pause()
        #expect(download.state == .paused)
        queue.resume([download])
        #expect(await listener.end() == .finished)
        #expect(try Data(contentsOf: destination) == Data(bytes))
    }

    @Test(arguments: [SKDownloadState.waiting, .active, .paused, .failed])
    func `a cancelled download is reported, and can't be started again`(from state: SKDownloadState) async throws {
        if state == .failed { file.set { $0.statuses = [403] } }
        let queue = SKPaymentQueue(connection: device.connection(FakeStore()))
        let listener = Listener()
        queue.add(listener)
        let transfer = try download()
        let download = SKDownload(transfer)
        switch state {
        case .active: queue.start([download])
        case .paused: queue.pause([download])
        case .failed:
            queue.start([download])
            #expect(await listener.end() == .failed)
        default: break
        }
        queue.cancel([download])
        #expect(await listener.end() == .cancelled)
        queue.start([download])
        #expect(download.state == .cancelled)
        await transfer.idle()
        #expect(!FileManager.default.fileExists(atPath: destination.path))
    }
}
