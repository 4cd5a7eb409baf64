import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Testing

@Suite("Simulated errors")
struct SimulatedErrorTests {
    @Test("Loading products fails until the error is taken back")
    func loadProducts() async throws {
        try await Fixtures.withSession { session in
            let failure = SKTestFailures.LoadProducts.generic(.networkError(URLError(.notConnectedToInternet)))
            try await session.setSimulatedError(failure, forAPI: .loadProducts)
            #expect(await session.simulatedError(forAPI: .loadProducts) == failure)
            let error = await #expect(throws: StoreKitError.self) {
                try await Product.products(for: [Fixtures.film])
            }
            guard case .networkError(let cause) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(cause.code == .notConnectedToInternet)
            try await session.setSimulatedError(nil, forAPI: .loadProducts)
            #expect(await session.simulatedError(forAPI: .loadProducts) == nil)
            #expect(try await Product.products(for: [Fixtures.film]).count == 1)
        }
    }

    @Test("A purchase fails, charges nothing, and works again after a reset")
    func purchase() async throws {
        try await Fixtures.withSession { session in
            let product = try #require(try await Product.products(for: [Fixtures.silver]).first)
            try await session.setSimulatedError(.purchase(.productUnavailable), forAPI: .purchase)
            let error = await #expect(throws: Product.PurchaseError.self) { try await product.purchase() }
            #expect(error == .productUnavailable)
            #expect(session.allTransactions().isEmpty)
            session.resetToDefaultState()
            #expect(await session.simulatedError(forAPI: .purchase) == nil)
            guard case .success = try await product.purchase() else {
                Issue.record("not bought")
                return
            }
        }
    }

    @Test("Redeeming an offer code fails until the error is taken back")
    func redeemCode() async throws {
        try await Fixtures.withSession { session in
            let failure = SKTestFailures.OfferCodeRedeem.generic(.networkError(URLError(.timedOut)))
            try await session.setSimulatedError(failure, forAPI: .offerCodeRedeem)
            let error = await #expect(throws: StoreKitError.self) {
                try await session.connection.redeem(code: "UNKNOWN")
            }
            guard case .networkError(let cause) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(cause.code == .timedOut)
            try await session.setSimulatedError(nil, forAPI: .offerCodeRedeem)
            // The store's own answer.
            await #expect(throws: SKError.self) { try await session.connection.redeem(code: "UNKNOWN") }
        }
    }

    @Test("An error of the subscriptions' sheet is kept, and affects nothing else")
    func manageSubscriptions() async throws {
        try await Fixtures.withSession { session in
            let failure = StoreKitError.networkError(URLError(.timedOut))
            try await session.setSimulatedError(.generic(failure), forAPI: .manageSubscriptions)
            guard case .generic(.networkError(let cause)) = await session.simulatedError(forAPI: .manageSubscriptions)
            else {
                Issue.record("not kept")
                return
            }
            #expect(cause.code == .timedOut)
            let product = try #require(try await Product.products(for: [Fixtures.monthly]).first)
            guard case .success = try await product.purchase() else {
                Issue.record("not bought")
                return
            }
            #expect(try await product.subscription?.status.count == 1)
            try await session.setSimulatedError(nil, forAPI: .manageSubscriptions)
            #expect(await session.simulatedError(forAPI: .manageSubscriptions) == nil)
        }
    }

    @Test("A transaction that doesn't verify")
    func verification() async throws {
        try await Fixtures.withSession { session in
            let product = try #require(try await Product.products(for: [Fixtures.silver]).first)
            try await session.setSimulatedError(.verification(.invalidSignature), forAPI: .verification)
            guard case .success(.unverified(_, .invalidSignature)) = try await product.purchase() else {
                Issue.record("verified")
                return
            }
            try await session.setSimulatedError(nil, forAPI: .verification)
            guard case .verified = await Transaction.latest(for: Fixtures.silver) else {
                Issue.record("unverified")
                return
            }
        }
    }

    @Test("Equality is of case and error")
    func equality() {
        typealias Failure = SKTestFailures.Purchase
        #expect(Failure.generic(.userCancelled) == .generic(.userCancelled))
        #expect(Failure.generic(.userCancelled) != .generic(.unknown))
        #expect(Failure.generic(.networkError(URLError(.timedOut))) == .generic(.networkError(URLError(.timedOut))))
        #expect(Failure.generic(.networkError(URLError(.timedOut))) != .generic(.networkError(URLError(.badURL))))
        #expect(Failure.purchase(.invalidQuantity) != .purchase(.productUnavailable))
        #expect(Failure.purchase(.invalidQuantity) != .generic(.unknown))
    }
}
