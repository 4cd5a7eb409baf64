import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// The cache of verifyReceipt: answers are the same with and without it.
struct CachedReceiptTests {
    private let secret = TestCatalog.sharedSecret

    @Test func `a repeated receipt gets the same answer except for the time`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("monthly", as: "ann")
        try await shop.buy("film.roll", as: "ann")
        let receipt = try await shop.receipt(of: "ann")
        let first = try await shop.verify(receipt, password: secret)
        #expect(try await shop.verify(receipt, password: secret) == first)
        shop.clock.advance(by: .seconds(1))
        let later = try await shop.verify(receipt, password: secret)
        #expect(later["receipt"]?["request_date"] == "2026-01-01 00:00:01 Etc/GMT")
        for member in ["status", "environment", "latest_receipt", "latest_receipt_info", "pending_renewal_info"] {
            #expect(later[member] == first[member])
        }
    }

    @Test(arguments: Engine.allCases)
    func `changes by another node are in the next answer`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let other = try await TestStore.open(shop.database, seed: 2)
        let monthly = try await shop.buy("monthly", as: "ann")
        let receipt = try await shop.receipt(of: "ann")
        for asked in [shop, other] {
            #expect(try await asked.verify(receipt, password: secret)["latest_receipt_info"]?.elements?.count == 1)
        }
        try await other.buy("film.roll", as: "ann")
        for asked in [shop, other] {
            #expect(try await asked.verify(receipt, password: secret)["latest_receipt_info"]?.elements?.count == 2)
        }
        try await shop.refund(monthly)
        for asked in [shop, other] {
            let listed = try await asked.verify(receipt, password: secret)["latest_receipt_info"]?.elements ?? []
            let refunded = listed.first { $0["product_id"] == "monthly" }
            #expect(refunded?["cancellation_reason"] == "0")
        }
    }

    @Test func `excluding old transactions is decided by each request`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("monthly", as: "ann")
        try await shop.advance(by: .minutes(7))
        let receipt = try await shop.receipt(of: "ann")
        for _ in 0..<2 {
            let all = try await shop.verify(receipt, password: secret)
            let newest = try await shop.verify(receipt, password: secret, excludesOldTransactions: true)
            #expect(all["latest_receipt_info"]?.elements?.count == 2)
            #expect(newest["latest_receipt_info"]?.elements?.count == 1)
        }
    }

    @Test func `a cached receipt still requires the shared secret`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("monthly", as: "ann")
        let receipt = try await shop.receipt(of: "ann")
        #expect(try await shop.verify(receipt, password: secret)["status"] == 0)
        #expect(try await shop.verify(receipt) == ["status": 21004])
        #expect(try await shop.verify(receipt, password: "wrong") == ["status": 21004])
    }

    @Test func `a receipt with another beginning misses the cache`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("filter.amber", as: "ann")
        let receipt = try await shop.receipt(of: "ann")
        #expect(try await shop.verify(receipt)["status"] == 0)
        for index in stride(from: 0, to: receipt.count - 300, by: receipt.count / 20) {
            var changed = receipt
            changed[index] ^= 1
            #expect(try await shop.verify(changed)["status"] != 0, "\(index)")
        }
    }

    @Test func `environments don't share cached receipts`() async throws {
        let sandbox = try await TestStore.make()
        let production = try await sandbox.environment("Production")
        try await sandbox.buy("filter.amber", as: "ann")
        let receipt = try await sandbox.receipt(of: "ann")
        for _ in 0..<2 {
            #expect(try await sandbox.verify(receipt)["status"] == 0)
            #expect(try await production.verify(receipt) == ["status": 21007])
        }
    }

    @Test func `after a reset a cached receipt has no owner`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("filter.amber", as: "ann")
        let receipt = try await shop.receipt(of: "ann")
        #expect(try await shop.verify(receipt)["status"] == 0)
        try await shop.store.reset()
        #expect(try await shop.verify(receipt) == ["status": 21010, "environment": "Sandbox", "is_retryable": false])
    }
}

/// The cache that evicts unused values.
struct TwoGenerationCacheTests {
    @Test func `used values stay in the cache, unused ones are evicted`() {
        let cache = TwoGenerationCache<Int, String>(capacity: 20)
        cache.insert("asked for", size: 1, for: -1)
        for number in 0..<100 {
            cache.insert("\(number)", size: 1, for: number)
            #expect(cache.value(-1) == "asked for")
        }
        #expect(cache.value(0) == nil)
        #expect(cache.value(99) == "99")
    }

    @Test func `the cache never exceeds its capacity`() {
        let cache = TwoGenerationCache<Int, String>(capacity: 20)
        for number in 0..<1000 { cache.insert("", size: 1 + number % 5, for: number) }
        let sizes = (0..<1000).filter { cache.value($0) != nil }.map { 1 + $0 % 5 }
        #expect(sizes.reduce(0, +) <= 20)
        #expect(!sizes.isEmpty)
    }

    @Test func `a value replaces an older one, and a too large one isn't cached`() {
        let cache = TwoGenerationCache<Int, String>(capacity: 20)
        cache.insert("one", size: 5, for: 1)
        cache.insert("two", size: 5, for: 1)
        #expect(cache.value(1) == "two")
        cache.insert("large", size: 11, for: 1)
        #expect(cache.value(1) == nil)
    }
}
