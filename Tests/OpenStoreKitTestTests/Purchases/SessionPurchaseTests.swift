import Crypto
import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Testing

@Suite("Purchases in a session")
struct SessionPurchaseTests {
    @Test("A product is loaded with the storefront's currency and bought")
    func purchase() async throws {
        try await Fixtures.withSession { session in
            let product = try #require(try await Product.products(for: [Fixtures.silver]).first)
            #expect(product.price == Decimal(string: "2.99"))
            let result = try await product.purchase()
            guard case .success(.verified(let transaction)) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(transaction.productID == Fixtures.silver)
            #expect(transaction.environment == .xcode)
            #expect(transaction.originalID == transaction.id)
            #expect(transaction.appBundleID == session.bundleIdentifier)
            await transaction.finish()
            let entitlement = await Transaction.latest(for: Fixtures.silver)
            #expect(try entitlement?.payloadValue.id == transaction.id)
        }
    }

    @Test("Unknown identifiers are left out; none give none")
    func unknownProducts() async throws {
        try await Fixtures.withSession { _ in
            let found = try await Product.products(for: ["unknown", Fixtures.film])
            #expect(found.map(\.id) == [Fixtures.film])
            let none = try await Product.products(for: [String]())
            #expect(none.isEmpty)
        }
    }

    @Test("A session's purchase is in its list and the client's answers at once")
    func buyProduct() async throws {
        try await Fixtures.withSession { session in
            let token = UUID()
            let transaction = try await session.buyProduct(
                identifier: Fixtures.film, options: [.quantity(3), .appAccountToken(token)])
            #expect(transaction.purchasedQuantity == 3)
            #expect(transaction.appAccountToken == token)
            let listed = try #require(session.allTransactions().first)
            #expect(session.allTransactions().count == 1)
            #expect(UInt64(listed.identifier) == transaction.id)
            #expect(listed.productIdentifier == Fixtures.film)
            #expect(listed.state == .purchased)
            var unfinished: [UInt64] = []
            for await result in Transaction.unfinished { unfinished.append(try result.payloadValue.id) }
            #expect(unfinished == [transaction.id])
        }
    }

    @Test("A purchase of the session comes through updates")
    func updates() async throws {
        try await Fixtures.withSession { session in
            var updates = Transaction.updates.makeAsyncIterator()
            let transaction = try await session.buyProduct(identifier: Fixtures.silver)
            let update = await updates.next()
            #expect(try update?.payloadValue.id == transaction.id)
        }
    }

    @Test("An unknown product")
    func unknownProduct() async throws {
        try await Fixtures.withSession { session in
            let error = await #expect(throws: SKTestError.self) { try await session.buyProduct(identifier: "unknown") }
            #expect(error?.code == .invalidProductIdentifier)
            #expect(session.allTransactions().isEmpty)
        }
    }

