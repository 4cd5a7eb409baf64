import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// The changes of a customer's purchases, from which an app's StoreKit computes its answers.
struct PurchaseChangesTests {
    /// A page with decoded transactions.
    private struct Page {
        var transactions: [TransactionPayload]
        var finished: [Bool]
        var found: PurchaseChanges

        var ids: [TransactionID] { transactions.compactMap { TransactionID($0.transactionId) } }
        var revision: String { found.revision }
    }

    private func changes(
        _ shop: TestStore, of account: String = "ann", after revision: String? = nil
    ) async throws -> Page {
        let verifier = try TestSigning.verifier
        let found = try await shop.store.history.changes(of: try await shop.customer(account), after: revision)
        return Page(
            transactions: try found.transactions.map {
                try verifier.verify(Self.text($0.signed), as: TransactionPayload.self)
            }, finished: found.transactions.map(\.isFinished), found: found)
    }

    private static func text(_ json: [UInt8]) -> String { String(decoding: json.dropFirst().dropLast(), as: UTF8.self) }

    @Test(arguments: Engine.allCases)
    func `a list starts complete and goes on with changes in their order`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let nothing = try await changes(shop)
        #expect(nothing.found.isComplete && nothing.ids.isEmpty && !nothing.found.hasMore)
        let film = try await shop.buy("film.roll", as: "ann")
        let filter = try await shop.buy("filter.amber", as: "ann")
        try await shop.buy("film.roll", as: "bob")

        let bought = try await changes(shop, after: nothing.revision)
        #expect(bought.ids == [film.id, filter.id])
        #expect(bought.finished == [false, false])
        #expect(!bought.found.isComplete)
        #expect(bought.found.date == shop.clock.now)

        let none = try await changes(shop, after: bought.revision)
        #expect(none.found.isEmpty && none.revision == bought.revision)

        try await shop.finish(film, as: "ann")
        let finished = try await changes(shop, after: bought.revision)
        #expect(finished.ids == [film.id] && finished.finished == [true])

        try await shop.refund(filter)
        let refunded = try await changes(shop, after: finished.revision)
        #expect(refunded.ids == [filter.id])
        #expect(refunded.transactions.first?.revocationDate != nil)

