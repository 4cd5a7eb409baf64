import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Transaction histories, on every engine.
struct TransactionHistoryTests {
    private typealias Filter = TransactionsTable.HistoryFilter

    /// Returns the only page of a history.
    private func history(
        of id: TransactionID, _ shop: TestStore, _ change: (inout Filter) -> Void = { _ in }
    ) async throws -> [TransactionID] {
        let seller = try await Seller(of: shop)
        return try await seller.history(of: id, change: change).ids
    }

    @Test(arguments: Engine.allCases)
    func `history pages follow the order of changes`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let seller = try await Seller(of: shop)
        var bought: [TransactionID] = []
        var first: Transaction?
        for _ in 0..<44 {
            let sold = try await shop.buy("film.roll", as: "ann")
            first = first ?? sold
            bought.append(sold.id)
        }
        try await shop.buy("film.roll", as: "ben")
        var pages: [[TransactionID]] = []
        var revision: String?
        while true {
            let page = try await seller.history(of: bought[3], after: revision)
            pages.append(page.ids)
            revision = page.revision
            guard page.hasMore else { break }
        }
        #expect(pages.map(\.count) == [20, 20, 4])
        #expect(pages.flatMap { $0 } == bought)

        let end = try await seller.history(of: bought[3], after: revision)
        #expect((end.ids, end.revision, end.hasMore) == ([], try #require(revision), false))
        // Changed transactions come again at the end; finishing is no change.
        let later = try await shop.buy("film.roll", as: "ann")
        try await shop.refund(try #require(first))
        try await shop.finish(later, as: "ann")
        #expect(try await seller.history(of: bought[3], after: revision).ids == [later.id, bought[0]])

        let newest = try await seller.history(of: bought[3]) { $0.isDescending = true }
        #expect(newest.ids.prefix(3) == [bought[0], later.id, bought[43]])
        let older = try await seller.history(of: bought[3], after: newest.revision) { $0.isDescending = true }
        #expect(older.ids.first == bought[25])
        #expect((newest.hasMore, older.hasMore) == (true, true))
    }

    @Test(arguments: Engine.allCases)
    func `history filters by product, date, owner and revocation`(
        engine: Engine
    ) async throws {
        let shop = try await TestStore.make(on: engine)
        let roll = try await shop.buy("film.roll", as: "ann")
        try await shop.advance(by: .hours(1))
        let monthly = try await shop.buy("monthly", as: "ann")
        let filter = try await shop.buy("filter.amber", as: "ann")
        try await shop.advance(by: .hours(1))
        let pass = try await shop.buyAndFinish("pass.1week", as: "ann")
        let used = try await shop.buyAndFinish("film.roll", as: "ann")
        let letter = try await shop.buy("newsletter", as: "ann")
        try await shop.refund(filter)
        let all = [roll, monthly, pass, used, letter, filter].map(\.id)
        func found(_ change: (inout Filter) -> Void) async throws -> [TransactionID] {
            try await history(of: roll.id, shop, change).filter(all.contains)
        }
        #expect(try await found { _ in } == all)
        #expect(
            try await found { $0.products = [roll.productID, monthly.productID] } == [roll.id, monthly.id, used.id])
        #expect(try await found { $0.types = [.consumable, .nonRenewing] } == [roll.id, pass.id, used.id])
        #expect(try await found { $0.types = [.autoRenewable, .free] } == [monthly.id, letter.id])
        #expect(try await found { $0.groups = ["magazine", "other"] } == [monthly.id])
        #expect(try await found { $0.isRevoked = true } == [filter.id])
        #expect(try await found { $0.isRevoked = false } == all.dropLast())
        #expect(try await found { $0.omitsFinishedConsumables = true } == all.filter { $0 != used.id })
        #expect(try await found { $0.ownership = .familyShared } == [])
        #expect(try await found { $0.ownership = .purchased } == all)
        #expect(try await found { $0.until = monthly.purchaseDate } == [roll.id])
        #expect(
            try await found {
                $0.from = monthly.purchaseDate
                $0.until = pass.purchaseDate
            } == [monthly.id, filter.id])
        #expect(
            try await found {
                $0.types = [.consumable]
                $0.from = pass.purchaseDate
                $0.products = [roll.productID, pass.productID]
            } == [used.id])
    }

    @Test(arguments: Engine.allCases)
    func `any transaction ID of a customer leads to the history`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let sold = try await shop.buy("monthly", as: "ann")
        try await shop.advance(by: .minutes(6))
        let all = try await history(of: sold.id, shop)
        #expect(all.count >= 2)
        #expect(try await history(of: try #require(all.last), shop) == all)
        let download = AppTransactionID(account: sold.accountID, app: TestCatalog.magazine().appleID)
        #expect(try await history(of: TransactionID(rawValue: download.rawValue), shop) == all)

        let camera = try await shop.buy("lens", as: "ann", app: TestCatalog.otherBundleID)
        let otherDownload = AppTransactionID(account: sold.accountID, app: TestCatalog.camera.appleID)
        for number in [7, camera.id.rawValue, otherDownload.rawValue, download.rawValue + 1] {
            await #expect(throws: ServerAPIError(.transactionIDNotFound)) {
                try await history(of: TransactionID(rawValue: number), shop)
            }
        }
        let production = try await shop.environment("Production")
        await #expect(throws: ServerAPIError(.transactionIDNotFound)) { try await history(of: sold.id, production) }
    }

    @Test func `a history revision is valid for its customer only`() async throws {
        let shop = try await TestStore.make()
        let seller = try await Seller(of: shop)
        let sold = try await shop.buy("film.roll", as: "ann")
        let revision = try await seller.history(of: sold.id).revision
        let other = try await shop.buy("film.roll", as: "ben")
        let foreign = try await seller.history(of: other.id).revision
        var changed = Array(revision)
        changed[3] = changed[3] == "B" ? "C" : "B"
        for wrong in ["", "x", "1", "1_2", revision + "A", String(revision.dropLast()), String(changed), foreign] {
            await #expect(throws: ServerAPIError(.invalidRequestRevision), "\(wrong)") {
                _ = try await seller.history(of: sold.id, after: wrong)
            }
        }
        #expect(try await seller.history(of: sold.id, after: "0").ids == [sold.id])
        let none = try await seller.history(of: sold.id) { $0.isRevoked = true }
        #expect((none.ids, none.revision, none.hasMore) == ([], "0", false))
    }

    @Test func `signed transactions are cached for a minute or until they change`() async throws {
        let shop = try await TestStore.make()
        let seller = try await Seller(of: shop)
        let sold = try await shop.buy("film.roll", as: "ann")
        let first = try await seller.text(of: sold.id)
        shop.clock.advance(by: .seconds(59))
        #expect(try await seller.text(of: sold.id) == first)
        try await shop.refund(sold)
        let refunded = try seller.payload(try await seller.text(of: sold.id))
        #expect(refunded.revocationDate != nil)
        shop.clock.advance(by: .seconds(60))
        let later = try seller.payload(try await seller.text(of: sold.id))
        #expect(later.signedDate > refunded.signedDate)
    }

    @Test func `a revoked API key is refused from the next request on`() async throws {
        let shop = try await TestStore.make()
        let seller = try await Seller(of: shop)
        let sold = try await shop.buy("film.roll", as: "ann")
        _ = try await seller.history(of: sold.id)
        try await seller.key.revoke(in: shop)
        await #expect(throws: StoreError(.unauthorized, "", "")) { _ = try await seller.history(of: sold.id) }
        await #expect(throws: StoreError(.unauthorized, "", "")) { _ = try await seller.text(of: sold.id) }
    }
}
