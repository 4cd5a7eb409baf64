import AppStoreFormats
import Perennial
import PerennialStore
import TestSupport
import Testing

/// Refund histories, on both engines.
struct RefundHistoryTests {
    private let app = TestCatalog.magazine()

    @Test(arguments: Engine.allCases)
    func `refund history pages follow the order of revocation`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        var bought: [Transaction] = []
        for _ in 0..<45 { bought.append(try await shop.buy("film.roll", as: "ann")) }
        let other = try await shop.refund(try await shop.buy("film.roll", as: "ben"))
        var expected: [TransactionID] = []
        // Refunded in another order than bought, some in the same second.
        for index in [7, 3, 44] + Array(stride(from: 40, to: 3, by: -1)) where !expected.contains(bought[index].id) {
            expected.append(bought[index].id)
            try await shop.refund(bought[index])
            if index % 3 == 0 { try await shop.advance(by: .seconds(1)) }
        }
        var seen: [Transaction] = []
        var revision: String?
        var sizes: [Int] = []
        while true {
            let page = try await shop.store.refunds.history(ofCustomerOf: bought[0].id, in: app, after: revision)
            seen += page.transactions
            sizes.append(page.transactions.count)
            revision = page.revision
            guard page.hasMore else { break }
        }
        #expect(sizes == [20, expected.count - 20])
        #expect(Set(seen.map(\.id)) == Set(expected))
        let places = seen.compactMap { $0.revocation.map { revocation in (revocation.date, revocation) } }
        #expect(places.map(\.0) == places.map(\.0).sorted())
        #expect(!seen.contains { $0.id == other.id })

        let end = try await shop.store.refunds.history(ofCustomerOf: bought[0].id, in: app, after: revision)
        #expect(end == RefundHistory(transactions: [], revision: revision ?? "", hasMore: false))
        try await shop.advance(by: .seconds(1))
        try await shop.refund(bought[0])
        let later = try await shop.store.refunds.history(ofCustomerOf: bought[0].id, in: app, after: revision)
        #expect(later.transactions.map(\.id) == [bought[0].id])
    }

    @Test(arguments: Engine.allCases)
    func `refund lookup version 1 has the fifty newest`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        var refunded: [TransactionID] = []
        for _ in 0..<52 {
            refunded.append(try await shop.refund(try await shop.buy("film.roll", as: "ann")).id)
            try await shop.advance(by: .seconds(1))
        }
        let last = try await shop.store.refunds.lastRefunds(ofCustomerOf: refunded[0], in: app)
        #expect(last.map(\.id) == refunded.suffix(50).reversed())
    }

    @Test func `a customer without refunds has an empty history`() async throws {
        let shop = try await TestStore.make()
        let bought = try await shop.buy("monthly", as: "ann")
        let page = try await shop.store.refunds.history(ofCustomerOf: bought.id, in: app, after: nil)
        #expect(page == RefundHistory(transactions: [], revision: "0", hasMore: false))
        let again = try await shop.store.refunds.history(ofCustomerOf: bought.id, in: app, after: page.revision)
        #expect(again == page)
        #expect(try await shop.store.refunds.lastRefunds(ofCustomerOf: bought.id, in: app) == [])
    }

    @Test func `another app's transaction is not found`() async throws {
        let shop = try await TestStore.make()
        let bought = try await shop.buy("film.roll", as: "ann")
        for (id, app) in [(bought.id, TestCatalog.camera), (TransactionID(rawValue: 7), app)] {
            await #expect(throws: ServerAPIError(.transactionIDNotFound)) {
                _ = try await shop.store.refunds.history(ofCustomerOf: id, in: app, after: nil)
            }
        }
    }

    @Test(arguments: [
        "", "x", "1", "1_", "_1", "1_2_3", "1_x", "-", "99999999999999999999_1", "1_99999999999999999999",
    ])
    func `an unknown refund revision is refused`(revision: String) async throws {
        let shop = try await TestStore.make()
        let bought = try await shop.buy("film.roll", as: "ann")
        await #expect(throws: ServerAPIError(.invalidRequestRevision)) {
            _ = try await shop.store.refunds.history(ofCustomerOf: bought.id, in: app, after: revision)
        }
    }
}
