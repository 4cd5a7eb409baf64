import Foundation
import OpenStoreKit
import Synchronization
import Testing

/// Purchases of content: finished when their content or their receipt is safe, also if the app ends at any moment.
struct ContentPurchaseTests {
    let fixture: LibraryFixture

    init() throws {
        self.fixture = try LibraryFixture()
    }

    /// The store's side of a purchase: unfinished until the app finishes it.
    private final class Purchase: Sendable {
        let finishes = Mutex(0)
        var isFinished: Bool { finishes.withLock { $0 > 0 } }
        func finish() { finishes.withLock { $0 += 1 } }
    }

    private func contents(_ url: URL?) throws -> [UInt8] {
        try Array(Data(contentsOf: #require(url)))
    }

    @Test func `a purchase is finished when its content is on the device`() async throws {
        let bytes = fixture.serve("filter", product: "silver", transaction: "17")
        fixture.serve("other", product: "amber", transaction: "16")
        let (downloads, purchase) = (try fixture.open(), Purchase())
        try await downloads.deliver(transactionID: "17", productID: "silver") {
            let delivered = try contents(await downloads.url(for: "filter"))
            #expect(delivered == bytes)
            purchase.finish()
        }
        #expect(purchase.isFinished)
        #expect(await downloads.items.map(\.state) == [.downloaded, .available])
    }

    @Test func `a purchase whose content can't be downloaded stays unfinished`() async throws {
        fixture.serve("filter", product: "silver", transaction: "17")
        fixture.server.set { $0.statuses = Array(repeating: 403, count: 1) }
        let (downloads, purchase) = (try fixture.open(), Purchase())
        await #expect(throws: DeliveryError.self) {
            try await downloads.deliver(transactionID: "17", productID: "silver") { purchase.finish() }
        }
        #expect(!purchase.isFinished)
        try await downloads.deliver(transactionID: "17", productID: "silver") { purchase.finish() }
        #expect(purchase.isFinished)
    }

    @Test func `a purchase that the content server doesn't know stays unfinished`() async throws {
        fixture.serve("other", product: "amber", transaction: "16")
        let (downloads, purchase) = (try fixture.open(), Purchase())
        await #expect {
            try await downloads.deliver(transactionID: "17", productID: "silver") { purchase.finish() }
        } throws: { ($0 as? DeliveryError)?.code == .contentNotFound }
        #expect(!purchase.isFinished)
    }

    @Test func `content that is on the device is delivered without a network`() async throws {
        fixture.serve("filter", product: "silver", transaction: "17")
        let first = Purchase()
        try await fixture.open().deliver(transactionID: "17", productID: "silver") { first.finish() }
        fixture.server.set { $0.isAway = true }
        let second = Purchase()
        try await fixture.open().deliver(transactionID: "17", productID: "silver") { second.finish() }
        #expect(second.isFinished)
    }

    @Test func `a restored transaction delivers the content of its original`() async throws {
        fixture.serve("filter", product: "silver", transaction: "17")
        fixture.serve("other", product: "silver", transaction: "18")
        let downloads = try fixture.open()
        try await downloads.deliver(transactionID: "40", productID: "silver", originalID: "17") {}
        #expect(await downloads.url(for: "filter") != nil)
        #expect(await downloads.url(for: "other") == nil)
    }