        // From the start each transaction comes once, in its newest state.
        let all = try await changes(shop)
        #expect(all.ids == [film.id, filter.id] && all.finished == [true, false])
        #expect(all.found.isComplete && all.revision == refunded.revision)
    }

    @Test(arguments: Engine.allCases)
    func `subscriptions come with the last page of every change`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let verifier = try TestSigning.verifier
        let first = try await shop.buy("monthly", as: "ann")
        let bought = try await changes(shop)
        let item = try #require(bought.found.subscriptions.first)
        #expect(bought.found.subscriptions.count == 1)
        #expect(item.groupID == "magazine")
        #expect(item.item.status == .active && item.item.originalTransactionID == first.id)

        _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: first.id)
        let cancelled = try await changes(shop, after: bought.revision)
        #expect(cancelled.ids.isEmpty)
        let info = try #require(cancelled.found.subscriptions.first?.item.signedRenewalInfo)
        #expect(try verifier.verify(Self.text(info), as: RenewalInfoPayload.self).autoRenewStatus.rawValue == 0)
        #expect(try await changes(shop, after: cancelled.revision).found.subscriptions.isEmpty)

        try await shop.advance(by: .minutes(5))
        let expired = try await changes(shop, after: cancelled.revision)
        #expect(expired.ids.isEmpty)
        #expect(expired.found.subscriptions.map(\.item.status) == [.expired])
    }

    @Test(arguments: Engine.allCases)
    func `a renewal in a batch is a change`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let first = try await shop.buy("monthly", as: "ann")
        let before = try await changes(shop)
        try await shop.advance(by: .minutes(5))
        let renewed = try await changes(shop, after: before.revision)
        #expect(renewed.ids.count == 1 && renewed.ids != [first.id])
        #expect(renewed.transactions.first?.originalTransactionId == first.id.description)
        #expect(renewed.transactions.first?.transactionReason?.rawValue == "RENEWAL")
    }

    @Test(arguments: Engine.allCases)
    func `a long list comes in pages without gaps, also while it changes`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let count = PurchaseChanges.pageSize + 5
        var bought: [TransactionID] = []
        for _ in 0..<count { bought.append(try await shop.buy("film.roll", as: "ann").id) }
        try await shop.buy("monthly", as: "ann")
        let first = try await changes(shop)
        #expect(first.found.hasMore && first.found.isComplete && first.found.subscriptions.isEmpty)
        #expect(first.ids == Array(bought.prefix(PurchaseChanges.pageSize)))
        // One that was told of, and one that wasn't yet.
        for id in [bought[0], bought[count - 1]] {
            try await shop.store.transactions.finish(id, by: try await shop.customer("ann"))
        }
        let second = try await changes(shop, after: first.revision)
        #expect(!second.found.hasMore && !second.found.isComplete && second.found.subscriptions.count == 1)
        #expect(Set(first.ids + second.ids).isSuperset(of: bought))
        #expect(second.ids.count == 7)
        #expect(second.ids.suffix(2) == [bought[0], bought[count - 1]])
        #expect(second.finished.suffix(2) == [true, true])
    }

    @Test(arguments: Engine.allCases)
    func `a family's purchases are changes of its members`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        for name in ["olivia", "ben"] {
            try await shop.account(name)
            _ = try await shop.customer(name)
        }
        _ = try await shop.store.families.make(organizer: "olivia", members: ["ben"])
        let before = try await changes(shop, of: "ben")
        let filter = try await shop.buy("family.filter", as: "olivia")
        let shared = try await changes(shop, of: "ben", after: before.revision)
        #expect(shared.transactions.map(\.productId) == ["family.filter"])
        #expect(shared.transactions.first?.inAppOwnershipType.rawValue == "FAMILY_SHARED")
        try await shop.refund(filter)
        let ended = try await changes(shop, of: "ben", after: shared.revision)
        #expect(ended.ids == shared.ids && ended.transactions.first?.revocationDate != nil)
    }

    // MARK: - Void revisions

    @Test(arguments: Engine.allCases)
    func `the list starts again after the environment was emptied`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        try await shop.buy("film.roll", as: "ann")
        let before = try await changes(shop)
        try await shop.store.reset()
        let empty = try await changes(shop, after: before.revision)
        #expect(empty.found.isComplete && empty.ids.isEmpty)
        let film = try await shop.buy("film.roll", as: "ann")
        let again = try await changes(shop, after: before.revision)
        #expect(again.found.isComplete && again.ids == [film.id])
    }

    @Test func `another customer's revision starts the list again, other texts are malformed`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("film.roll", as: "ann")
        try await shop.buy("film.roll", as: "bob")
        let bobs = try await changes(shop, of: "bob").revision
        let anns = try await changes(shop, after: bobs)
        #expect(anns.found.isComplete && anns.ids.count == 1)
        for text in ["", "0", String(bobs.dropLast()), bobs + "A", String(repeating: "!", count: bobs.utf8.count)] {
            await #expect(throws: StoreError(.malformed, "", ""), "\(text)") {
                try await changes(shop, after: text)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `deleting a transaction of a test session makes earlier revisions void`(engine: Engine) async throws {
        let shop = try await Magazine.shop(.xcode, app: TestCatalog.magazine(), on: engine)
        let film = try await shop.buy("film.roll", as: "ann")
        let filter = try await shop.buy("filter.amber", as: "ann")
        let monthly = try await shop.buy("monthly", as: "ann")
        try await shop.advance(to: Magazine.start + .days(40))
        let before = try await changes(shop)
        #expect(before.ids.count == 4)
        try await shop.store.transactions.delete(monthly.id)
        let after = try await changes(shop, after: before.revision)
        #expect(after.found.isComplete && after.found.subscriptions.isEmpty)
        #expect(after.ids == [film.id, filter.id])
        try await shop.store.transactions.delete(film.id)
        #expect(try await changes(shop, after: after.revision).ids == [filter.id])
        await #expect(throws: StoreError(.transactionNotFound, "", "")) {
            try await shop.store.transactions.delete(film.id)
        }
        // The customer subscribes as if for the first time.
        #expect(try await shop.buy("monthly", as: "ann").originalID != monthly.id)
    }

    @Test func `pages go on after a deletion`() async throws {
        let shop = try await Magazine.shop(.xcode, app: TestCatalog.magazine())
        let gone = try await shop.buy("filter.amber", as: "ann")
        for _ in 0..<PurchaseChanges.pageSize + 1 { try await shop.buy("film.roll", as: "ann") }
        try await shop.store.transactions.delete(gone.id)
        let first = try await changes(shop)
        let second = try await changes(shop, after: first.revision)
        #expect(first.found.isComplete && first.found.hasMore)
        #expect(!second.found.isComplete && second.ids.count == 1)
    }

    @Test func `only test sessions delete transactions`() async throws {
        let shop = try await TestStore.make()
        let film = try await shop.buy("film.roll", as: "ann")
        await #expect(throws: StoreError(.malformed, "", "")) { try await shop.store.transactions.delete(film.id) }
    }

    // MARK: - Waiting

    @Test(arguments: Engine.allCases)
    func `a change ends a wait`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let ann = try await shop.customer("ann")
        let revision = try await changes(shop).revision
        async let waiting = shop.store.history.changes(of: ann, after: revision, waiting: .seconds(600))
        // Of another customer: it wakes, and isn't told.
        try await shop.buy("film.roll", as: "bob")
        let film = try await shop.buy("film.roll", as: "ann")
        #expect(try await waiting.transactions.map(\.id) == [film.id])
    }

    @Test func `a wait ends without a change, and at once if there is one`() async throws {
        let shop = try await TestStore.make()
        let ann = try await shop.customer("ann")
        let revision = try await changes(shop).revision
        let none = try await shop.store.history.changes(of: ann, after: revision, waiting: .milliseconds(5))
        #expect(none.isEmpty && none.revision == revision)
        let first = try await shop.store.history.changes(of: ann, after: nil, waiting: .seconds(600))
        #expect(first.isComplete)
    }

    @Test func `a wait ends with its task`() async throws {
        let shop = try await TestStore.make()
        let ann = try await shop.customer("ann")
        let revision = try await changes(shop).revision
        let task = Task { try await shop.store.history.changes(of: ann, after: revision, waiting: .seconds(600)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
