import StoreKit
import StoreKitTest
import Testing

// Calls that compile where a purchase is on the main actor, as Apple's is: each of them has to compile here.

/// An app's own view of a product, on the main actor.
@MainActor
protocol Purchasable {
    var displayName: String { get }
    func purchase(options: Set<Product.PurchaseOption>) async throws -> Product.PurchaseResult
}

extension Product: Purchasable {}

/// Holds a purchase as a function of the main actor, for a button.
@MainActor
struct BuyButton {
    let action: @MainActor (Set<Product.PurchaseOption>) async throws -> Product.PurchaseResult

    init(_ product: Product) {
        action = product.purchase(options:)
    }
}

/// Buys away from the main actor.
actor Cashier {
    private(set) var sold = 0

    func sell(_ product: Product) async throws {
        guard case .success(.verified(let transaction)) = try await product.purchase() else { return }
        sold += 1
        await transaction.finish()
    }
}

@Suite("Usage: isolation of purchases")
@MainActor
struct IsolationUsage {
    private func isBought(_ result: Product.PurchaseResult) -> Bool {
        if case .success(.verified) = result { true } else { false }
    }

    @Test("a requirement, a function, an actor and a detached task buy")
    func isolation() async throws {
        try await withMagazineStore { session in
            let film = try await product(Magazine.film)
            let hidden: any Purchasable = film
            #expect(try await isBought(hidden.purchase(options: [.quantity(2)])))
            #expect(hidden.displayName == film.displayName)
            #expect(try await isBought(BuyButton(film).action([])))
            let cashier = Cashier()
            try await cashier.sell(film)
            #expect(await cashier.sold == 1)
            let detached = Task.detached { try await session.withSession { try await film.purchase() } }
            #expect(try await isBought(detached.value))
            #expect(session.allTransactions().count == 4)
        }
    }
}