    @Test func `a renewal of StoreKit 1 delivers the content of its own period`() async throws {
        let store = FakeStore()
        store.set { $0.types["monthly"] = "autoRenewable" }
        let queue = SKPaymentQueue(connection: fixture.device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        await queue.buy("monthly")
        fixture.serve("may", product: "monthly", transaction: "1000")
        let downloads = try fixture.open()
        try await downloads.deliver(#require(recorder.last), of: queue)
        await queue.settle()
        store.sell("monthly", type: "autoRenewable")
        store.set { $0.sales[1].originalID = "1000" }
        await queue.synchronize()
        let renewal = try #require(recorder.last)
        #expect(renewal.transactionIdentifier == "1001" && renewal.original?.transactionIdentifier == "1000")
        fixture.serve("june", product: "monthly", transaction: "1001")
        try await downloads.deliver(renewal, of: queue)
        #expect(await downloads.url(for: "june") != nil)
        await queue.settle()
        #expect(store.finished == ["1000", "1001"])
    }

    @Test func `a failed finish throws, and is repeated without a download`() async throws {
        struct NotNow: Error {}
        fixture.serve("filter", product: "silver", transaction: "17")
        let downloads = try fixture.open()
        await #expect(throws: NotNow.self) {
            try await downloads.deliver(transactionID: "17", productID: "silver") { throw NotNow() }
        }
        try await downloads.deliver(transactionID: "17", productID: "silver") {}
        #expect(fixture.server.downloads.count == 1)
    }

    // MARK: Receipts for later

    @Test func `a purchase is finished with its receipt stored, and its content comes later`() async throws {
        let bytes = fixture.serve("filter", product: "silver", transaction: "17")
        // A later receipt doesn't have the finished purchase any more.
        fixture.server.set {
            $0.onlyInReceipt["17"] = Data("receipt".utf8)
            $0.isAway = true
        }
        let purchase = Purchase()
        do {
            let downloads = try fixture.open()
            try await downloads.deliver(transactionID: "17", productID: "silver", finishing: .receiptIsSafe) {
                purchase.finish()
            }
            #expect(purchase.isFinished)
            await downloads.suspend()
        }
        fixture.receipt.withLock { $0 = Data("a later receipt".utf8) }
        fixture.server.set { $0.isAway = false }
        let downloads = try fixture.open()
        await downloads.resume()
        for await items in downloads.updates where items.first?.state == .downloaded { break }
        #expect(try contents(await downloads.url(for: "filter")) == bytes)
        await downloads.idle()
        #expect(fixture.files().count == 1)
    }

    // MARK: The end of the process

    /// Runs the app again and again, each time up to one change of its files more, until a run survives.
    private func runsToTheEnd(
        _ rule: ContentDownloads.FinishRule, before: (ContentDownloads) async throws -> Void = { _ in },
        _ check: (Purchase, Int) async throws -> Void
    ) async throws {
        var changes = 0
        while true {
            changes += 1
            try #require(changes < 500)
            let (purchase, death) = (Purchase(), Death(after: changes))
            try? FileManager.default.removeItem(at: fixture.folder)
            var configuration = ContentDownloads.Configuration()
            configuration.maximumRetries = 0
            do {
                let downloads = try fixture.open(configuration, willChange: death.check)
                try? await before(downloads)
                try? await downloads.deliver(transactionID: "17", productID: "silver", finishing: rule) {
                    purchase.finish()
                }
                await downloads.idle()
            } catch is Death.Died {
                // The first change of all.
            }
            try await check(purchase, changes)
            if !death.isDead { return }
        }
    }

    @Test func `content is safe before the purchase is finished, at every step of a crash`() async throws {
        let bytes = fixture.serve("filter", product: "silver", transaction: "17", count: 300)
        try await runsToTheEnd(.contentIsSafe) { purchase, changes in
            // The app's next run sees either an unfinished purchase, or its content, without a network.
            if purchase.isFinished {
                #expect(try contents(await fixture.open().url(for: "filter")) == bytes, "\(changes) changes")
                return
            }
            let downloads = try fixture.open()
            try await downloads.deliver(transactionID: "17", productID: "silver") { purchase.finish() }
            #expect(purchase.isFinished)
            #expect(try contents(await downloads.url(for: "filter")) == bytes, "\(changes) changes")
            await downloads.idle()
            #expect(fixture.files().count == 1, "\(changes) changes")
        }
    }

    @Test func `a finished purchase has its receipt or its content, at every step of a crash`() async throws {
        let bytes = fixture.serve("filter", product: "silver", transaction: "17", count: 300)
        fixture.server.set { $0.onlyInReceipt["17"] = Data("receipt".utf8) }
        try await runsToTheEnd(.receiptIsSafe) { purchase, changes in
            let downloads = try fixture.open()
            if purchase.isFinished {
                // The store won't mention the purchase again, nor will a later receipt.
                fixture.receipt.withLock { $0 = Data("a later receipt".utf8) }
                await downloads.resume()
            } else {
                try await downloads.deliver(
                    transactionID: "17", productID: "silver", finishing: .receiptIsSafe
                ) { purchase.finish() }
            }
            for await items in downloads.updates where items.first?.state == .downloaded { break }
            #expect(try contents(await downloads.url(for: "filter")) == bytes, "\(changes) changes")
            await downloads.suspend()
            let last = try fixture.open()
            await last.resume()
            await last.idle()
            #expect(fixture.files().count == 1, "\(changes) changes")
            fixture.receipt.withLock { $0 = Data("receipt".utf8) }
        }
    }

    @Test func `a new version is complete or not there, at every step of a crash`() async throws {
        let old = fixture.serve("filter", product: "silver", transaction: "17", count: 300, seed: 1)
        var changes = 0
        while true {
            changes += 1
            try #require(changes < 500)
            fixture.serve("filter", product: "silver", transaction: "17", count: 300, seed: 1)
            try? FileManager.default.removeItem(at: fixture.folder)
            try await fixture.open().deliver(transactionID: "17", productID: "silver") {}
            let new = fixture.serve("filter", product: "silver", transaction: "17", count: 400, seed: 2)
            let death = Death(after: changes)
            var configuration = ContentDownloads.Configuration()
            configuration.maximumRetries = 0
            let updating = try fixture.open(configuration, willChange: death.check)
            _ = try? await updating.refresh()
            _ = try? await updating.finished("filter")
            await updating.idle()

            let next = try fixture.open()
            let found = try contents(await next.url(for: "filter"))
            #expect(found == old || found == new, "\(changes) changes")
            try await next.refresh()
            #expect(try contents(await next.finished("filter")) == new, "\(changes) changes")
            await next.idle()
            #expect(fixture.files().count == 1, "\(changes) changes")
            if !death.isDead { return }
        }
    }
}