    @Test("Ask to Buy: the purchase waits, is approved and arrives")
    func askToBuy() async throws {
        try await Fixtures.withSession { session in
            session.askToBuyEnabled = true
            let product = try #require(try await Product.products(for: [Fixtures.silver]).first)
            let result = try await product.purchase()
            guard case .pending = result else {
                Issue.record("\(result)")
                return
            }
            let waiting = try #require(session.allTransactions().first)
            #expect(waiting.pendingAskToBuyConfirmation)
            #expect(waiting.state == .deferred)
            #expect(await Transaction.latest(for: Fixtures.silver) == nil)
            var updates = Transaction.updates.makeAsyncIterator()
            try session.approveAskToBuyTransaction(identifier: waiting.identifier)
            #expect(try await updates.next()?.payloadValue.productID == Fixtures.silver)
            let bought = try #require(session.allTransactions().first)
            #expect(!bought.pendingAskToBuyConfirmation)
            #expect(bought.state == .purchased)
            #expect(throws: SKTestError.self) {
                try session.approveAskToBuyTransaction(identifier: waiting.identifier)
            }
        }
    }

    @Test("Ask to Buy is the session's, not the purchase's: the environment isn't Sandbox")
    func askToBuyOfThePurchase() async throws {
        try await Fixtures.withSession { session in
            let product = try #require(try await Product.products(for: [Fixtures.film]).first)
            guard case .success = try await product.purchase(options: [.simulatesAskToBuyInSandbox(true)]) else {
                Issue.record("no purchase")
                return
            }
            session.askToBuyEnabled = true
            guard case .pending = try await product.purchase(options: [.simulatesAskToBuyInSandbox(false)]) else {
                Issue.record("not pending")
                return
            }
        }
    }

    @Test("A transaction is bound to the device, as Apple documents it")
    func deviceVerification() async throws {
        try await Fixtures.withSession { session in
            func check(_ value: Data, _ nonce: UUID) throws {
                let device = try #require(AppStore.deviceVerificationID)
                let text = nonce.uuidString.lowercased() + device.uuidString.lowercased()
                #expect(value == Data(SHA384.hash(data: Data(text.utf8))))
            }
            let product = try #require(try await Product.products(for: [Fixtures.weekly]).first)
            guard case .success(.verified(let bought)) = try await product.purchase() else {
                Issue.record("no verified purchase")
                return
            }
            try check(bought.deviceVerification, bought.deviceVerificationNonce)
            // Bought elsewhere, so that it comes with the changes.
            let other = try await session.buyProduct(identifier: Fixtures.silver)
            try check(other.deviceVerification, other.deviceVerificationNonce)
            let status = try #require(try await Product.SubscriptionInfo.status(for: Fixtures.group).first)
            let info = try status.renewalInfo.payloadValue
            try check(info.deviceVerification, info.deviceVerificationNonce)
            #expect(info.deviceVerificationNonce != bought.deviceVerificationNonce)
        }
    }

    @Test("A subscriber who subscribes again gets the running transaction")
    func alreadySubscribed() async throws {
        try await Fixtures.withSession { session in
            let product = try #require(try await Product.products(for: [Fixtures.weekly]).first)
            var ids: [UInt64] = []
            for _ in 0..<2 {
                guard case .success(.verified(let bought)) = try await product.purchase() else {
                    Issue.record("no verified purchase")
                    return
                }
                ids.append(bought.id)
            }
            #expect(Set(ids).count == 1)
            #expect(session.allTransactions().count == 1)
        }
    }

    @Test("A cancelled task buys nothing")
    func cancelled() async throws {
        try await Fixtures.withSession { session in
            let product = try #require(try await Product.products(for: [Fixtures.film]).first)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await product.purchase()
            }
            await #expect(throws: (any Error).self) { try await task.value }
            #expect(session.allTransactions().isEmpty)
        }
    }

    @Test("Ask to Buy: a declined purchase is gone")
    func declined() async throws {
        try await Fixtures.withSession { session in
            session.askToBuyEnabled = true
            await #expect(throws: SKTestError.self) { try await session.buyProduct(identifier: Fixtures.film) }
            let waiting = try #require(session.allTransactions().first)
            try session.declineAskToBuyTransaction(identifier: waiting.identifier)
            #expect(session.allTransactions().isEmpty)
        }
    }

    @Test("An interrupted purchase waits and arrives when its issue is resolved")
    func interrupted() async throws {
        try await Fixtures.withSession { session in
            session.interruptedPurchasesEnabled = true
            let product = try #require(try await Product.products(for: [Fixtures.silver]).first)
            guard case .pending = try await product.purchase() else {
                Issue.record("not pending")
                return
            }
            let listed = try #require(session.allTransactions().first)
            #expect(listed.hasPurchaseIssue)
            #expect(listed.state == .failed)
            var updates = Transaction.updates.makeAsyncIterator()
            try session.resolveIssueForTransaction(identifier: listed.identifier)
            #expect(try await updates.next()?.payloadValue.productID == Fixtures.silver)
            #expect(session.allTransactions().map(\.hasPurchaseIssue) == [false])
        }
    }

    @Test("A refund revokes at once")
    func refund() async throws {
        try await Fixtures.withSession { session in
            let transaction = try await session.buyProduct(identifier: Fixtures.silver)
            await transaction.finish()
            var owned = 0
            for await _ in Transaction.currentEntitlements { owned += 1 }
            #expect(owned == 1)
            try session.refundTransaction(identifier: UInt(transaction.id))
            for await _ in Transaction.currentEntitlements { Issue.record("still entitled") }
            let latest = try await Transaction.latest(for: Fixtures.silver)?.payloadValue
            #expect(latest?.revocationDate != nil)
            #expect(session.allTransactions().first?.cancelDate != nil)
            let error = #expect(throws: SKTestError.self) {
                try session.refundTransaction(identifier: UInt(transaction.id))
            }
            #expect(error?.code == .invalidAction)
        }
    }

    @Test("Deleting a subscription's transaction deletes its renewals")
    func delete() async throws {
        try await Fixtures.withSession { session in
            let first = try await session.buyProduct(identifier: Fixtures.weekly)
            try session.forceRenewalOfSubscription(productIdentifier: Fixtures.weekly)
            let film = try await session.buyProduct(identifier: Fixtures.film)
            #expect(session.allTransactions().count == 3)
            try session.deleteTransaction(identifier: UInt(first.id))
            #expect(session.allTransactions().map(\.identifier) == [UInt(film.id)])
            #expect(await Transaction.latest(for: Fixtures.weekly) == nil)
            let error = #expect(throws: SKTestError.self) { try session.deleteTransaction(identifier: 7) }
            #expect(error?.code == .noTransactionFound)
        }
    }

    @Test("A sheet of the test answers payments unless dialogs are disabled")
    func sheet() async throws {
        struct Refusal: StoreConnection.PaymentSheet {
            func confirm(_ payment: StoreConnection.PaymentDetails) async -> StoreConnection.PaymentSheetAnswer {
                .cancel
            }
        }
        try await Fixtures.withSession { session in
            session.paymentSheet = Refusal()
            let product = try #require(try await Product.products(for: [Fixtures.film]).first)
            guard case .userCancelled = try await product.purchase() else {
                Issue.record("not cancelled")
                return
            }
            session.disableDialogs = true
            guard case .success = try await product.purchase() else {
                Issue.record("not bought")
                return
            }
        }
    }

    @Test("Another storefront has another currency; a code that is none changes nothing")
    func storefront() async throws {
        try await Fixtures.withSession { session in
            session.storefront = "DEU"
            #expect(await Storefront.current?.countryCode == "DEU")
            session.storefront = "Atlantis"
            #expect(session.storefront == "DEU")
        }
    }

    @Test("A product knows its entitlements and its latest transaction")
    func transactionsOfAProduct() async throws {
        try await Fixtures.withSession { session in
            let product = try #require(try await Product.products(for: [Fixtures.silver]).first)
            #expect(await product.latestTransaction == nil)
            let bought = try await session.buyProduct(identifier: Fixtures.silver)
            #expect(try await product.latestTransaction?.payloadValue.id == bought.id)
            var entitled: [UInt64] = []
            for await result in product.currentEntitlements { entitled.append(try result.payloadValue.id) }
            #expect(entitled == [bought.id])
            try session.refundTransaction(identifier: UInt(bought.id))
            for await _ in product.currentEntitlements { Issue.record("still entitled") }
            #expect(try await product.latestTransaction?.payloadValue.revocationDate != nil)
        }
    }
}
