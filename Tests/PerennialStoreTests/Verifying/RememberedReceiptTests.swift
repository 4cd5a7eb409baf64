import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// verifyReceipt remembers receipts and what became of them; nobody must notice but by the time it takes.
struct RememberedReceiptTests {
    private let secret = TestCatalog.sharedSecret

    @Test func `a receipt asked about again is answered the same, but for the time`() async throws {
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
    func `what happened since is in the next answer, also where another node did it`(engine: Engine) async throws {
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

    @Test func `old transactions are left out or not, as each request says`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("monthly", as: "ann")
        try await shop.pass(.minutes(7))
        let receipt = try await shop.receipt(of: "ann")
        for _ in 0..<2 {
            let all = try await shop.verify(receipt, password: secret)
            let newest = try await shop.verify(receipt, password: secret, excludesOldTransactions: true)
            #expect(all["latest_receipt_info"]?.elements?.count == 2)
            #expect(newest["latest_receipt_info"]?.elements?.count == 1)
        }
    }

    @Test func `a remembered receipt needs the shared secret as before`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("monthly", as: "ann")
        let receipt = try await shop.receipt(of: "ann")
        #expect(try await shop.verify(receipt, password: secret)["status"] == 0)
        #expect(try await shop.verify(receipt) == ["status": 21004])
        #expect(try await shop.verify(receipt, password: "wrong") == ["status": 21004])
    }

    @Test func `what differs from a remembered receipt in its beginning alone is not taken for it`() async throws {
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

    @Test func `environments know nothing of each other's receipts`() async throws {
        let sandbox = try await TestStore.make()
        let production = try await sandbox.environment("Production")
        try await sandbox.buy("filter.amber", as: "ann")
        let receipt = try await sandbox.receipt(of: "ann")
        for _ in 0..<2 {
            #expect(try await sandbox.verify(receipt)["status"] == 0)
            #expect(try await production.verify(receipt) == ["status": 21007])
        }
    }

    @Test func `after a reset a remembered receipt belongs to nobody`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("filter.amber", as: "ann")
        let receipt = try await shop.receipt(of: "ann")
        #expect(try await shop.verify(receipt)["status"] == 0)
        try await shop.store.reset()
        #expect(try await shop.verify(receipt) == ["status": 21010, "environment": "Sandbox", "is_retryable": false])
    }
}

/// Values that are kept for as long as there is room.
struct BoundedMemoryTests {
    @Test func `what is asked for stays, what isn't goes`() {
        let memory = BoundedMemory<Int, String>(room: 20)
        memory.keep("asked for", size: 1, for: -1)
        for number in 0..<100 {
            memory.keep("\(number)", size: 1, for: number)
            #expect(memory.find(-1) == "asked for")
        }
        #expect(memory.find(0) == nil)
        #expect(memory.find(99) == "99")
    }

    @Test func `it never holds more than its room`() {
        let memory = BoundedMemory<Int, String>(room: 20)
        for number in 0..<1000 { memory.keep("", size: 1 + number % 5, for: number) }
        let sizes = (0..<1000).filter { memory.find($0) != nil }.map { 1 + $0 % 5 }
        #expect(sizes.reduce(0, +) <= 20)
        #expect(!sizes.isEmpty)
    }

    @Test func `a value takes the place of the one before it, and one that is too large takes none`() {
        let memory = BoundedMemory<Int, String>(room: 20)
        memory.keep("one", size: 5, for: 1)
        memory.keep("two", size: 5, for: 1)
        #expect(memory.find(1) == "two")
        memory.keep("large", size: 11, for: 1)
        #expect(memory.find(1) == nil)
    }
}
