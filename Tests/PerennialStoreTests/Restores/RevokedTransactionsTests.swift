import Perennial
import PerennialStore
import TestSupport
import Testing

/// Revoked purchases on a device.
struct RevokedTransactionsTests {
    @Test(arguments: Engine.allCases)
    func `revocations are listed once in the order of reporting`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let film = try await shop.buyAndFinish("film.roll", as: "ann")
        let filter = try await shop.buy("filter.amber", as: "ann")
        let other = try await shop.buyAndFinish("film.roll", as: "bob")
        let ann = try await shop.customer("ann")
        let nothing = try await shop.store.restores.revokedTransactions(of: ann, after: nil)
        #expect(nothing.transactions.isEmpty && !nothing.hasMore)
        try await shop.refund(filter)
        try await shop.refund(other)
        let first = try await shop.store.restores.revokedTransactions(of: ann, after: nothing.revision)
        #expect(first.transactions.map(\.id) == [filter.id])
        try await shop.refund(film)
        let second = try await shop.store.restores.revokedTransactions(of: ann, after: first.revision)
        #expect(second.transactions.map(\.id) == [film.id])
        let third = try await shop.store.restores.revokedTransactions(of: ann, after: second.revision)
        #expect(third.transactions.isEmpty && third.revision == second.revision)
        #expect(try await shop.store.restores.revokedTransactions(of: ann, after: nil).transactions.count == 2)
    }

    @Test func `an unknown revision is malformed`() async throws {
        let shop = try await TestStore.make()
        try await shop.refund(try await shop.buy("film.roll", as: "bob"))
        let (ann, bob) = (try await shop.customer("ann"), try await shop.customer("bob"))
        let revision = try await shop.store.restores.revokedTransactions(of: bob, after: nil).revision
        for text in ["1", "", revision] {
            await #expect(throws: StoreError(.malformed, "", ""), "\(text)") {
                try await shop.store.restores.revokedTransactions(of: ann, after: text)
            }
        }
    }

    @Test func `revocations come in pages`() async throws {
        let shop = try await TestStore.make()
        let ann = try await shop.customer("ann")
        let count = RevokedTransactions.pageSize + 3
        for _ in 0..<count { try await shop.refund(try await shop.buy("film.roll", as: "ann")) }
        let first = try await shop.store.restores.revokedTransactions(of: ann, after: nil)
        #expect(first.hasMore && first.transactions.count == RevokedTransactions.pageSize)
        let rest = try await shop.store.restores.revokedTransactions(of: ann, after: first.revision)
        #expect(!rest.hasMore && rest.transactions.count == 3)
    }
}
