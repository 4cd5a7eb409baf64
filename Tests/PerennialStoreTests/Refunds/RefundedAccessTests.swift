import Foundation
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// A refund revokes access with everything that depends on the purchase: free repeats, and family members' transactions.
struct RefundedAccessTests {
    private static let amber = Product.ID(rawValue: "filter.amber")

    private static func isCancelled(_ shop: TestStore, _ account: String) async throws -> [Bool] {
        let answer = try await shop.verify(try await shop.receipt(of: account), password: TestCatalog.sharedSecret)
        return answer["receipt"]?["in_app"]?.elements?.map { $0["cancellation_date_ms"] != nil } ?? []
    }

    /// Goal: the purchase or any of its repeats can be named.
    @Test(arguments: [0, 1, 2])
    func `a refund revokes a non-consumable's free repeats too`(named: Int) async throws {
        let shop = try await TestStore.make()
        var bought: [Transaction] = []
        for _ in 0...2 { bought.append(try await shop.buyAndFinish("filter.amber", as: "ann")) }
        #expect(bought.map(\.price.milliunits) == [1990, 0, 0])
        let refunded = try await shop.refund(bought[named])
        #expect(refunded.id == bought[named].id)
        #expect(refunded.revocation != nil)
        #expect(try await Self.isCancelled(shop, "ann") == [true])
        #expect(try await shop.restore("ann").isEmpty)
        #expect(try await shop.buy("filter.amber", as: "ann").price.milliunits == 1990)
        let money = try await shop.journal().flatMap(\.entry.postings).filter { $0.account == .customer }
        #expect(money.map(\.amount.milliunits) == [-1990, 1990, -1990])
        await #expect(throws: RefundError(.alreadyRefunded, bought[0].id, "")) { try await shop.refund(bought[0]) }
        await #expect(throws: RefundError(.alreadyRefunded, bought[2].id, "")) { try await shop.refund(bought[2]) }
    }

    @Test(arguments: [0, 1])
    func `a reversal restores everything that the refund revoked`(named: Int) async throws {
        let shop = try await TestStore.make()
        let bought = [
            try await shop.buyAndFinish("filter.amber", as: "ann"),
            try await shop.buyAndFinish("filter.amber", as: "ann"),
        ]
        try await shop.refund(bought[0])
        let reversed = try await shop.store.refunds.reverse(bought[named].id).0
        #expect(reversed.id == bought[named].id)
        #expect(reversed.revocation == nil)
        #expect(try await RenewalTests.periods(shop, of: "ann").allSatisfy { $0.revocation == nil })
        #expect(try await Self.isCancelled(shop, "ann") == [false])
        #expect(try await shop.restore("ann").map(\.original.id) == [bought[0].id])
        #expect(try await shop.buy("filter.amber", as: "ann").price.milliunits == 0)
        let money = try await shop.journal().flatMap(\.entry.postings).filter { $0.account == .customer }
        #expect(money.map(\.amount.milliunits) == [-1990, 1990, -1990])
    }

    @Test(arguments: Engine.allCases)
    func `a refund ends sharing despite the purchaser's free repeats`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine)
        _ = try await shop.store.families.make(organizer: "ann", members: ["bob"])
        let bought = try await shop.buy("family.filter", as: "ann")
        _ = try await shop.buy("family.filter", as: "ann")
        try await shop.refund(bought)
        let now = try await shop.store.now()
        for account in ["ann", "bob"] {
            #expect(
                try await RenewalTests.periods(shop, of: account).allSatisfy { !$0.isInForce(at: now) }, "\(account)")
        }
        _ = try await shop.store.refunds.reverse(bought.id)
        for account in ["ann", "bob"] {
            #expect(try await RenewalTests.periods(shop, of: account).contains { $0.isInForce(at: now) }, "\(account)")
        }
    }

    // MARK: - Money

    /// Returns the ledger's balances in milliunits.
    private static func balances(_ shop: TestStore) async throws -> [Posting.Account: Int64] {
        try await shop.journal().flatMap(\.entry.postings).reduce(into: [:]) {
            $0[$1.account, default: 0] += $1.amount.milliunits
        }
    }

    /// Changes the seller's terms to another commission and tax.
    private static func changeTerms(_ shop: TestStore) async throws {
        var app = TestCatalog.magazine()
        app.saleTerms = SaleTerms(commissionBasisPoints: 1500, taxBasisPoints: 700)
        try await Apps(
            database: shop.database, wallClock: { TestStore.opening }, randomBytes: SeededBytes(seed: 3).bytes
        )
        .register(app, sharedSecret: TestCatalog.sharedSecret)
        #expect(try await shop.buy("film.roll", as: "tax").price.milliunits == 990)
    }

    @Test(arguments: ["monthly", "filter.amber"])
    func `a full refund reverses the sale's own postings`(product: String) async throws {
        let shop = try await RenewalTests.shop()
        let bought = try await shop.buy(product, as: "ann")
        try await Self.changeTerms(shop)
        let before = try await Self.balances(shop)
        try await shop.refund(bought)
        let refund = try #require(
            try await shop.journal().map(\.entry).last { !$0.postings.isEmpty && $0.transactionID == bought.id })
        let sale = TestCatalog.magazine().saleTerms.postings(forSaleAt: bought.price)
        #expect(refund.postings == sale.reversed)
        _ = try await shop.store.refunds.reverse(bought.id)
        #expect(try await Self.balances(shop) == before)
    }

    @Test(arguments: ["monthly", "filter.amber"])
    func `a partial refund reverses that share of commission and tax`(product: String) async throws {
        let shop = try await RenewalTests.shop()
        let bought = try await shop.buy(product, as: "ann")
        try await Self.changeTerms(shop)
        let before = try await Self.balances(shop)
        _ = try await shop.store.refunds.refund(bought.id, Refund(.percentage(milliunits: 50_000)))
        let refund = try #require(
            try await shop.journal().map(\.entry).last { !$0.postings.isEmpty && $0.transactionID == bought.id })
        let sale = TestCatalog.magazine().saleTerms.postings(forSaleAt: bought.price)
        let given = refund.postings.first { $0.account == .customer }?.amount.milliunits ?? 0
        #expect(given == bought.price.milliunits / 20 * 10)
        #expect(refund.postings.balances)
        for posting in sale where [.commission, .tax].contains(posting.account) {
            // The fraction of a cent is the seller's.
            #expect(
                refund.postings.first { $0.account == posting.account }?.amount.milliunits
                    == -(posting.amount.milliunits * given / bought.price.milliunits / 10 * 10))
        }
        _ = try await shop.store.refunds.reverse(bought.id)
        #expect(try await Self.balances(shop) == before)
    }

    @Test func `an upgrade's refund uses the terms of the sale`() async throws {
        let shop = try await RenewalTests.shop()
        let bought = try await shop.buy("monthly", as: "ann")
        try await Self.changeTerms(shop)
        _ = try await shop.buy("yearly", as: "ann")
        let refund = try #require(
            try await shop.journal().map(\.entry).last { $0.kind == .subscription(.upgradeRefunded) })
        #expect(refund.transactionID == bought.id)
        #expect(refund.postings == TestCatalog.magazine().saleTerms.postings(forSaleAt: bought.price).reversed)
    }
}
