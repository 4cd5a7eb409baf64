import StoreKit
import StoreKitTest
import Testing

@Suite("Usage: StoreKit 1 in an app")
@MainActor
struct PurchaseControllerTests {
    @Test("a request loads products and names the unknown ones")
    func productsRequest() async throws {
        try await withMagazineStore { _ in
            let response = try await ProductLoader().load([Magazine.film, Magazine.monthly, "com.example.unknown"])
            #expect(Set(response.products.map(\.productIdentifier)) == [Magazine.film, Magazine.monthly])
            #expect(response.invalidProductIdentifiers == ["com.example.unknown"])
            let film = try #require(response.products.first { $0.productIdentifier == Magazine.film })
            #expect(film.price == NSDecimalNumber(string: "0.99"))
            #expect(film.localizedTitle == "Film roll")
            let formatter = NumberFormatter()
            formatter.numberStyle = .currency
            formatter.locale = film.priceLocale
            #expect(formatter.string(from: film.price) == "$0.99")
            let magazine = try #require(response.products.first { $0.productIdentifier == Magazine.monthly })
            #expect(magazine.subscriptionPeriod?.unit == .month)
            #expect(magazine.subscriptionPeriod?.numberOfUnits == 1)
            #expect(magazine.introductoryPrice?.paymentMode == .freeTrial)
            #expect(magazine.introductoryPrice?.subscriptionPeriod.unit == .week)
            #expect(magazine.discounts.map(\.identifier) == ["return-half-price"])
            #expect(magazine.subscriptionGroupIdentifier == Magazine.group)
        }
    }

    @Test("a purchase is delivered once and leaves the queue")
    func purchase() async throws {
        try await withMagazineStore { session in
            let film = try await load(Magazine.film)
            let controller = PurchaseController()
            defer { controller.close() }
            var events = controller.events.makeAsyncIterator()
            controller.buy(film, quantity: 3)
            #expect(await events.next() == .bought(Magazine.film))
            #expect(controller.films == 3)
            #expect(session.allTransactions().map(\.productIdentifier) == [Magazine.film])
            #expect(session.allTransactions().map(\.state) == [.purchased])
        }
    }

    @Test("restoring brings back what was bought before, and then ends")
    func restore() async throws {
        try await withMagazineStore { session in
            try await session.buyProduct(identifier: Magazine.silver)
            for await result in StoreKit.Transaction.unfinished { await result.unsafePayloadValue.finish() }
            let controller = PurchaseController()
            defer { controller.close() }
            var events = controller.events.makeAsyncIterator()
            controller.restore()
            #expect(await events.next() == .restored(Magazine.silver))
            #expect(await events.next() == .restoreEnded)
            #expect(controller.unlocked == [Magazine.silver])
        }
    }

    @Test("restoring without a network fails, and works afterwards")
    func restoreOffline() async throws {
        try await withMagazineStore { session in
            let connection = StoreConnection(
                baseURL: try #require(URL(string: "http://127.0.0.1:9/")), bundleID: session.bundleIdentifier,
                account: "ann@example.com", deviceID: UUID(),
                storageFolder: FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString))
            defer { try? FileManager.default.removeItem(at: connection.storageFolder) }
            let controller = PurchaseController(queue: connection.paymentQueue)
            defer { controller.close() }
            var events = controller.events.makeAsyncIterator()
            controller.restore()
            #expect(await events.next() == .restoreFailed(.unknown))
        }
    }

    @Test("a purchase that a parent approves arrives later")
    func askToBuy() async throws {
        try await withMagazineStore { session in
            let silver = try await load(Magazine.silver)
            session.askToBuyEnabled = true
            let controller = PurchaseController()
            defer { controller.close() }
            var events = controller.events.makeAsyncIterator()
            controller.buy(silver)
            #expect(await events.next() == .waitsForApproval(Magazine.silver))
            let pending = try #require(session.allTransactions().first { $0.pendingAskToBuyConfirmation })
            try session.approveAskToBuyTransaction(identifier: pending.identifier)
            #expect(await events.next() == .bought(Magazine.silver))
        }
    }

    @available(*, deprecated, message: "Uses the failures of StoreKit 1 that StoreKitTest deprecates.")
    @Test("a failed payment says why")
    func failure() async throws {
        try await withMagazineStore { session in
            let silver = try await load(Magazine.silver)
            session.failTransactionsEnabled = true
            session.failureError = .invalidSignature
            let controller = PurchaseController()
            defer { controller.close() }
            var events = controller.events.makeAsyncIterator()
            controller.buy(silver)
            #expect(await events.next() == .failed(Magazine.silver, .invalidSignature))
            #expect(controller.unlocked.isEmpty)
        }
    }

    @Test("a refund takes the entitlement away")
    func refund() async throws {
        try await withMagazineStore { session in
            let silver = try await load(Magazine.silver)
            let controller = PurchaseController()
            defer { controller.close() }
            var events = controller.events.makeAsyncIterator()
            controller.buy(silver)
            #expect(await events.next() == .bought(Magazine.silver))
            try session.refundTransaction(identifier: session.identifier(of: Magazine.silver))
            #expect(await events.next() == .revoked([Magazine.silver]))
            #expect(controller.unlocked.isEmpty)
        }
    }

    @Test("a purchase made outside the app reaches its observer")
    func purchaseElsewhere() async throws {
        try await withMagazineStore { session in
            let controller = PurchaseController()
            defer { controller.close() }
            var events = controller.events.makeAsyncIterator()
            try await session.buyProduct(identifier: Magazine.amber)
            #expect(await events.next() == .bought(Magazine.amber))
        }
    }

    @Test("refreshing the receipt ends")
    func receipt() async throws {
        try await withMagazineStore { session in
            try await session.buyProduct(identifier: Magazine.silver)
            try await ReceiptRefresher().refresh()
        }
    }

    private func load(_ identifier: String) async throws -> SKProduct {
        try #require(try await ProductLoader().load([identifier]).products.first)
    }
}
