import StoreKit
import StoreKitTest
import Testing

@Suite("Usage: StoreKit 2 in an app")
struct PurchaseTests {
    @Test("products have the configuration's values, and unknown ones are left out")
    func products() async throws {
        try await withMagazineStore { _ in
            let products = try await Product.products(for: [Magazine.film, Magazine.silver, Magazine.yearly, "unknown"])
            #expect(Set(products.map(\.id)) == [Magazine.film, Magazine.silver, Magazine.yearly])
            let film = try #require(products.first { $0.id == Magazine.film })
            #expect(film.type == .consumable)
            #expect(film.price == Decimal(string: "0.99"))
            #expect(film.displayPrice == "$0.99")
            #expect(film.priceFormatStyle.currencyCode == "USD")
            #expect(film.displayName == "Film roll")
            #expect(film.subscription == nil)
            #expect(products.first { $0.id == Magazine.silver }?.isFamilyShareable == true)
            let yearly = try #require(products.first { $0.id == Magazine.yearly }?.subscription)
            #expect(yearly.subscriptionPeriod == .yearly)
            #expect(yearly.subscriptionGroupID == Magazine.group)
            #expect(yearly.introductoryOffer?.paymentMode == .freeTrial)
            #expect(yearly.introductoryOffer?.period.unit == .week)
            #expect(yearly.introductoryOffer?.period.value == 2)
            #expect(try await Product.products(for: [String]()).isEmpty)
        }
    }

    @Test("a purchase gives a verified transaction with its facts")
    func purchase() async throws {
        try await withMagazineStore { _ in
            let token = UUID()
            let result = try await product(Magazine.film).purchase(options: [.appAccountToken(token), .quantity(2)])
            guard case .success(.verified(let transaction)) = result else {
                Issue.record("not bought: \(result)")
                return
            }
            #expect(transaction.productID == Magazine.film)
            #expect(transaction.originalID == transaction.id)
            #expect(transaction.purchasedQuantity == 2)
            #expect(transaction.appAccountToken == token)
            #expect(transaction.environment == .xcode)
            #expect(transaction.storefront.countryCode == "USA")
            #expect(transaction.reason == .purchase)
            #expect(transaction.ownershipType == .purchased)
            #expect(transaction.price == Decimal(string: "1.98") || transaction.price == Decimal(string: "0.99"))
            #expect(transaction.currency?.identifier == "USD")
            #expect(transaction.revocationDate == nil)
            await transaction.finish()
        }
    }

    @Test("a JWS has three parts and the payload that the transaction shows")
    func signature() async throws {
        try await withMagazineStore { session in
            try await session.buyProduct(identifier: Magazine.silver)
            let result = try #require(await StoreKit.Transaction.latest(for: Magazine.silver))
            #expect(result.jwsRepresentation.split(separator: ".").count == 3)
            #expect(result.payloadData == result.unsafePayloadValue.jsonRepresentation)
            #expect(result.signatureData.count == 64)
            let payload = try #require(try JSONSerialization.jsonObject(with: result.payloadData) as? [String: Any])
            #expect(payload["productId"] as? String == Magazine.silver)
            #expect(payload["environment"] as? String == "Xcode")
        }
    }

    @Test("the listener hears of purchases made elsewhere and of refunds")
    func listener() async throws {
        try await withMagazineStore { session in
            let library = PurchaseLibrary()
            await library.start()
            var events = library.events.makeAsyncIterator()
            let bought = try await session.buyProduct(identifier: Magazine.silver)
            #expect(await events.next() == .unlocked(Magazine.silver))
            try session.refundTransaction(identifier: UInt(bought.id))
            #expect(await events.next() == .revoked(Magazine.silver))
            #expect(await library.unlocked.isEmpty)
            await library.stop()
        }
    }

    @Test("entitlements are there at the next start; used up consumables are not")
    func entitlements() async throws {
        try await withMagazineStore { _ in
            let library = PurchaseLibrary()
            try await buy(Magazine.silver, in: library, expecting: .bought)
            try await buy(Magazine.film, in: library, expecting: .bought)
            try await buy(Magazine.monthly, in: library, expecting: .bought)
            let next = PurchaseLibrary()
            await next.start()
            #expect(await next.unlocked == [Magazine.silver, Magazine.monthly])
            await next.stop()
            var unfinished = 0
            for await _ in StoreKit.Transaction.unfinished { unfinished += 1 }
            #expect(unfinished == 0)
            var all: Set<String> = []
            for await result in StoreKit.Transaction.all { all.insert(result.unsafePayloadValue.productID) }
            #expect(all == [Magazine.silver, Magazine.monthly])
        }
    }

    @Test("Ask to Buy leaves a purchase pending until it is approved")
    func askToBuy() async throws {
        try await withMagazineStore { session in
            session.askToBuyEnabled = true
            let library = PurchaseLibrary()
            await library.start()
            var events = library.events.makeAsyncIterator()
            try await buy(Magazine.silver, in: library, expecting: .pending)
            let pending = try #require(session.allTransactions().first { $0.pendingAskToBuyConfirmation })
            try session.approveAskToBuyTransaction(identifier: pending.identifier)
            #expect(await events.next() == .unlocked(Magazine.silver))
            await library.stop()
        }
    }

    @Test("simulated errors arrive as StoreKit's, and end when they are cleared")
    func simulatedErrors() async throws {
        try await withMagazineStore { session in
            let silver = try await product(Magazine.silver)
            try await session.setSimulatedError(
                .generic(.networkError(URLError(.notConnectedToInternet))), forAPI: .loadProducts)
            await #expect(throws: StoreKitError.self) { try await Product.products(for: [Magazine.film]) }
            try await session.setSimulatedError(nil, forAPI: .loadProducts)
            #expect(try await Product.products(for: [Magazine.film]).count == 1)
            try await session.setSimulatedError(.purchase(.productUnavailable), forAPI: .purchase)
            await #expect(throws: Product.PurchaseError.productUnavailable) { try await silver.purchase() }
            try await session.setSimulatedError(nil, forAPI: .purchase)
            try await session.setSimulatedError(.verification(.invalidSignature), forAPI: .verification)
            let result = try await silver.purchase()
            guard case .success(.unverified(_, .invalidSignature)) = result else {
                Issue.record("not as simulated: \(result)")
                return
            }
        }
    }

    @Test("the app's own transaction and the storefront can be read")
    func environment() async throws {
        try await withMagazineStore { session in
            let app = try await AppTransaction.shared.payloadValue
            #expect(app.environment == .xcode)
            #expect(await Storefront.current?.countryCode == "USA")
            session.storefront = "DEU"
            #expect(await Storefront.current?.countryCode == "DEU")
            #expect(AppStore.canMakePayments)
            try await AppStore.sync()
        }
    }

    private func buy(
        _ id: String, in library: PurchaseLibrary, expecting expected: PurchaseLibrary.Outcome,
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await library.buy(product(id))
        #expect(outcome == expected, sourceLocation: location)
    }
}
