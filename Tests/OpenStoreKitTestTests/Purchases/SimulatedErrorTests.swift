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

    @available(*, deprecated, message: "tests deprecated API")
    @Test(
        "Failing transactions throw StoreKit 2's errors",
        arguments: [
            (SKError.Code.invalidSignature, Product.PurchaseError.invalidOfferSignature),
            (.invalidOfferIdentifier, .invalidOfferIdentifier), (.missingOfferParams, .missingOfferParameters),
            (.invalidOfferPrice, .invalidOfferPrice),
        ])
    func failingTransactions(code: SKError.Code, thrown: Product.PurchaseError) async throws {
        try await Fixtures.withSession { session in
            let product = try #require(try await Product.products(for: [Fixtures.silver]).first)
            session.failTransactionsEnabled = true
            let unknown = await #expect(throws: StoreKitError.self) { try await product.purchase() }
            guard case .unknown = unknown else {
                Issue.record("\(String(describing: unknown))")
                return
            }
            session.failureError = code
            let error = await #expect(throws: Product.PurchaseError.self) { try await product.purchase() }
            #expect(error == thrown)
            #expect(session.allTransactions().isEmpty)
        }
    }

    @available(*, deprecated, message: "tests deprecated API")
    @Test("A payment that is cancelled is no error of StoreKit 2")
    func cancelledTransactions() async throws {
        try await Fixtures.withSession { session in
            let product = try #require(try await Product.products(for: [Fixtures.silver]).first)
            session.failTransactionsEnabled = true
            session.failureError = .paymentCancelled
            let result = try await product.purchase()
            guard case .userCancelled = result else {
                Issue.record("\(result)")
                return
            }
            #expect(session.allTransactions().isEmpty)
        }
    }

    // MARK: Errors of the configuration file

    private func session(_ errors: [String], in place: TemporaryFolder) throws -> SKTestSession {
        let settings = #"{"_storeKitErrors": [\#(errors.joined(separator: ","))]}"#
        let text = configuration(product: Fixtures.film, settings: settings)
        return try SKTestSession(contentsOf: try place.write(text, to: "Errors.storekit"))
    }

    @Test("Errors that the file switches on are thrown until the session changes them")
    func errorsOfTheFile() async throws {
        let place = try TemporaryFolder()
        let session = try session(
            [
                #"{"current": {"index": 2, "type": "generic"}, "enabled": true, "name": "Load Products"}"#,
                #"{"current": {"index": 1, "type": "purchase"}, "enabled": true, "name": "Purchase"}"#,
                #"{"current": {"index": 1, "type": "generic"}, "enabled": false, "name": "App Store Sync"}"#,
                #"{"enabled": true, "name": "App Transaction"}"#,
                #"{"current": {"index": 99, "type": "verification"}, "enabled": true, "name": "Verification"}"#,
                #"{"current": null, "enabled": true, "name": "Of a later version"}"#,
            ], in: place)
        try await session.withSession {
            for _ in 0..<2 {
                let failure = await session.simulatedError(forAPI: .loadProducts)
                guard case .generic(.networkError) = failure else {
                    Issue.record("\(String(describing: failure))")
                    return
                }
                await #expect(throws: StoreKitError.self) { try await Product.products(for: [Fixtures.film]) }
                try await session.setSimulatedError(nil, forAPI: .loadProducts)
                let product = try #require(try await Product.products(for: [Fixtures.film]).first)
                let error = await #expect(throws: Product.PurchaseError.self) { try await product.purchase() }
                #expect(error == .productUnavailable)
                await #expect(throws: StoreKitError.self) { try await AppTransaction.shared }
                try await AppStore.sync()
                try await session.setSimulatedError(nil, forAPI: .purchase)
                guard case .success(.unverified(_, .revokedCertificate)) = try await product.purchase() else {
                    Issue.record("verified")
                    return
                }
                session.resetToDefaultState()
            }
        }
    }
}
