import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Changes of transactions by the seller's server, app transactions and orders.
struct TransactionChangesTests {
    private static let token = UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 0xFF))
    private let app = TestCatalog.magazine()

    @Test(arguments: Engine.allCases)
    func `setting an app account token covers past and future periods`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let seller = try await Seller(of: shop)
        let sold = try await shop.buy("monthly", as: "ann")
        let other = try await shop.buy("filter.amber", as: "ann")
        try await shop.advance(by: .minutes(6))
        let before = try await seller.history(of: sold.id)
        try await shop.store.transactions.setAppAccountToken(Self.token, of: sold.id, in: app)
        let after = try await seller.history(of: sold.id)
        #expect(after.ids.first == other.id, "what has changed has moved behind what hasn't")
        #expect(Set(after.ids) == Set(before.ids))
        try await shop.advance(by: .minutes(5))
        let now = try await seller.history(of: sold.id)
        #expect(now.ids.count > after.ids.count)
        for id in now.ids {
            let payload = try seller.payload(try await seller.text(of: id))
            #expect(payload.appAccountToken == (id == other.id ? nil : Self.token))
        }
        let statuses = try await shop.store.history.subscriptionStatuses(ofCustomerOf: sold.id, [], for: seller.caller)
        let item = try #require(statuses.groups.first?.items.first)
        #expect(try seller.renewalInfo(item.signedRenewalInfo).appAccountToken == Self.token)
        #expect(try await shop.sumOfPostings().values.allSatisfy { $0 == 0 })
    }

    @Test func `setting an app account token requires the original transaction`() async throws {
        let shop = try await TestStore.make()
        _ = try await shop.customer("ben")
        _ = try await shop.customer("ann")
        _ = try await shop.store.families.make(organizer: "ann", members: ["ben"])
        let sold = try await shop.buy("family.monthly", as: "ann")
        try await shop.advance(by: .minutes(6))
        let seller = try await Seller(of: shop)
        let period = try #require(try await seller.history(of: sold.id).ids.last)
        let ben = try await shop.customer("ben")
        let download = TransactionID(
            rawValue: AppTransactionID(account: ben.key.account, app: ben.key.app).rawValue)
        let copy = try #require(try await seller.history(of: download).ids.first)
        for (id, code) in [
            (period, ServerAPIErrorCode.transactionIDIsNotOriginalTransactionID),
            (copy, .familyTransactionNotSupported), (TransactionID(rawValue: 7), .originalTransactionIDNotFound),
            (download, .appTransactionIDNotSupported),
        ] {
            await #expect(throws: ServerAPIError(code)) {
                try await shop.store.transactions.setAppAccountToken(Self.token, of: id, in: app)
            }
        }
        let lens = try await shop.buy("lens", as: "ann", app: TestCatalog.otherBundleID)
        await #expect(throws: ServerAPIError(.originalTransactionIDNotFound)) {
            try await shop.store.transactions.setAppAccountToken(Self.token, of: lens.id, in: app)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a server finishes an unfinished transaction once`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let roll = try await shop.buy("film.roll", as: "ann")
        let (_, ann) = try await shop.signIn("ann")
        #expect(try await shop.store.transactions.unfinished(of: ann).transactions.map(\.id) == [roll.id])
        for _ in 1...2 { try await shop.store.transactions.finish(roll.id, in: app) }
        #expect(try await shop.store.transactions.unfinished(of: ann).transactions.isEmpty)
        #expect(try await shop.journal().map(\.entry.kind) == [.purchased, .finished])
        #expect(try await shop.readReceipt(of: "ann").purchases.isEmpty)
        for (id, code) in [
            (TransactionID(rawValue: 7), ServerAPIErrorCode.transactionIDNotFound),
            (
                TransactionID(rawValue: AppTransactionID(account: ann.key.account, app: ann.key.app).rawValue),
                .appTransactionIDNotSupported
            ),
        ] {
            await #expect(throws: ServerAPIError(code)) { try await shop.store.transactions.finish(id, in: app) }
        }
    }

    @Test(arguments: Engine.allCases)
    func `an order ID leads to its transaction in Production`(engine: Engine) async throws {
        let sandbox = try await TestStore.make(on: engine)
        let shop = try await sandbox.environment("Production")
        let seller = try await Seller(of: shop)
        let sold = try await shop.buy("monthly", as: "ann")
        let order = try #require(OrderID(of: sold.id)).description
        let signed = try #require(try await shop.store.history.signedTransaction(ofOrder: order, in: app))
        #expect(try seller.payload(signed).transactionId == sold.id.description)
        for wrong in [
            "", "M0000000000", "x",
            try #require(OrderID(of: TransactionID(rawValue: sold.id.rawValue + 1))).description,
        ] {
            #expect(try await shop.store.history.signedTransaction(ofOrder: wrong, in: app) == nil)
        }
        #expect(try await shop.store.history.signedTransaction(ofOrder: order, in: TestCatalog.camera) == nil)
        let elsewhere = try await sandbox.buy("monthly", as: "ann")
        #expect(OrderID(of: elsewhere.id) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `an app transaction has ID, version and purchase date`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let (_, ann) = try await shop.signIn("ann")
        let sold = try await shop.buy("film.roll", as: "ann")
        let download = AppTransactionID(account: ann.key.account, app: ann.key.app)
        let verifier = try TestSigning.verifier
        for id in [sold.id, TransactionID(rawValue: download.rawValue)] {
            let text = try await shop.store.history.signedAppTransaction(ofCustomerOf: id, in: app)
            let payload = try verifier.verify(text, as: AppTransactionPayload.self)
            #expect(payload.receiptType == .sandbox)
            #expect((payload.appAppleId, payload.bundleId) == (1_234_567, TestCatalog.bundleID.rawValue))
            #expect(payload.appTransactionId == download.description)
            #expect(payload.applicationVersion == "2.1.7")
            #expect(payload.originalPurchaseDate.timeIntervalSince1970 == 1_375_340_400)
            #expect(payload.receiptCreationDate.timeIntervalSince1970 * 1000 == Double(TestStore.opening.milliseconds))
        }
        await #expect(throws: ServerAPIError(.transactionIDNotFound)) {
            _ = try await shop.store.history.signedAppTransaction(ofCustomerOf: TransactionID(rawValue: 7), in: app)
        }
        await #expect(throws: ServerAPIError(.appTransactionDoesNotExist)) {
            _ = try await shop.store.history.signedAppTransaction(
                ofCustomerOf: TransactionID(rawValue: download.rawValue + 1), in: app)
        }
    }
}
