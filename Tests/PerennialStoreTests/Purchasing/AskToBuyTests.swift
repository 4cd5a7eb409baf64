import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Ask to Buy: nothing is charged and no transaction exists until a parent approves, within 24 hours.
struct AskToBuyTests {
    @Test(arguments: Engine.allCases)
    func `approval buys once, and the purchase waits unfinished for the child's devices`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let child = try await shop.signIn("mia")
        try await ask(shop, child.token)
        #expect(try await shop.journal().isEmpty)
        let asked = try #require(try await shop.store.approvals(bundleID: TestCatalog.bundleID).first)
        #expect(asked.account == "mia")
        let sold = try #require(try await shop.store.answerApproval(asked.id, approved: true))
        #expect(try await shop.store.unfinished(of: child.customer).transactions == [sold])
        #expect(try await shop.store.answerApproval(asked.id, approved: true) == nil)
        #expect(try await shop.journal().count == 1)
        #expect(try await shop.store.approvals(bundleID: TestCatalog.bundleID).isEmpty)
    }

    @Test func `a declined request buys nothing, also when it is approved afterwards`() async throws {
        let shop = try await TestStore.make()
        try await ask(shop, try await shop.signIn("mia").token)
        let asked = try #require(try await shop.store.approvals(bundleID: TestCatalog.bundleID).first)
        #expect(try await shop.store.answerApproval(asked.id, approved: false) == nil)
        #expect(try await shop.store.answerApproval(asked.id, approved: true) == nil)
        #expect(try await shop.journal().isEmpty)
    }

    @Test func `a request lapses after 24 hours; asking again starts them anew and stays one request`() async throws {
        let shop = try await TestStore.make()
        let token = try await shop.signIn("mia").token
        try await ask(shop, token)
        shop.clock.advance(by: .hours(23))
        try await ask(shop, token)
        shop.clock.advance(by: .hours(23))
        let waiting = try await shop.store.approvals(bundleID: TestCatalog.bundleID)
        #expect(waiting.count == 1)
        shop.clock.advance(by: .hours(1))
        #expect(try await shop.store.approvals(bundleID: TestCatalog.bundleID).isEmpty)
        #expect(try await shop.store.answerApproval(waiting[0].id, approved: true) == nil)
    }

    @Test func `what isn't for sale can't be asked for, and an unknown number isn't answered`() async throws {
        let shop = try await TestStore.make()
        let token = try await shop.signIn("mia").token
        await #expect(throws: PurchaseRefusal(.productNotAvailable, Product.ID(rawValue: ""), "")) {
            try await ask(shop, token, product: "retired")
        }
        await #expect(throws: StoreError(.approvalNotFound, "", "")) {
            try await shop.store.answerApproval(1, approved: true)
        }
    }

    private func ask(_ shop: TestStore, _ token: String, product: String = "film.roll") async throws {
        try await shop.store.askToBuy(PurchaseRequest(productID: Product.ID(rawValue: product)), token: token)
    }
}
