import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

/// The pages of customers and transactions, and the deeds on them.
struct CustomerConsoleTests {
    private static func timeline(of page: Page) -> [TimelineEntry] { page.blocks.flatMap(entries) }

    private static func entries(_ block: Block) -> [TimelineEntry] {
        switch block {
        case .timeline(let entries): entries
        case .section(_, _, _, let blocks), .details(_, let blocks): blocks.flatMap(entries)
        case .columns(let columns): columns.flatMap { $0.flatMap(entries) }
        default: []
        }
    }

    @Test func `a customer's page tells what has happened, newest first`() async throws {
        let console = try await SellerConsole()
        let roll = try await console.shop.buy("film.roll", as: "ann")
        try await console.shop.buy("monthly", as: "ann")
        try await console.shop.refund(roll)
        let page = try await console.page("customers/ann")
        let texts = Self.timeline(of: page).map(\.text)
        let phrases = texts.compactMap { text -> Phrase? in
            if case .phrase(let phrase, _) = text { phrase } else { nil }
        }
        #expect(phrases == [TimelinePhrases.refunded, TimelinePhrases.subscribed, TimelinePhrases.bought])
        #expect(Self.timeline(of: page).allSatisfy { !$0.links.isEmpty && !$0.details.isEmpty })
        #expect(page.forms.contains { $0.path.hasSuffix("/customers/ann/buy") })
        let listed = try await console.page("customers", ["prefix": "a"])
        #expect(listed.tables.first?.rows.map { $0.cells[0].text } == [.data("ann")])
    }

    @Test func `a product is bought, and what can't be bought is refused at its field`() async throws {
        let console = try await SellerConsole()
        try await console.shop.account("ann")
        let bought = try await console.send("customers/ann/buy", ["product": "film.roll", "quantity": "2"])
        #expect(bought.redirect?.hasSuffix("/customers/ann") == true)
        let list = try await console.page("transactions", ["account": "ann"])
        #expect(list.tables.first?.rows.count == 1)
        for values in [["product": "retired"], ["product": "none"], ["product": "film.roll", "quantity": "0"]] {
            let page = try #require(try await console.send("customers/ann/buy", values).page)
            #expect(page.status == 422)
            #expect(page.errors.keys.contains("product"))
        }
    }

    @Test func `a refund is made once, reversed, and shown with sums of zero`() async throws {
        let console = try await SellerConsole()
        let sold = try await console.shop.buy("film.roll", as: "ann")
        let path = "transactions/\(sold.id)"
        #expect(try await console.send("\(path)/refund", ["percentage": "0"]).page?.status == 422)
        #expect(try await console.send("\(path)/refund", ["reason": "1"]).redirect != nil)
        let again = try #require(try await console.send("\(path)/refund").page)
        #expect(again.status == 422)
        let story = try await console.shop.store.transactions.story(of: sold.id, in: TestCatalog.bundleID)
        #expect(story.state == .refunded)
        #expect(story.sums.map(\.amount.milliunits).reduce(0, +) == 0)
        #expect(story.events.map(\.entry.kind) == [.purchased, .refunded])
        for wire in ["transaction", "receipt", "storeKit1"] {
            let page = try await console.page(path, ["wire": wire])
            #expect(page.tables.contains { $0.rows.count > 5 }, "\(wire)")
        }
        #expect(try await console.send("\(path)/reverse-refund").redirect != nil)
    }

    @Test func `a subscription is cancelled, resumed and extended`() async throws {
        let console = try await SellerConsole()
        let id = try await console.shop.buy("monthly", as: "ann").originalID
        let path = "customers/ann/subscriptions/\(id)"
        func subscription() async throws -> Subscription {
            try await console.shop.store.subscriptions.snapshot(of: id).subscription
        }
        #expect(try await console.send("\(path)/renewal", ["enabled": "false"]).redirect != nil)
        #expect(try await subscription().autoRenewStatus == 0)
        #expect(try await console.send("\(path)/renewal", ["enabled": "true"]).redirect != nil)
        #expect(try await subscription().autoRenewStatus == 1)
        let end = try await subscription().paidUntil
        let refused = try #require(try await console.send("\(path)/extend", ["days": "91"]).page)
        #expect(refused.errors.keys.contains("days"))
        #expect(try await console.send("\(path)/extend", ["days": "7", "reason": "1"]).redirect != nil)
        #expect(try await subscription().paidUntil > end)
        let list = try await console.page("subscriptions/list", ["status": "1"])
        #expect(list.tables.first?.rows.count == 1)
        let page = try await console.page("transactions/\(id)", ["wire": "renewal"])
        #expect(!page.tables.isEmpty)
    }

    @Test func `a tester's history is cleared only with the name`() async throws {
        let console = try await SellerConsole()
        try await console.shop.buy("filter.amber", as: "ann")
        #expect(try await console.send("customers/ann/clear", ["confirmation": "bob"]).page?.status == 422)
        #expect(try await console.send("customers/ann/clear", ["confirmation": "ann"]).redirect != nil)
        #expect(Self.timeline(of: try await console.page("customers/ann")).isEmpty)
    }

    @Test func `a payment method is changed, and a failed renewal tried again`() async throws {
        let console = try await SellerConsole()
        let id = try await console.shop.buy("monthly", as: "ann").originalID
        #expect(try await console.send("customers/ann/payment", ["method": "declined"]).redirect != nil)
        try await console.shop.advance(by: .days(32))
        let failed = try await console.shop.store.subscriptions.snapshot(of: id).subscription
        #expect(failed.isInBillingRetry == true || failed.hasEnded)
        #expect(try await console.send("customers/ann/payment", ["method": "valid"]).redirect != nil)
    }

    @Test func `another app's and another customer's things aren't found`() async throws {
        let console = try await SellerConsole()
        let lens = try await console.shop.buy("lens", as: "ann", app: TestCatalog.otherBundleID)
        let monthly = try await console.shop.buy("monthly", as: "ann").originalID
        try await console.shop.account("bob")
        for path in ["transactions/\(lens.id)", "transactions/1", "transactions/x", "customers/zoe"] {
            await #expect(throws: ConsoleError.self) { try await console.page(path) }
        }
        for path in ["customers/bob/subscriptions/\(monthly)/renewal", "transactions/\(lens.id)/refund"] {
            await #expect(throws: ConsoleError.self) { try await console.send(path) }
        }
    }
}
