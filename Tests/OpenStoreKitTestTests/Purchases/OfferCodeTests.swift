import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Testing

@Suite("Offer codes in a session", .timeLimit(.minutes(1)))
struct OfferCodeTests {
    private struct Sheet: StoreConnection.CodeRedemptionSheet {
        let entered: String?
        func code() async -> String? { entered }
    }

    @Test("The reference name of an offer redeems it, also without StoreKit 1")
    func redeem() async throws {
        try await Fixtures.withSession(of: Fixtures.offers) { session in
            var updates = Transaction.updates.makeAsyncIterator()
            try await session.connection.redeem(code: "Free month")
            let bought = try #require(await updates.next()).payloadValue
            #expect(bought.productID == Fixtures.monthly)
            #expect(bought.offer?.type == .code && bought.offer?.id == "Free month")
            #expect(bought.price == 0)
            #expect(session.allTransactions().count == 1)
        }
    }

    @Test("The app's sheet redeems for its observer, and cancels without a code")
    func sheet() async throws {
        try await Fixtures.withSession(of: Fixtures.offers) { session in
            try await withQueue(of: session) { queue, observer in
                session.codeRedemptionSheet = Sheet(entered: nil)
                queue.presentCodeRedemptionSheet()
                session.codeRedemptionSheet = Sheet(entered: "Free month")
                queue.presentCodeRedemptionSheet()
                let update = try #require(await observer.next())
                #expect(update.productID == Fixtures.monthly && update.state == .purchased)
                #expect(try await Transaction.latest(for: Fixtures.monthly)?.payloadValue.offer?.type == .code)
            }
        }
    }

    @Test("An offer for others, an unknown code and a second use are refused")
    func refused() async throws {
        try await Fixtures.withSession(of: Fixtures.offers) { session in
            for code in ["For the lost", "No such code"] {
                await #expect(throws: SKError.self) { try await session.connection.redeem(code: code) }
            }
            #expect(session.allTransactions().isEmpty)
            try await session.connection.redeem(code: "Free month")
            await #expect(throws: SKError.self) { try await session.connection.redeem(code: "Free month") }
            #expect(session.allTransactions().count == 1)
            try session.expireSubscription(productIdentifier: Fixtures.monthly)
            try await session.connection.redeem(code: "For the lost")
            #expect(try await Transaction.latest(for: Fixtures.monthly)?.payloadValue.offer?.id == "For the lost")
        }
    }
}
