import Foundation
import OpenStoreKit
import Perennial
import Synchronization
import Testing

/// The content of StoreKit 1's transactions, in the form of Apple's hosted content.
struct HostedContentTests {
    let fixture: LibraryFixture

    init() throws {
        self.fixture = try LibraryFixture()
    }

    private var hosted: HostedContent {
        HostedContent(client: fixture.server.client(), folder: fixture.folder) { Data("receipt".utf8) }
    }

    @Test func `all files of a product arrive in one folder`() async throws {
        let one = fixture.serve("one", product: "pack", transaction: "17", filename: "One.bin")
        let two = fixture.serve("two", product: "pack", transaction: "17", seed: 8)
        fixture.serve("other", product: "other", transaction: "18")
        let download = hosted.download(productID: "pack", transactionID: "17", version: "1.2", size: 0)
        #expect(download.state == .waiting && download.contentURL == nil)
        let folder = try await download.finished()
        #expect(download.contentURL == folder)
        #expect(download.progress == 1)
        let contents = folder.appendingPathComponent("Contents")
        #expect(try Array(Data(contentsOf: contents.appendingPathComponent("One.bin"))) == one)
        #expect(try Array(Data(contentsOf: contents.appendingPathComponent("two"))) == two)
        let information = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: folder.appendingPathComponent("ContentInfo.plist")), format: nil)
        #expect(information as? [String: String] == ["ContentVersion": "1.2", "IAPProductIdentifier": "pack"])
        #expect(fixture.files().count == 3)
        hosted.discard(transactionID: "17")
        #expect(fixture.files() == [])
    }

    @Test func `a broken download continues with its file, and doesn't repeat the others`() async throws {
        fixture.serve("one", product: "pack", transaction: "17", count: 2_000)
        fixture.serve("two", product: "pack", transaction: "17", count: 3_000, seed: 8)
        fixture.server.set { $0.cuts = [2_000, 1_000, 0, 0, 0, 0, 0] }
        let first = hosted.download(productID: "pack", transactionID: "17", version: "1", size: 5_000)
        await #expect(throws: DeliveryError.self) { try await first.finished() }
        fixture.server.set {
            $0.cuts = []
            $0.downloads = []
        }
        let second = hosted.download(productID: "pack", transactionID: "17", version: "1", size: 5_000)
        #expect(second.current.received == 3_000)
        _ = try await second.finished()
        #expect(fixture.server.downloads.map(\.id) == ["two"])
        #expect(fixture.server.downloads.first?.range == "bytes=1000-")
        // A third one has nothing to do.
        _ = try await hosted.download(productID: "pack", transactionID: "17", version: "1", size: 5_000).finished()
        #expect(fixture.server.downloads.count == 1)
    }

    @Test func `files of one name stay apart, also from a file that has the name made of both`() async throws {
        let names = [("a", "x.bin"), ("b", "x.bin"), ("c", "a-x.bin"), ("d", "b-x.bin"), ("e", "x")]
        let files = names.enumerated().map { number, name in
            fixture.serve(name.0, product: "pack", transaction: "17", seed: UInt64(number), filename: name.1)
        }
        let folder = try await hosted.download(productID: "pack", transactionID: "17", version: "1", size: 0).finished()
        let contents = folder.appendingPathComponent("Contents")
        let found = try FileManager.default.contentsOfDirectory(atPath: contents.path).map {
            Array(try Data(contentsOf: contents.appendingPathComponent($0)))
        }
        #expect(Set(found) == Set(files))
        #expect(try Array(Data(contentsOf: contents.appendingPathComponent("a-x.bin"))) == files[2])
    }

    @Test func `files that are named as parts of others arrive whole`() async throws {
        let names = ["x.part", "x.part.json", "x", ".x.part"]
        let files = names.enumerated().map { number, name in
            fixture.serve("\(number)", product: "pack", transaction: "17", seed: UInt64(number), filename: name)
        }
        let folder = try await hosted.download(productID: "pack", transactionID: "17", version: "1", size: 0).finished()
        let contents = folder.appendingPathComponent("Contents")
        let found = try FileManager.default.contentsOfDirectory(atPath: contents.path)
        #expect(Set(found) == ["x.part", "x.part.json", "x", "%2ex.part"])
        for (name, bytes) in zip(names.dropLast(), files) {
            #expect(try Array(Data(contentsOf: contents.appendingPathComponent(name))) == bytes, "\(name)")
        }
    }

    @Test func `content of another product under the ID of a transaction is replaced`() async throws {
        fixture.serve("one", product: "pack", transaction: "17")
        _ = try await hosted.download(productID: "pack", transactionID: "17", version: "1", size: 0).finished()
        // The store was emptied, and has sold something else under the ID.
        fixture.server.set { $0.files = [:] }
        let two = fixture.serve("two", product: "other", transaction: "17", seed: 8)
        let folder = try await hosted.download(productID: "other", transactionID: "17", version: "1", size: 0)
            .finished()
        #expect(try Array(Data(contentsOf: folder.appendingPathComponent("Contents/two"))) == two)
        #expect(fixture.files().count == 2)
    }

    @Test(arguments: [Int64.max, .min])
    func `sizes that no disk has don't end the app`(size: Int64) async throws {
        let bytes = fixture.serve("one", product: "pack", transaction: "17", count: 2_000)
        fixture.serve("two", product: "pack", transaction: "17", seed: 8)
        fixture.server.set { state in
            for id in ["one", "two"] { state.files[id]?.promisedSize = size }
        }
        let download = hosted.download(productID: "pack", transactionID: "17", version: "1", size: 0)
        // The files' own answers say how large they are.
        download.start()
        for await _ in download.updates() { _ = download.timeRemaining }
        let folder = try await download.finished()
        let one = folder.appendingPathComponent("Contents/one")
        #expect(try Array(Data(contentsOf: one)) == bytes)
    }

    @Test func `a product without files fails`() async throws {
        let download = hosted.download(productID: "pack", transactionID: "17", version: "1", size: 0)
        await #expect { try await download.finished() } throws: { ($0 as? DeliveryError)?.code == .contentNotFound }
        #expect(download.state == .failed)
    }

    /// Makes a download of 6,400 bytes, of which each piece of 64 takes half a second. The connection breaks after the first half, and
    /// the next request is held.
    private func slowDownload(laterCuts: [Int]) -> ContentDownload {
        fixture.serve("one", product: "pack", transaction: "17", count: 6_400)
        let clock = Mutex<Int64>(1_767_225_600_000)
        var dependencies = DeviceDependencies.test()
        dependencies.now = {
            clock.withLock { now in
                now += 500
                return .init(milliseconds: now)
            }
        }
        let hosted = HostedContent(client: fixture.server.client(dependencies), folder: fixture.folder) { Data() }
        fixture.server.set { $0.cuts = [3_200] + laterCuts }
        fixture.server.hold("one", after: 1)
        return hosted.download(productID: "pack", transactionID: "17", version: "1", size: 6_400)
    }

    /// Records what observers read of a download whenever they are called.
    private final class Watcher: NSObject, SKPaymentTransactionObserver, Sendable {
        struct Reading: Sendable {
            var state: SKDownloadState
            var progress: Float
            var timeRemaining: TimeInterval
        }

        private let (readings, continuation) = AsyncStream<Reading>.makeStream()

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}

        func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
            for download in downloads {
                continuation.yield(
                    Reading(
                        state: download.state, progress: download.progress, timeRemaining: download.timeRemaining))
            }
        }

        /// Returns the readings up to the first one that fits.
        func readings(until isLast: (Reading) -> Bool) async -> [Reading] {
            var found: [Reading] = []
            for await reading in readings {
                found.append(reading)
                if isLast(reading) { break }
            }
            return found
        }
    }

    @Test func `observers see progress rise, and the time that remains while it is active`() async throws {
        let queue = SKPaymentQueue(connection: fixture.device.connection(FakeStore()))
        let watcher = Watcher()
        queue.add(watcher)
        let download = SKDownload(slowDownload(laterCuts: []))
        #expect(download.progress == 0 && download.timeRemaining == SKDownloadTimeRemainingUnknown)
        queue.start([download])
        let first = await watcher.readings { $0.state == .active && $0.progress == 0.5 }
        #expect(first.last.map { ($0.timeRemaining - 25).magnitude < 5 } == true)
        queue.pause([download])
        let second = await watcher.readings { $0.state == .paused }
        #expect(second.last?.progress == 0.5)
        #expect(second.last?.timeRemaining == SKDownloadTimeRemainingUnknown)
        fixture.server.release("one")
        queue.resume([download])
        let third = await watcher.readings { $0.state == .finished }
        #expect(third.last?.progress == 1)
        #expect(third.last?.timeRemaining == SKDownloadTimeRemainingUnknown)
        let progress = (first + second + third).map(\.progress)
        #expect(progress == progress.sorted())
        await queue.close()
    }

    @Test func `the time remaining follows the speed`() async throws {
        let download = slowDownload(laterCuts: [0, 0, 0, 0, 0])
        #expect(download.timeRemaining == nil)
        download.start()
        for await update in download.updates() where update.received == 3_200 { break }
        // 3,200 bytes are left, at 128 bytes in a second.
        #expect(download.timeRemaining.map { ($0 - 25).magnitude < 5 } == true)
        fixture.server.release("one")
        await #expect(throws: DeliveryError.self) { try await download.finished() }
        #expect(download.timeRemaining == nil)
    }
}
