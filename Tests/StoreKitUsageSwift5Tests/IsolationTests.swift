import StoreKit
import StoreKitTest
import Testing

// As in Swift 6 mode: what compiles where a purchase is on the main actor compiles here.

@MainActor
protocol Sellable {
    func purchase(options: Set<Product.PurchaseOption>) async throws -> Product.PurchaseResult
}

extension Product: Sellable {}

@MainActor
final class PaywallModel {
    var buy: (@MainActor (Set<Product.PurchaseOption>) async throws -> Product.PurchaseResult)?
    private(set) var results = 0

    func tap() async throws {
        guard case .success? = try await buy?([]) else { return }
        results += 1
    }
}

actor Till {
    func take(_ product: Product) async throws -> Bool {
        if case .success = try await product.purchase() { return true }
        return false
    }
}

@Suite("Usage in Swift 5 mode: isolation of purchases")
struct IsolationTests {
    @Test("a requirement, a function, an actor and a detached task buy")
    func isolation() async throws {
        let session = try SKTestSession(contentsOf: ShopTests.configuration)
        try await session.withSession {
            let film = try #require(try await Product.products(for: ["com.example.photomag.film.roll"]).first)
            let sellable: any Sellable = film
            _ = try await sellable.purchase(options: [])
            let model = await PaywallModel()
            await MainActor.run { model.buy = film.purchase(options:) }
            try await model.tap()
            #expect(await model.results == 1)
            #expect(try await Till().take(film))
            _ = try await Task.detached { try await session.withSession { try await film.purchase() } }.value
        }
        #expect(session.allTransactions().count == 4)
    }
}
