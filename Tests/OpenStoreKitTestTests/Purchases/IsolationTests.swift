import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Testing

@Suite("Sessions side by side")
struct IsolationTests {
    @Test("Two sessions of one file don't see each other's purchases")
    func purchases() async throws {
        let (one, other) = (try Fixtures.session(), try Fixtures.session())
        let bought = try await one.buyProduct(identifier: Fixtures.silver)
        #expect(one.allTransactions().map(\.identifier) == [UInt(bought.id)])
        #expect(other.allTransactions().isEmpty)
        await one.withSession {
            #expect(await Transaction.latest(for: Fixtures.silver) != nil)
        }
        await other.withSession {
            #expect(await Transaction.latest(for: Fixtures.silver) == nil)
        }
    }

    @Test("One bundle ID with two files has two catalogs")
    func files() async throws {
        let place = try TemporaryFolder()
        let cheap = try place.write(configuration(product: "thing", price: "0.99"), to: "one/Shop.storekit")
        let dear = try place.write(configuration(product: "thing", price: "9.99"), to: "two/Shop.storekit")
        let sessions = try [cheap, dear].map {
            try SKTestSession(contentsOf: $0, bundleIdentifier: "com.example.shop")
        }
        for (session, price) in zip(sessions, ["0.99", "9.99"]) {
            try await session.withSession {
                let product = try #require(try await Product.products(for: ["thing"]).first)
                #expect(product.price == Decimal(string: price))
                let transaction = try await session.buyProduct(identifier: "thing")
                #expect(transaction.appBundleID == "com.example.shop")
                #expect(transaction.price == Decimal(string: price))
            }
        }
    }

    @Test("A hundred sessions buy at once", .timeLimit(.minutes(2)))
    func many() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let session = try Fixtures.session()
                    try await session.withSession {
                        let product = try #require(try await Product.products(for: [Fixtures.film]).first)
                        for _ in 0...(number % 3) { _ = try await product.purchase() }
                        #expect(session.allTransactions().count == number % 3 + 1)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("Settings and clocks are a session's own")
    func settings() async throws {
        let (one, other) = (try Fixtures.session(), try Fixtures.session())
        one.storefront = "DEU"
        try one.clock.advance(by: .seconds(86_400))
        #expect(other.storefront == "USA")
        #expect(one.clock.now.timeIntervalSince(other.clock.now) > 86_000)
        try await one.setSimulatedError(.generic(.unknown), forAPI: .loadProducts)
        #expect(await other.simulatedError(forAPI: .loadProducts) == nil)
        try await other.withSession {
            let products = try await Product.products(for: [Fixtures.film])
            #expect(products.count == 1)
        }
    }
}
