import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Refund requests that customers make in the app (`Transaction.beginRefundRequest`).
struct CustomerRefundTests {
    private func request(_ shop: TestStore, _ id: TransactionID, as account: String = "ann") async throws {
        try await shop.store.refunds.request(id, reason: .unsatisfied, by: try await shop.customer(account))
    }

    @Test(arguments: Engine.allCases)
    func `a request is open until it is answered`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let film = try await shop.buy("film.roll", as: "ann")
        try await request(shop, film.id)
        let app = TestCatalog.magazine().appleID
        let open = try #require(try await shop.store.refunds.newestRequest(of: film.id, app: app))
        #expect(open.reason == .unsatisfied && open.outcome == nil)
        await #expect(throws: RefundError(.alreadyRequested, film.id, "")) { try await request(shop, film.id) }
        _ = try await shop.store.refunds.decline(film.id)
        try await request(shop, film.id)
        try await shop.refund(film)
        await #expect(throws: RefundError(.alreadyRefunded, film.id, "")) { try await request(shop, film.id) }
    }

    @Test func `a period of a subscription is asked for as well`() async throws {
        let shop = try await TestStore.make()
        let monthly = try await shop.buy("monthly", as: "ann")
        try await request(shop, monthly.id)
        #expect(try await shop.journal().map(\.entry.kind).contains(.subscription(.refundRequested)))
    }

    @Test func `another customer's transaction is none that can be asked for`() async throws {
        let shop = try await TestStore.make()
        let film = try await shop.buy("film.roll", as: "ann")
        for (id, account) in [(film.id, "bob"), (TransactionID(rawValue: 1), "ann")] {
            await #expect(throws: StoreError(.transactionNotFound, "", "")) {
                try await request(shop, id, as: account)
            }
        }
        #expect(try await shop.count("refund_requests") == 0)
    }
}
