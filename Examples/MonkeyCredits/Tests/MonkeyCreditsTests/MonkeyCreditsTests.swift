import StoreKit
import StoreKitTest
import Testing

@testable import MonkeyCredits

/// Each test has a store of its own, so they run side by side.
struct MonkeyCreditsTests {
    private static let hundred = "com.example.monkey.credits.100"

    let session: SKTestSession

    init() throws {
        session = try SKTestSession(configurationFileNamed: "MonkeyCredits")
        session.disableDialogs = true
    }

    @Test func `credits arrive once, and are spent by the word`() async throws {
        try await session.withSession {
            let wallet = try Wallet()
            let shop = Shop(wallet: wallet)
            #expect(try await shop.products().map(\.displayPrice) == ["$0.99", "$3.99", "$9.99"])
            #expect(try await shop.buy(Self.hundred, quantity: 2))
            #expect(wallet.credits == 200)
            // Delivered again, as after a restart: nothing changes.
            try await shop.deliverUnfinished()
            #expect(wallet.credits == 200)
            var monkey = Monkey(wallet: wallet, seed: 1)
            let poem = try monkey.write(words: 150)
            #expect(poem != poem.uppercased())
            #expect(wallet.credits == 50)
            #expect(throws: PurchaseVaultError.self) { try monkey.write(words: 51) }
            #expect(wallet.credits == 50)
        }
    }

    @Test func `a purchase outside of the app is delivered at the next launch`() async throws {
        try await session.withSession {
            let wallet = try Wallet()
            try await session.buyProduct(identifier: Self.hundred)
            #expect(wallet.credits == 0)
            try await Shop(wallet: wallet).deliverUnfinished()
            #expect(wallet.credits == 100)
            for await _ in Transaction.unfinished { Issue.record("the purchase is finished") }
        }
    }

    @Test func `a crash between crediting and finishing credits once`() async throws {
        try await session.withSession {
            let wallet = try Wallet()
            let transaction = try await session.buyProduct(identifier: Self.hundred)
            // The app credits, and ends before it finishes.
            try wallet.credit(transaction)
            try await Shop(wallet: Wallet()).deliverUnfinished()
            #expect(wallet.credits == 100)
        }
    }

    @Test func `a refund takes the credits back`() async throws {
        try await session.withSession {
            let wallet = try Wallet()
            #expect(try await Shop(wallet: wallet).buy(Self.hundred))
            let transaction = try #require(session.allTransactions().first)
            try session.refundTransaction(identifier: transaction.identifier)
            // The next answer of the store brings it.
            for await _ in Transaction.all {}
            #expect(wallet.credits == 0)
        }
    }

    @Test func `a purchase that waits for approval is delivered when it is approved`() async throws {
        try await session.withSession {
            session.askToBuyEnabled = true
            let wallet = try Wallet()
            let shop = Shop(wallet: wallet)
            await #expect(throws: MonkeyError.self) { try await shop.buy(Self.hundred) }
            let pending = try #require(session.allTransactions().first { $0.pendingAskToBuyConfirmation })
            try session.approveAskToBuyTransaction(identifier: pending.identifier)
            try await shop.deliverUnfinished()
            #expect(wallet.credits == 100)
        }
    }

    @Test func `the golden typewriter is written in capitals`() async throws {
        try await session.withSession {
            let wallet = try Wallet()
            let shop = Shop(wallet: wallet)
            #expect(try await shop.buy(Self.hundred))
            #expect(try await shop.buy(Shop.typewriter))
            var monkey = Monkey(wallet: wallet, seed: 1)
            let poem = try monkey.write(words: 20)
            #expect(poem == poem.uppercased())
        }
    }

    @Test func `without a network nothing is charged`() async throws {
        try await session.withSession {
            let wallet = try Wallet()
            let error = StoreKitError.networkError(URLError(.notConnectedToInternet))
            try await session.setSimulatedError(.generic(error), forAPI: .purchase)
            await #expect(throws: StoreKitError.self) { try await Shop(wallet: wallet).buy(Self.hundred) }
            #expect(session.allTransactions().isEmpty)
            #expect(wallet.credits == 0)
        }
    }
}
