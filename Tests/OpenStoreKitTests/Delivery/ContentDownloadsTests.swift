import Foundation
import OpenStoreKit
import Synchronization
import Testing

/// Libraries of content: several downloads, restarts, new versions, revoked purchases.
struct ContentDownloadsTests {
    let fixture: LibraryFixture

    init() throws {
        self.fixture = try LibraryFixture()
    }

    private func contents(_ url: URL?) throws -> [UInt8] {
        try Array(Data(contentsOf: #require(url)))
    }

    // MARK: Several at once

    @Test func `contents of a grant are available and download on request`() async throws {
        let bytes = fixture.serve("issue-1", filename: "Issue.pdf")
        fixture.serve("issue-2")
        let downloads = try fixture.open()
        #expect(try await downloads.refresh().map(\.state) == [.available, .available])
        try await downloads.download("issue-1")
        let url = try await downloads.finished("issue-1")
        #expect(url.lastPathComponent == "Issue.pdf")
        #expect(try contents(url) == bytes)
        #expect(await downloads.items.map(\.state) == [.downloaded, .available])
        #expect(await downloads.item("issue-1")?.progress == 1)
        #expect(fixture.files().count == 1)
    }

    @Test func `no more downloads run than the limit allows`() async throws {
        for number in 1...8 {
            fixture.serve("issue-\(number)", seed: UInt64(number))
            fixture.server.hold("issue-\(number)")
        }
        var configuration = ContentDownloads.Configuration()
        configuration.maximumConcurrentDownloads = 3
        configuration.downloadsAutomatically = true
        let downloads = try fixture.open(configuration)
        try await downloads.refresh()
        for await items in downloads.updates where items.count(where: { $0.state == .downloading }) == 3 { break }
        #expect(await downloads.items.count { $0.state == .waiting } == 5)
        for number in 1...8 { fixture.server.release("issue-\(number)") }
        for number in 1...8 { _ = try await downloads.finished("issue-\(number)") }
        #expect(fixture.server.state.withLock { $0.mostRunning } <= 3)
    }

    @Test func `updates tell the progress to the end`() async throws {
        fixture.serve("issue-1", count: 100_000)
        let downloads = try fixture.open()
        try await downloads.refresh()
        var updates = downloads.updates.makeAsyncIterator()
        #expect(await updates.next()?.first?.progress == 0)
        try await downloads.download("issue-1")
        var last = 0.0
        while let item = await updates.next()?.first {
            #expect(item.progress >= last)
            last = item.progress
            if item.state == .downloaded { break }
        }
        #expect(last == 1)
    }

    @Test func `a content that no purchase opens can't be requested`() async throws {
        let downloads = try fixture.open()
        await #expect(throws: DeliveryError.self) { try await downloads.download("issue-1") }
    }

    // MARK: Restarts

    @Test func `an unfinished download continues in the next run of the app`() async throws {
        let bytes = fixture.serve("issue-1", count: 10_000)
        var configuration = ContentDownloads.Configuration()
        configuration.maximumRetries = 0
        fixture.server.set { $0.cuts = [4_000, 0, 0, 0, 0, 0] }
        do {
            let first = try fixture.open(configuration)
            try await first.refresh()
            try await first.download("issue-1")
            await #expect(throws: DeliveryError.self) { try await first.finished("issue-1") }
        }
        fixture.server.set { $0.cuts = [] }
        let second = try fixture.open(configuration)
        #expect(await second.item("issue-1")?.state == .waiting)
        await second.resume()
        #expect(try contents(await second.finished("issue-1")) == bytes)
        // The last request asked for the rest only.
        let range = try #require(fixture.server.downloads.last?.range)
        #expect(range.hasPrefix("bytes=4"))
    }

    @Test func `a pause outlasts the run, and a cancelled download leaves no files`() async throws {
        fixture.serve("issue-1", count: 10_000)
        fixture.server.hold("issue-1")
        let first = try fixture.open()
        try await first.refresh()
        try await first.download("issue-1")
        for await items in first.updates where items.first?.state == .downloading { break }
        try await first.pause("issue-1")
        fixture.server.release("issue-1")
        await first.idle()
        #expect(await first.item("issue-1")?.state == .paused)

        let second = try fixture.open()
        await second.resume()
        #expect(await second.item("issue-1")?.state == .paused)
        try await second.resume("issue-1")
        _ = try await second.finished("issue-1")
        try await second.removeFiles(of: "issue-1")
        await second.idle()
        #expect(fixture.files() == [])
        #expect(await second.item("issue-1")?.state == .available)

        fixture.server.set { $0.cuts = [5_000] + Array(repeating: 0, count: 100) }
        try await second.download("issue-1")
        await #expect(throws: DeliveryError.self) { try await second.finished("issue-1") }
        #expect(fixture.files().count == 2)
        try await second.cancel("issue-1")
        await second.idle()
        #expect(fixture.files() == [])
    }

    @Test func `a file that was deleted or cut is downloaded again`() async throws {
        let bytes = fixture.serve("issue-1")
        let first = try fixture.open()
        try await first.refresh()
        try await first.download("issue-1")
        let url = try await first.finished("issue-1")
        try Data(bytes.dropLast()).write(to: url)
        let second = try fixture.open()
        #expect(await second.url(for: "issue-1") == nil)
        await second.resume()
        #expect(try contents(await second.finished("issue-1")) == bytes)
    }

    @Test func `a lost journal costs no download`() async throws {
        fixture.serve("issue-1")
        let first = try fixture.open()
        try await first.refresh()
        try await first.download("issue-1")
        _ = try await first.finished("issue-1")
        try Data("{".utf8).write(to: fixture.folder.appendingPathComponent("downloads.json"))
        let second = try fixture.open()
        try await second.refresh()
        try await second.download("issue-1")
        _ = try await second.finished("issue-1")
        #expect(fixture.server.downloads.count == 1)
    }

    // MARK: Versions

    @Test func `a new version replaces the old one in one step`() async throws {
        let old = fixture.serve("issue-1")
        let downloads = try fixture.open()
        try await downloads.refresh()
        try await downloads.download("issue-1")
        _ = try await downloads.finished("issue-1")
        let new = fixture.serve("issue-1", count: 2000, seed: 8)
        fixture.server.hold("issue-1")
        try await downloads.refresh()
        for await items in downloads.updates where items.first?.state == .downloading { break }
        #expect(try contents(await downloads.url(for: "issue-1")) == old)
        fixture.server.release("issue-1")
        #expect(try contents(await downloads.finished("issue-1")) == new)
        await downloads.idle()
        #expect(fixture.files().count == 1)
    }

    @Test func `a content that changes between grant and download is granted again`() async throws {
        fixture.serve("issue-1")
        let downloads = try fixture.open()
        try await downloads.refresh()
        let new = fixture.serve("issue-1", count: 3000, seed: 9)
        try await downloads.download("issue-1")
        #expect(try contents(await downloads.finished("issue-1")) == new)
        #expect(fixture.server.state.withLock { $0.grants } == 2)
        await downloads.idle()
        #expect(fixture.files().count == 1)
    }

    @Test func `an expired grant is renewed`() async throws {
        fixture.serve("issue-1")
        let downloads = try fixture.open()
        try await downloads.refresh()
        fixture.server.set { $0.tokens = [] }
        try await downloads.download("issue-1")
        _ = try await downloads.finished("issue-1")
        #expect(fixture.server.downloads.count == 2)
    }

    // MARK: Failures

    @Test func `failed attempts are repeated with increasing delays`() async throws {
        fixture.serve("issue-1")
        let delays = Mutex<[Duration]>([])
        var dependencies = DeviceDependencies.test()
        dependencies.sleep = { delay in
            try Task.checkCancellation()
            delays.withLock { $0.append(delay) }
        }
        var configuration = ContentDownloads.Configuration()
        configuration.maximumRetries = 4
        configuration.longestRetryDelay = .seconds(4)
        let downloads = try fixture.open(configuration, dependencies: dependencies)
        try await downloads.refresh()
        fixture.server.set { $0.isAway = true }
        try await downloads.download("issue-1")
        await #expect { try await downloads.finished("issue-1") } throws: {
            ($0 as? DeliveryError)?.code == .noConnection
        }
        #expect(await downloads.item("issue-1")?.state == .failed)
        // Each attempt has five requests with shorter delays between them.
        let between: Set<Duration> = [.milliseconds(200), .milliseconds(400), .milliseconds(800), .milliseconds(1600)]
        let delaysOfAttempts = delays.withLock { $0.filter { !between.contains($0) } }
        #expect(delaysOfAttempts == [.seconds(1), .seconds(2), .seconds(4), .seconds(4)])
        fixture.server.set { $0.isAway = false }
        try await downloads.resume("issue-1")
        _ = try await downloads.finished("issue-1")
    }

    @Test func `a full disk is noticed before the first byte`() async throws {
        fixture.serve("issue-1", count: 5_000)
        let free = Mutex<Int64>(4_999)
        let freeBytes: @Sendable (URL) -> Int64? = { _ in free.withLock { $0 } }
        let downloads = try fixture.open(freeBytes: freeBytes)
        try await downloads.refresh()
        try await downloads.download("issue-1")
        await #expect { try await downloads.finished("issue-1") } throws: { ($0 as? DeliveryError)?.code == .diskFull }
        #expect(fixture.files() == [])
        free.withLock { $0 = 5_000 }
        await downloads.resume()
        _ = try await downloads.finished("issue-1")
    }

    @Test func `a file with a wrong digest is never installed`() async throws {
        fixture.serve("issue-1")
        let downloads = try fixture.open()
        try await downloads.refresh()
        // The server sends other bytes under the old digest: a broken cache between.
        fixture.server.set { $0.damagesBodies = true }
        try await downloads.download("issue-1")
        await #expect { try await downloads.finished("issue-1") } throws: {
            ($0 as? DeliveryError)?.code == .digestMismatch
        }
        #expect(fixture.files() == [])
        #expect(fixture.server.downloads.count == 2)
    }

