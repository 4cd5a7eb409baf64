import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// The contents of app receipts. AppStoreFormatsTests has their bytes.
struct AppReceiptTests {
    @Test(arguments: Engine.allCases)
    func `a receipt holds consumables until finished, others for good`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let products = ["film.roll", "filter.amber", "pass.1week", "newsletter", "monthly"]
        var bought: [Transaction] = []
        for product in products { bought.append(try await shop.buy(product, as: "ann")) }
        #expect(Set(try await listed(shop)) == Set(products))
        for transaction in bought { try await shop.finish(transaction, as: "ann") }
        #expect(Set(try await listed(shop)) == Set(products.dropFirst()))
        #expect(try await listed(shop, account: "ben") == [])
    }

    @Test func `a receipt's purchases have all attributes`() async throws {
        let shop = try await TestStore.make()
        let film = try await shop.buy("film.roll", quantity: 4, as: "ann")
        let monthly = try await shop.buy("monthly", as: "ann")
        let receipt = try await shop.readReceipt(of: "ann")
        let first = try #require(receipt.purchases.first { $0.productID == "film.roll" })
        #expect(first.quantity == 4)
        #expect(first.transactionID == film.id.description)
        #expect(first.originalTransactionID == film.id.description)
        #expect(first.purchaseDate == film.purchaseDate.date)
        #expect(first.productType == .consumable)
        #expect((first.expiresDate, first.webOrderLineItemID) == (nil, nil))
        let second = try #require(receipt.purchases.first { $0.productID == "monthly" })
        #expect(second.productType == .autoRenewableSubscription)
        #expect(second.expiresDate == monthly.expiresDate?.date)
        #expect(second.webOrderLineItemID == monthly.webOrderLineItemID)
        #expect((second.isTrialPeriod, second.isInIntroOfferPeriod) == (false, false))
    }

    @Test func `a receipt holds a repeated non-consumable once`() async throws {
        let shop = try await TestStore.make()
        let first = try await shop.buyAndFinish("filter.amber", as: "ann")
        shop.clock.advance(by: .days(1))
        let again = try await shop.buy("filter.amber", as: "ann")
        let purchases = try await shop.readReceipt(of: "ann").purchases
        #expect(purchases.map(\.transactionID) == [again.id.description])
        #expect(purchases.map(\.originalTransactionID) == [first.id.description])
        #expect(purchases.map(\.originalPurchaseDate) == [first.purchaseDate.date])
    }

    static let refunds: [(product: String, reason: Transaction.Revocation.Reason, shown: Int64?)] = [
        ("filter.amber", .issueWithApp, 1), ("filter.amber", .other, 0), ("pass.1week", .other, 0),
        ("monthly", .issueWithApp, 1), ("newsletter", .other, 0),
        // Consumables are used up: Apple's receipts never show their refunds.
        ("film.roll", .issueWithApp, nil),
    ]

    @Test(arguments: refunds)
    func `a receipt shows a refund's date and reason`(
        product: String, reason: Transaction.Revocation.Reason, shown: Int64?
    ) async throws {
        let shop = try await TestStore.make()
        let sold = try await shop.buy(product, as: "ann")
        #expect(try await shop.readReceipt(of: "ann").purchases.first?.cancellationDate == nil)
        shop.clock.advance(by: .minutes(1))
        try await shop.refund(sold, reason: reason)
        let purchase = try #require(try await shop.readReceipt(of: "ann").purchases.first)
        #expect(purchase.cancellationReason == shown)
        #expect(purchase.cancellationDate == (shown == nil ? nil : shop.clock.now.wholeSeconds.date))
    }

    @Test func `a receipt is bound to its device`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("filter.amber", as: "ann")
        for device in TestDevice.allCases {
            let receipt = try await shop.readReceipt(of: "ann", on: device)
            for other in TestDevice.allCases {
                #expect(receipt.belongs(toDevice: other.identifier) == (device == other))
            }
        }
    }

    @Test func `Sandbox receipts have Sandbox's constants`() async throws {
        let shop = try await TestStore.make()
        let phone = try await shop.signIn("ann")
        let receipt = try TestSigning.shared.receiptVerifier.verify(
            try await shop.store.receipts.appReceipt(for: phone.customer))
        #expect(receipt.receiptType == .productionSandbox)
        #expect((receipt.appItemID, receipt.downloadID, receipt.versionExternalIdentifier) == (0, 0, 0))
        #expect(receipt.bundleID == "com.example.magazine")
        #expect(receipt.applicationVersion == "2.1.7")
        #expect(receipt.originalApplicationVersion == "1.0")
        #expect(receipt.originalPurchaseDate == Date(timeIntervalSince1970: 1_375_340_400))
        #expect(receipt.creationDate == TestStore.opening.wholeSeconds.date)
        #expect(receipt.opaqueValue.count == 16)
        #expect((54...72).contains(receipt.opaqueAttribute6.count))
        #expect((54...72).contains(receipt.opaqueAttribute7.count))
    }

    @Test func `Production receipts name the app`() async throws {
        let shop = try await TestStore.make(on: .sqliteInMemory, "Production")
        try await shop.buy("filter.amber", as: "ann")
        let receipt = try await shop.readReceipt(of: "ann")
        #expect(receipt.receiptType == .production)
        #expect(receipt.appItemID == 1_234_567)
        #expect(receipt.originalPurchaseDate == TestStore.opening.wholeSeconds.date)
    }

    @Test(arguments: Engine.allCases)
    func `a receipt is signed once for each state of the purchases`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let film = try await shop.buy("film.roll", as: "ann")
        let first = try await shop.receipt(of: "ann")
        shop.clock.advance(by: .days(1))
        // The same bytes a day later: it was stored, with its old creation date.
        #expect(try await shop.receipt(of: "ann") == first)
        let other = try await shop.receipt(of: "ann", on: .tablet)
        #expect(other != first)
        #expect(try await shop.count("signed_receipts") == 2)
        try await shop.finish(film, as: "ann")
        #expect(try await shop.receipt(of: "ann") != first)
        #expect(try await shop.count("signed_receipts") == 2)
        // Other customers' purchases don't matter.
        try await shop.buy("film.roll", as: "ben")
        let second = try await shop.receipt(of: "ann")
        shop.clock.advance(by: .days(1))
        #expect(try await shop.receipt(of: "ann") == second)
    }

    @Test(arguments: Engine.allCases)
    func `two nodes write the same receipt of the same purchases`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        try await shop.buy("filter.amber", as: "ann")
        let first = try await shop.receipt(of: "ann")
        try await shop.database.write { try $0.execute("DELETE FROM signed_receipts", []) }
        let node = try await TestStore.open(shop.database, seed: 2)
        #expect(try await node.receipt(of: "ann") == first)
    }

    @Test func `an older receipt never replaces a newer one`() async throws {
        let shop = try await TestStore.make()
        let ann = try await shop.customer("ann").key
        try await shop.database.write { connection in
            try SignedReceiptsTable.keep([2], of: ann, device: "d", revision: 2, on: connection)
            try SignedReceiptsTable.keep([1], of: ann, device: "d", revision: 1, on: connection)
            #expect(try SignedReceiptsTable.receipt(of: ann, device: "d", revision: 2, on: connection) == [2])
            #expect(try SignedReceiptsTable.receipt(of: ann, device: "d", revision: 1, on: connection) == nil)
        }
    }

    private func listed(_ shop: TestStore, account: String = "ann") async throws -> [String] {
        try await shop.readReceipt(of: account).purchases.map(\.productID)
    }
}
