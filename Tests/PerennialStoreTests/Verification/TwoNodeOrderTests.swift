import Foundation
import Perennial
import PerennialStore
import TestSupport
import Testing

/// The order of purchases across nodes: it follows the journal, not the IDs. Each node has a block of IDs, so a renewal on
/// one node may have a smaller ID than the purchase on the other.
struct TwoNodeOrderTests {
    /// Two nodes on one database. The first one's block of IDs is below the second one's.
    private struct Nodes {
        let first: TestStore
        let second: TestStore

        init(on engine: Engine, sender: RecordingReceiver? = nil) async throws {
            let database = try engine.makeDatabase()
            let node = try await TestStore.open(database, sender: sender)
            let other = try await TestStore.open(database, sender: sender, seed: 2)
            _ = try await node.registry.makeEnvironment(
                "lab", kind: .production, clock: .manual, now: NotifyingShop.start)
            (first, second) = (try await node.environment("lab"), try await other.environment("lab"))
            try await first.buy("film.roll", as: "carl")
            try await second.buy("film.roll", as: "dora")
        }

        /// Creates a subscription that the second node sold and the first renewed.
        func renewed(_ account: String) async throws -> (sold: Transaction, renewal: Transaction) {
            let sold = try await second.buy("monthly", as: account)
            _ = try await first.store.clock.advance(by: CalendarDuration(iso8601: "P1M"))
            let page = try await first.store.transactions.unfinished(of: first.customer(account))
            let renewal = try #require(page.transactions.first { $0.id != sold.id })
            try #require(renewal.id < sold.id, "the blocks of IDs are not as this test needs them")
            return (sold, renewal)
        }
    }

    @Test(arguments: Engine.lasting)
    func `an active subscriber's old receipt is valid on both nodes`(engine: Engine) async throws {
        let nodes = try await Nodes(on: engine)
        let (sold, renewal) = try await nodes.renewed("ann")
        let receipt = try await nodes.second.transactionReceipt(of: sold, as: "ann")
        for node in [nodes.first, nodes.second] {
            let answer = try await node.verify(receipt, password: TestCatalog.sharedSecret)
            #expect(answer["status"] == 0)
            #expect(answer["latest_receipt_info"]?["transaction_id"] == .string(renewal.id.description))
            #expect(answer["auto_renew_status"] == 1)
        }
    }

    @Test(arguments: Engine.lasting)
    func `unfinished and restored transactions come in purchase order`(engine: Engine) async throws {
        let nodes = try await Nodes(on: engine)
        let (sold, renewal) = try await nodes.renewed("ann")
        let customer = try await nodes.first.customer("ann")
        #expect(
            try await nodes.first.store.transactions.unfinished(of: customer).transactions.map(\.id) == [
                sold.id, renewal.id,
            ])
        for transaction in [sold, renewal] { try await nodes.first.finish(transaction, as: "ann") }
        #expect(try await nodes.second.restore("ann").map(\.original.id) == [sold.id, renewal.id])
        let receipt = try await nodes.first.receipt(of: "ann")
        let answer = try await nodes.first.verify(
            receipt, password: TestCatalog.sharedSecret, excludesOldTransactions: true)
        #expect(answer["latest_receipt_info"]?.elements?.first?["transaction_id"] == .string(renewal.id.description))
    }

    /// Goal: a non-consumable that is bought again appears once, in its newest form.
    @Test(arguments: Engine.lasting)
    func `the newest purchase of a non-consumable is listed`(engine: Engine) async throws {
        let nodes = try await Nodes(on: engine)
        let sold = try await nodes.second.buyAndFinish("filter.amber", as: "ann")
        let again = try await nodes.first.buyAndFinish("filter.amber", as: "ann")
        #expect(again.id < sold.id)
        let listed = try await nodes.first.verify(try await nodes.first.receipt(of: "ann"))["receipt"]?["in_app"]
        #expect(listed?.elements?.map { $0["transaction_id"] } == [.string(again.id.description)])
    }

    /// Goal: version 1 sends `INTERACTIVE_RENEWAL` if a customer returns to another product than the last.
    @Test(arguments: Engine.lasting)
    func `a resubscription is compared with the last product`(engine: Engine) async throws {
        let receiver = RecordingReceiver()
        let nodes = try await Nodes(on: engine, sender: receiver)
        let (sold, _) = try await nodes.renewed("ann")
        _ = try await nodes.first.store.subscriptions.perform(.change(Product.ID(rawValue: "yearly")), on: sold.id)
        _ = try await nodes.first.store.subscriptions.perform(.expire, on: sold.id)
        try await nodes.first.store.notifications.configure(
            NotificationSettings(url: "https://example.com/hook", version: .one), of: TestCatalog.bundleID)
        receiver.forget()
        // The last product was the year, sold by the first node; the month, sold by the second, has the larger ID.
        try await nodes.second.buy("yearly", as: "ann")
        try await nodes.second.store.notifications.sendDue()
        let types = try receiver.deliveries.map { try JSONValue($0.body)["notification_type"] }
        #expect(types == ["DID_CHANGE_RENEWAL_STATUS"])
    }
}