    // MARK: Revoked purchases

    @Test func `the content of a refunded purchase is removed`() async throws {
        fixture.serve("issue-1", transaction: "1")
        fixture.serve("issue-2", transaction: "2")
        let downloads = try fixture.open()
        try await downloads.refresh()
        for id in ["issue-1", "issue-2"] {
            try await downloads.download(id)
            _ = try await downloads.finished(id)
        }
        fixture.server.set { $0.revoked = ["1"] }
        #expect(try await downloads.refresh().map(\.id) == ["issue-2"])
        await downloads.idle()
        #expect(fixture.files().count == 1)
        #expect(await downloads.url(for: "issue-1") == nil)
    }

    @Test func `content that a new receipt doesn't mention stays`() async throws {
        fixture.serve("issue-1")
        let downloads = try fixture.open()
        try await downloads.refresh()
        try await downloads.download("issue-1")
        _ = try await downloads.finished("issue-1")
        fixture.server.set { $0.files = [:] }
        #expect(try await downloads.refresh().map(\.state) == [.downloaded])
    }

    @Test func `a revocation stops the downloads of its products`() async throws {
        fixture.serve("issue-1", product: "a")
        fixture.server.hold("issue-1")
        let downloads = try fixture.open()
        try await downloads.refresh()
        try await downloads.download("issue-1")
        for await items in downloads.updates where items.first?.state == .downloading { break }
        try await downloads.removeContent(ofProducts: ["a"])
        fixture.server.release("issue-1")
        await downloads.idle()
        #expect(await downloads.items.isEmpty)
        #expect(fixture.files() == [])
    }

    // MARK: Names

    @Test func `names from the server stay inside the folder`() async throws {
        let name = "../../../outside"
        let bytes = fixture.serve("..", filename: name)
        fixture.serve(String(repeating: "x", count: 500), filename: String(repeating: "é", count: 300))
        let downloads = try fixture.open()
        try await downloads.refresh()
        for id in await downloads.items.map(\.id) {
            try await downloads.download(id)
            let url = try await downloads.finished(id)
            #expect(url.standardizedFileURL.path.hasPrefix(fixture.folder.standardizedFileURL.path + "/contents/"))
        }
        #expect(try contents(await downloads.url(for: "..")) == bytes)
    }
}
