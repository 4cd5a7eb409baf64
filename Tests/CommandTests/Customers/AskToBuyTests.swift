import Perennial
import PerennialStore
import TestSupport
import Testing

@testable import PerennialCommand

/// Ask to Buy, answered from the command line.
struct AskToBuyTests {
    @Test(arguments: [true, false])
    func `a pending purchase is listed, and answered once`(approved: Bool) async throws {
        try await RunningStore.run { store in
            let list = ["ask-to-buy", "list"] + store.access
            #expect(try await RunningStore.run(list).words == "No purchase waits for approval")
            let token = try await store.shop.signIn("child").token
            try await store.shop.store.askToBuy.request(
                PurchaseRequest(productID: Product.ID(rawValue: "film.roll"), quantity: 2), token: token)
            let waiting = try await RunningStore.run(list)
            let id = try #require(try JSONValue(waiting.json)["approvals"]?.elements?.first?["id"]?.text)
            let gap = String(repeating: " ", count: id.count)
            #expect(
                waiting.words == """
                    ID\(gap.dropLast(2))  ACCOUNT  PRODUCT    QUANTITY
                    \(id)  child    film.roll  2
                    """)
            let answered = try await store.run("ask-to-buy", approved ? "approve" : "decline", id)
            let bought = try JSONValue(answered.json)["transactionId"]?.text
            #expect((bought != nil) == approved)
            #expect(
                answered.words
                    == (bought.map { "\(id) is approved and bought: \($0)" } ?? "\(id) is answered: nothing is bought"))
            #expect(try await store.shop.count("transactions") == (approved ? 1 : 0))
            #expect(try await RunningStore.run(list).words == "No purchase waits for approval")
        }
    }

    @Test func `requests and interrupted purchases are listed page by page`() async throws {
        try await RunningStore.run { store in
            for number in 1...3 {
                try await store.shop.store.askToBuy.request(
                    PurchaseRequest(productID: Product.ID(rawValue: "film.roll"), quantity: number),
                    token: try await store.shop.signIn("child\(number)").token)
                _ = try await store.run("accounts", "create", "dan\(number)", "--interrupts-purchases")
                _ = try? await store.run("buy", "film.roll", "--account", "dan\(number)")
            }
            for (group, key) in [("ask-to-buy", "approvals"), ("interrupted", "interruptions")] {
                let all = try JSONValue(try await store.run(group, "list").json)
                let first = try await store.run(group, "list", "--limit", "2")
                let next = try #require(try JSONValue(first.json)["next"]?.text)
                #expect(first.words.hasSuffix("\n\nMore may follow: --after \(next)"))
                let second = try JSONValue(try await store.run(group, "list", "--limit", "2", "--after", next).json)
                let pages = try #require(try JSONValue(first.json)[key]?.elements) + (second[key]?.elements ?? [])
                #expect(pages == all[key]?.elements)
                #expect(pages.count == 3 && second["next"] == nil && all["next"] == nil)
            }
        }
    }

    @Test func `an unknown request can't be approved`() async throws {
        try await RunningStore.run { store in
            let line = try await store.error("ask-to-buy", "approve", "7")
            #expect(line.hasSuffix("(approvalNotFound)"))
        }
    }
}
